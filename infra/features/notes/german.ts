/** Sentences of `notes sync` and `notes keep` in German. Pure. */
import type { SentencePair } from '../../../lib/core/language/sentence-speaker.ts';

export const NOTES_SYNC: readonly SentencePair[] = [
  // The help.
  [
    'keep a folder of Org or Markdown notes in step with memory',
    'einen Ordner mit Notizen in Org oder Markdown und das Gedächtnis gleich halten',
  ],
  [
    'what changed on one side goes to the other; what both changed is asked about',
    'was eine Seite geändert hat, kommt auf die andere; was beide änderten, wird gefragt',
  ],
  [
    'answer such a question: file or memory counts',
    'eine solche Frage beantworten: die Datei (file) oder das Gedächtnis (memory) gilt',
  ],
  [
    'go on until Ctrl-C, with each change of a file and of memory',
    'weitermachen bis Strg-C, mit jeder Änderung einer Datei und des Gedächtnisses',
  ],
  ['with --watch: how often memory is looked at', 'mit --watch: wie oft nach dem Gedächtnis gesehen wird'],
  [
    'notes of memory that belong to no file get one each, below memory/',
    'Notizen, die zu keiner Datei gehören, bekommen je eine unter memory/',
  ],
  [
    'many files or notes that are gone at once were meant to go',
    'viele Dateien oder Notizen, die auf einmal fehlen, fehlen mit Absicht',
  ],
  // The lines of a round.
  ['to memory:  {1}', 'ins Gedächtnis:  {1}'],
  ['to the file:  {1}', 'in die Datei:  {1}'],
  ['changed in the file and in memory: both are kept', 'wurde in der Datei und im Gedächtnis geändert: beide bleiben'],
  ['left memory, and the file has newer words', 'ist nicht mehr im Gedächtnis, und die Datei hat neuere Worte'],
  ['left the file, and memory has newer words', 'ist nicht mehr in der Datei, und das Gedächtnis hat neuere Worte'],
  ['was forgotten, and the file still has it', 'wurde gelöscht und steht noch in der Datei'],
  ["  memory's version is in {1}", '  die Fassung des Gedächtnisses steht in {1}'],
  ['  npx passepartout notes keep {1} {2} file', '  npx passepartout notes keep {1} {2} file'],
  ['  npx passepartout notes keep {1} {2} memory', '  npx passepartout notes keep {1} {2} memory'],
  ['In step: {1} file with {2} notes, {3} open questions.', 'Gleich: {1} Datei mit {2} Notizen, {3} offene Fragen.'],
  ['In step: {1} file with {2} note, {3} open questions.', 'Gleich: {1} Datei mit {2} Notiz, {3} offene Fragen.'],
  ['In step: {1} file with {2} notes, {3} open question.', 'Gleich: {1} Datei mit {2} Notizen, {3} offene Frage.'],
  ['In step: {1} file with {2} note, {3} open question.', 'Gleich: {1} Datei mit {2} Notiz, {3} offene Frage.'],
  ['In step: {1} files with {2} notes, {3} open questions.', 'Gleich: {1} Dateien mit {2} Notizen, {3} offene Fragen.'],
  ['In step: {1} files with {2} notes, {3} open question.', 'Gleich: {1} Dateien mit {2} Notizen, {3} offene Frage.'],
  [
    'these notes count as outside text; with --trust they count as your own words',
    'diese Notizen gelten als fremder Text; mit --trust gelten sie als eigene Worte',
  ],
  ['ended; the folder stays as it is', 'beendet; der Ordner bleibt, wie er ist'],
  [
    'the system watches this folder no more: it is read from time to time',
    'das System beobachtet diesen Ordner nicht mehr: er wird ab und zu gelesen',
  ],
  [
    'the system does not watch this folder: it is read from time to time',
    'das System beobachtet diesen Ordner nicht: er wird ab und zu gelesen',
  ],
  // Faults.
  [
    'another run keeps this folder in step, and does not end',
    'ein anderer Lauf hält diesen Ordner gleich und endet nicht',
  ],
  [
    'end it; if there is none, remove .passepartout-sync.lock in the folder',
    'ihn beenden; gibt es keinen, dann .passepartout-sync.lock im Ordner entfernen',
  ],
  ['--every takes seconds, from 1 to {1}', '--every nimmt Sekunden, von 1 bis {1}'],
  ['no question of this folder has the code {1}', 'keine Frage zu diesem Ordner hat den Code {1}'],
  ['npx passepartout notes sync <folder> lists them', 'npx passepartout notes sync <folder> zeigt alle'],
  ['notes does not take "{1}"', 'notes kennt "{1}" nicht'],
  ['the folder has {1} files of notes, more than {2}', 'der Ordner hat {1} Dateien mit Notizen, mehr als {2}'],
  ['the notes of the folder have more than {1} characters', 'die Notizen des Ordners haben mehr als {1} Zeichen'],
  ['keep a folder inside it in step', 'einen Ordner darin gleich halten'],
  [
    '{1}:{2}: its name has signs that are not used, or is that of a secret: rename it',
    '{1}:{2}: ihr Name hat Zeichen, die nicht gehen, oder ist der eines Geheimnisses: umbenennen',
  ],
  [
    '{1}:{2}: it is being written: the next round reads it',
    '{1}:{2}: sie wird gerade geschrieben: die nächste Runde liest sie',
  ],
  [
    '{1}:{2}: it is not UTF-8, and could not be written back: save it as UTF-8',
    '{1}:{2}: sie ist nicht in UTF-8 und ließe sich nicht zurückschreiben: als UTF-8 speichern',
  ],
  [
    '{1}:{2}: its id stands in {3} too: which of both is it? Give one another id, or take one away. Until then this file is left as it is',
    '{1}:{2}: ihre Kennung steht auch in {3}: Welche von beiden ist es? Einer eine andere geben oder eine wegnehmen. Bis dahin bleibt diese Datei, wie sie ist',
  ],
  [
    '{1}:{2}: memory holds it in a form that this file cannot say: it is left as it is',
    '{1}:{2}: im Gedächtnis hat sie eine Form, die diese Datei nicht sagen kann: sie bleibt, wie sie ist',
  ],
  [
    '{1}:{2}: the file is gone, as are many others at once: --gone takes them out of memory',
    '{1}:{2}: die Datei fehlt, wie viele andere auf einmal: --gone nimmt sie aus dem Gedächtnis',
  ],
  [
    '{1}:{2}: memory lost it, as it did many others at once: --gone moves these files to .trash',
    '{1}:{2}: sie fehlt im Gedächtnis, wie viele andere auf einmal: --gone schiebt diese Dateien nach .trash',
  ],
  ['{1}:{2}: something else is in the place of its folder', '{1}:{2}: an der Stelle ihres Ordners liegt etwas anderes'],
  ['something else is in the place of the copy', 'an der Stelle der Abschrift liegt etwas anderes'],
  ['.trash is no folder that can be written', '.trash ist kein Ordner, in den sich schreiben lässt'],
  ['{1} is damaged, or of another release', '{1} ist beschädigt oder von einer anderen Version'],
  [
    'remove it to begin anew: what differs then is asked about, and nothing is overwritten',
    'sie entfernen und neu beginnen: was dann anders ist, wird gefragt, und nichts wird überschrieben',
  ],
  [
    'PASSEPARTOUT_URL must begin with https:// (http:// only on this machine)',
    'PASSEPARTOUT_URL muss mit https:// beginnen (http:// nur auf diesem Rechner)',
  ],
];
