/** Sentences of backup, restore, policy, evidence and other work on a stack, in German. Pure. */
import type { SentencePair } from '../../lib/core/language/sentence-speaker.ts';

/** Parts of longer sentences; alone they could be anybody's words. */
export const PARTS: readonly SentencePair[] = [
  // Of a list, so that they hold no comma.
  ['the script {1} sees all but the ids of approvals', 'das Skript {1} sieht alles außer den Kennungen von Freigaben'],
  ['by {1} operations', 'über {1} Befehle'],
  ['the script {1} writes in conversations of its own', 'das Skript {1} schreibt in eigenen Gesprächen'],
  ['in untrusted words', 'mit Worten von außen'],
  ['1 file', '1 Datei'],
  ['{1} files', '{1} Dateien'],
  ['1 item', '1 Eintrag'],
  ['{1} items', '{1} Einträge'],
  ['1 note', '1 Notiz'],
  ['{1} notes', '{1} Notizen'],
  ['1 object', '1 Notiz'],
  ['{1} objects', '{1} Notizen'],
  ['1 leaf', '1 Blatt'],
  ['{1} leaves', '{1} Blätter'],
  ['1 record', '1 Eintrag'],
  ['{1} records', '{1} Einträge'],
  ['1 checkpoint', '1 Prüfpunkt'],
  ['{1} checkpoints', '{1} Prüfpunkte'],
  ['1 occurrence', '1 Termin'],
  ['{1} occurrences', '{1} Termine'],
  ['1 job', '1 Auftrag'],
  ['{1} jobs', '{1} Aufträge'],
  ['1 result', '1 Ergebnis'],
  ['{1} results', '{1} Ergebnisse'],
  ['1 line', '1 Zeile'],
  ['{1} lines', '{1} Zeilen'],
  ['1 cosignature', '1 Mitunterschrift'],
  ['{1} cosignatures', '{1} Mitunterschriften'],
  ['1 approval card', '1 Karte'],
  ['{1} approval cards', '{1} Karten'],
  ['[1] newer than the export', '[1] neuer als der Export'],
  ['[1] of other machines', '[1] anderer Rechner'],
  ['[1] cut off by a crash', '[1] durch einen Absturz abgeschnitten'],
  ['[1] not chained, by an earlier release', '[1] ohne Kette, aus einer früheren Version'],
  ['1 decision', '1 Entscheidung'],
  ['{1} decisions', '{1} Entscheidungen'],
  ['1 waiting card', '1 wartende Karte'],
  ['{1} waiting cards', '{1} wartende Karten'],
  ['1 gate', '1 Regel'],
  ['{1} gates', '{1} Regeln'],
  ['1 handler', '1 Handler'],
  ['{1} handlers', '{1} Handler'],
  ['1 function', '1 Funktion'],
  ['{1} functions', '{1} Funktionen'],
  ['1 mandate', '1 Vorgabe'],
  ['{1} mandates', '{1} Vorgaben'],
];

const BACKUP: readonly SentencePair[] = [
  [
    'the newest records get no leaf in the evidence log: {1}',
    'die neuesten Einträge bekommen kein Blatt im Beweisprotokoll: {1}',
  ],
  ['restore would refuse the backup, so none was written', 'restore würde die Sicherung ablehnen, also gibt es keine'],
  [
    '--despite-problems writes it; restore then takes it with the same option',
    '--despite-problems schreibt sie; restore nimmt sie dann mit derselben Option',
  ],
  [
    'The backup is whole. Its time could not be noted in the table: {1}',
    'Die Sicherung ist vollständig. Ihre Zeit ließ sich nicht in der Tabelle vermerken: {1}',
  ],
  ['the table is at {1}, not in the data folder', 'die Tabelle liegt unter {1}, nicht im Datenordner'],
  ['back it up there', 'sie dort sichern'],
  ['the last records get their leaves', 'die letzten Einträge bekommen ihre Blätter'],
  ['the stack "{1}" names no bucket of files', 'der Stack "{1}" nennt keinen Ort für Dateien'],
  ['deploy this release', 'diese Version deployen'],
  [
    'Point-in-time recovery makes a copy of the table, which takes ten minutes or more.',
    'Eine Kopie der Tabelle wird gemacht (Point-in-time recovery); das dauert zehn Minuten oder länger.',
  ],
  [
    '{1} was left by a backup that did not end: it is replaced.',
    '{1} ist von einer Sicherung übrig, die nicht zu Ende kam: es wird ersetzt.',
  ],
  ['[1] as of {2} are in {3}, {4} bytes.', '[1] vom {2} sind in {3}, {4} Bytes.'],

  // Restore.
  ['The backup as of {1} is restored.', 'Die Sicherung vom {1} ist eingespielt.'],
  [
    'Space {1}: [2] of memory and [3] of the log verified.',
    'Bereich {1}: [2] des Gedächtnisses und [3] des Protokolls stimmen.',
  ],
  [
    'Space {1}: [2] of memory and [3] of the log checked.',
    'Bereich {1}: [2] des Gedächtnisses und [3] des Protokolls sind geprüft.',
  ],
  ['WRONG: [1]', 'FALSCH: [1]'],
  [
    '[1] forgotten since will be forgotten again at the start.',
    '[1], seither vergessen: beim Start wird das wieder vergessen.',
  ],
  ['It brings back:', 'Zurück kommen:'],
  ['[1] of messages restored.', '[1] aus Nachrichten sind eingespielt.'],
  [
    'Set LOG_SIGNING_KEY to the key that you had set: the backup does not hold it.',
    'LOG_SIGNING_KEY auf den früher gesetzten Schlüssel setzen: Die Sicherung enthält ihn nicht.',
  ],
  [
    'It starts stopped: look around, then npx passepartout resume.',
    'Es startet angehalten: erst umsehen, dann npx passepartout resume.',
  ],
  ['nothing was restored', 'nichts wurde eingespielt'],
  ['nothing was written', 'nichts wurde geschrieben'],
  ['nothing was changed', 'nichts wurde geändert'],
  [
    'deploy a new stack with MAINTENANCE=off, and restore before anybody writes to it',
    'einen neuen Stack mit MAINTENANCE=off deployen, und einspielen, bevor jemand darin schreibt',
  ],
  ['what is in it does not verify: [1]', 'ihr Inhalt stimmt nicht: [1]'],
  ['the stack refuses this data', 'der Stack lehnt diese Daten ab'],
  [
    'it was so when the backup was made; --despite-problems restores it all the same',
    'so war es schon beim Sichern; --despite-problems spielt sie trotzdem ein',
  ],
  ['{1} has a table already', '{1} hat schon eine Tabelle'],
  ['move it away, or set DATA_DIR to an empty folder', 'sie wegräumen, oder DATA_DIR auf einen leeren Ordner setzen'],
  ['there is no file {1}', 'eine Datei {1} gibt es nicht'],
  ['there is no folder {1}', 'einen Ordner {1} gibt es nicht'],
  ['{1} cannot be written', '{1} lässt sich nicht schreiben'],
  ['{1}: cannot be written', '{1}: lässt sich nicht schreiben'],
  ['{1}: is there with other content', '{1}: gibt es mit anderem Inhalt'],
  ['unknown error', 'unbekannter Fehler'],
];

const NOTES: readonly SentencePair[] = [
  ['[1] written, {2} unchanged, {3} left alone.', '[1] geschrieben, {2} unverändert, {3} nicht angerührt.'],
  ['{1} is no folder that can be read', '{1} ist kein lesbarer Ordner'],
  ['reading  {1} of {2}', 'lese  {1} von {2}'],
  ['importing  {1} of {2}', 'nehme auf  {1} von {2}'],
  ['[1] with [2] went in, [3] unchanged, {4} left out.', '[1] mit [2] aufgenommen, [3] unverändert, {4} ausgelassen.'],
  [
    '[1] with [2] would go in, [3] unchanged, {4} left out.',
    '[1] mit [2] kämen hinein, [3] unverändert, {4} ausgelassen.',
  ],
  [
    'Held back, because these notes are gone from their files (--remove takes them out of memory too):',
    'Zurückgehalten, weil diese Notizen in ihren Dateien fehlen (--remove nimmt sie auch aus dem Gedächtnis):',
  ],
  [
    'Left out, because notes of these files were forgotten and these may be them (--again takes them in):',
    'Ausgelassen, weil Notizen dieser Dateien vergessen wurden und es diese sein könnten (--again nimmt sie auf):',
  ],
  [
    'In memory, though their files are gone (nothing was changed; npx passepartout forget <id> erases one):',
    'Im Gedächtnis, obwohl ihre Dateien fehlen (nichts wurde geändert; npx passepartout forget <id> löscht eine):',
  ],
  ['a passphrase of digits alone has at least {1} of them', 'ein Passwort nur aus Ziffern hat mindestens {1}'],
  [
    'this passphrase is guessed soon: it repeats itself, counts on, is one word, or is made of common words for passwords',
    'dieses Passwort ist bald erraten: Es wiederholt sich, zählt weiter, ist ein Wort oder besteht aus üblichen Wörtern für Passwörter',
  ],
  [
    'Newly possible without a question: {1}, exactly as it was approved.',
    'Neu ohne Frage möglich: {1}, genau wie freigegeben.',
  ],
  [
    'Newly possible without a question: {1}, as it was approved, but for {2}.',
    'Neu ohne Frage möglich: {1}, wie freigegeben, bis auf {2}.',
  ],
  ['--since takes days, from 1d to {1}d', '--since nimmt Tage, von 1d bis {1}d'],
  ['that is not the id of one object', 'das ist nicht die id einer einzigen Notiz'],
  ['npx passepartout memory lists them', 'npx passepartout memory nennt sie'],
  ['no decision was shown it in that time', 'in dieser Zeit sah es keine Entscheidung'],
  ['there are more signals than were looked through', 'es gibt mehr Meldungen, als durchsucht wurden'],
];

const POLICY: readonly SentencePair[] = [
  [
    '{1} is there already, or cannot be written; nothing was changed',
    '{1} gibt es schon, oder es lässt sich nicht schreiben; nichts wurde geändert',
  ],
  [
    'wrote {1}: the default permissions. Edit it, then: npx passepartout policy check {2}, policy try, policy set.',
    '{1} ist geschrieben: die üblichen Regeln. Ändern, dann: npx passepartout policy check {2}, policy try, policy set.',
  ],
  ['Not usable:', 'Nicht brauchbar:'],
  ['Can never match:', 'Kann nie zutreffen:'],
  ['Never decides anything:', 'Entscheidet nie etwas:'],
  ['Always denied:', 'Immer verboten:'],
  ['Overlaps:', 'Überschneidet sich:'],
  ['  rule {1} (line {2}) (line {3})', '  Regel {1} (Zeile {2})'],
  ['  {1} (line {2})', '  {1} (Zeile {2})'],
  ['  {1}, by {2}', '  {1}, durch {2}'],
  ['rule {1} (line {2})', 'Regel {1} (Zeile {2})'],
  ['  line {1}, column {2}: <3>', '  Zeile {1}, Spalte {2}: <3>'],
  ['line {1}, column {2}: <3>', 'Zeile {1}, Spalte {2}: <3>'],
  ['line {1}, column {2}: {3}', 'Zeile {1}, Spalte {2}, in den Worten von Cedar: {3}'],
  ['static policy set includes a template', 'eine Vorlage mit `?principal` oder `?resource` ist keine Regel'],
  ['its statements cannot be told apart', 'die Regeln darin lassen sich nicht unterscheiden'],
  [
    '{1} (line {2}) asks who receives a call of {3}, which names no field for it: {4}; or name other targets in the rule',
    '{1} (Zeile {2}) fragt nach dem Empfänger eines Aufrufs von {3}, das kein Feld dafür nennt: {4}; oder in der Regel andere Ziele nennen',
  ],
  [
    '{1} (line {2}) asks the amount of a call of {3}, which names no field for it: {4}; or name other targets in the rule',
    '{1} (Zeile {2}) fragt nach dem Betrag eines Aufrufs von {3}, das kein Feld dafür nennt: {4}; oder in der Regel andere Ziele nennen',
  ],
  ['The policy parses and type-checks.', 'Die Richtlinie ist lesbar, und ihre Typen stimmen.'],
  ['{1}: {2} always wins over it', '{1}: {2} geht immer vor'],
  [
    '{1} ({2}) and {3} ({4}) both speak about {5}: {6} wins',
    '{1} ({2}) und {3} ({4}) sprechen beide über {5}: {6} gilt',
  ],
  ['before: {1} gates, all passed', 'vorher: {1} Regeln, alle erlauben es'],
  ['before: {1} gates', 'vorher: {1} Regeln'],
  ['after: {1} gates, all passed', 'nachher: {1} Regeln, alle erlauben es'],
  ['after: {1} gates', 'nachher: {1} Regeln'],
  [
    '{1} actions tried: {2} would come out otherwise, {3} of them wider.',
    '{1} Handlungen probiert: {2} gingen anders aus, {3} davon erlaubten mehr.',
  ],
  ['It would end [1], to be asked for again.', 'Das beendet [1]; es wäre neu zu fragen.'],
  ['It ends [1], to be asked for again.', 'Das beendet [1]; es ist neu zu fragen.'],
  [
    'In the last 30 days {1} of {2} actions would have come out otherwise, {3} of them wider.',
    'In den letzten 30 Tagen wären {1} von {2} Handlungen anders ausgegangen, {3} davon hätten mehr erlaubt.',
  ],
  ['No policy any more: the default permissions count.', 'Keine Richtlinie mehr: Es gelten die üblichen Regeln.'],
  [
    'In force: policy {1}. Approvals, grants and a yes to a whole job from before do not count any more, and a run that waits for one ends.',
    'In Kraft: die Richtlinie {1}. Frühere Freigaben, Erlaubnisse und ein Ja zu einem ganzen Auftrag gelten nicht mehr, und ein Lauf, der darauf wartet, endet.',
  ],
  ['there is no policy: the default permissions count', 'es gibt keine Richtlinie: Es gelten die üblichen Regeln'],
];

const EVIDENCE: readonly SentencePair[] = [
  [
    'this stack serves the space "{1}"; it has no evidence of "{2}"',
    'dieser Stack hat den Bereich "{1}"; von "{2}" hat er keine Beweise',
  ],
  [
    'a stack serves one space, which SPACE names when it starts: ask the one of "{1}" (DATA_DIR, or --stack)',
    'ein Stack hat einen Bereich, den SPACE beim Start nennt: den von "{1}" fragen (DATA_DIR, oder --stack)',
  ],
  ['--out names the file to write', '--out nennt die Datei, die geschrieben wird'],
  ['the evidence log stands still: [1]', 'das Beweisprotokoll steht still: [1]'],
  ['{1} leaves of {2} with their records are in {3}', '{1} Blätter von {2} mit ihren Einträgen sind in {3}'],
  [
    '{1} records are newer or wait for a person: a later export has them',
    '{1} Einträge sind neuer oder warten auf einen Menschen: Ein späterer Export hat sie',
  ],
  ['not as it should be: [1]', 'nicht, wie es sein soll: [1]'],
  ['check it: npx passepartout verify {1}', 'prüfen: npx passepartout verify {1}'],
  [
    'An anchor from before, kept elsewhere, proves more: --anchor <its file>',
    'Ein früherer Anker, woanders verwahrt, beweist mehr: --anchor <seine Datei>',
  ],
  ['there is no such part', 'einen solchen Teil gibt es nicht'],
  ['receipt takes one action', 'receipt nimmt eine Handlung'],
  ['the receipt of {1} is in {2}', 'der Beleg von {1} ist in {2}'],
  ['{1} is not usable: [2]', '{1} ist nicht brauchbar: [2]'],
  ['the anchor is not a checkpoint', 'der Anker ist kein Prüfpunkt'],
  [
    '--at-least is a number of the witnesses that --witness names',
    '--at-least ist eine Zahl der Zeugen, die --witness nennt',
  ],
  ['verified', 'stimmt'],
  [
    'incomplete: what is there agrees, and a part is missing',
    'unvollständig: Was da ist, stimmt überein, und ein Teil fehlt',
  ],
  ['consistent, not authenticated', 'in sich stimmig, nicht beglaubigt'],
  ['older than the anchor: what is there agrees', 'älter als der Anker: Was da ist, stimmt überein'],
  [
    'withheld: what is shown agrees, and an action is not shown',
    'zurückgehalten: Was gezeigt wird, stimmt überein, und eine Handlung wird nicht gezeigt',
  ],
  [
    'OLDER THAN IT SAYS? Its newest leaf is more than an hour older than the time the file claims. An old copy with a new date looks the same: an anchor made since tells.',
    'ÄLTER ALS BEHAUPTET? Das neueste Blatt ist über eine Stunde älter als die Zeit, die in der Datei steht. Eine alte Kopie mit neuem Datum sieht genauso aus: Ein seither gemachter Anker verrät es.',
  ],
  [
    "[1], [2]: every moment of a job's rule has its occurrence, by the time zones of this machine",
    '[1], [2]: Jeder Zeitpunkt einer Regel hat seinen Termin, nach den Zeitzonen dieses Rechners',
  ],
  ['[1], [2]: their rules were not computed', '[1], [2]: ihre Regeln wurden nicht nachgerechnet'],
  [
    '[1] added later than a minute after the record, and saying so: until then nothing held it',
    '[1] über eine Minute nach dem Eintrag hinzugefügt, und so vermerkt: Bis dahin hielt ihn nichts fest',
  ],
  [
    'not covered: a checkpoint before the newest one may be left out, but none of its leaves',
    'nicht abgedeckt: Ein früherer Prüfpunkt kann fehlen, aber keines seiner Blätter',
  ],
  [
    'not covered: [1] of witnesses whose keys were not given (--witness)',
    'nicht abgedeckt: [1] von Zeugen, deren Schlüssel nicht angegeben sind (--witness)',
  ],
  [
    '[1] of runners: signed by Act, answered by the key that was paired',
    '[1] für Rechner: von Act unterschrieben, vom gekoppelten Schlüssel beantwortet',
  ],
  ['[1] whose content was forgotten; hashes hold', '[1] mit vergessenem Inhalt; die Prüfsummen gelten'],
  ['[1] left out: an export gives nobody their text', '[1] ausgelassen: Ein Export gibt ihren Text niemandem'],
  [
    'an older copy of the same log would verify too: give --anchor, a checkpoint stored elsewhere',
    'eine ältere Kopie desselben Protokolls würde auch stimmen: --anchor angeben, einen woanders verwahrten Prüfpunkt',
  ],
  [
    'the author of the file could have forged all of it: give --key and --anchor',
    'wer die Datei schrieb, könnte alles gefälscht haben: --key und --anchor angeben',
  ],
  [
    'the author of the file could have forged all of it: give --key',
    'wer die Datei schrieb, könnte alles gefälscht haben: --key angeben',
  ],
  [
    'space {1}, newest leaf {2}, exported {3} as the file says',
    'Bereich {1}, neuestes Blatt {2}, laut Datei exportiert {3}',
  ],
  ['[1], [2], [3], root {4}', '[1], [2], [3], Wurzel {4}'],
  ['cosigned by at least {1} of {2}', 'mitunterschrieben von mindestens {1} von {2}'],
  ["the machine's journal: [1] as the log has them", 'das Journal des Rechners: [1] wie im Protokoll'],
  ["the machine's journal: [1] as the log has them, [2]", 'das Journal des Rechners: [1] wie im Protokoll, [2]'],
  ['cosigned by {1}', 'mitunterschrieben von {1}'],
  [
    'line {1} of the journal does not follow the one before: a line was changed, removed or added',
    'Zeile {1} des Journals folgt nicht auf die davor: Eine Zeile wurde geändert, entfernt oder hinzugefügt',
  ],
  ["line {1} is no line of a runner's journal", 'Zeile {1} ist keine Zeile eines solchen Journals'],
  ['give its journal.jsonl', 'dessen journal.jsonl angeben'],
  [
    'nothing in this journal is signed by its machine',
    'nichts in diesem Journal ist vom eigenen Rechner unterschrieben',
  ],
  ['there is nothing to compare', 'es gibt nichts zu vergleichen'],
  ['[1] replayed on gate set {2}', '[1] noch einmal geprüft, mit den Regeln {2}'],
  ['the same to the last byte', 'bis aufs letzte Byte gleich'],
  ['different', 'anders'],
  ['the decision has no such action', 'die Entscheidung hat keine solche Handlung'],
  ['the trace of the last mile differs', 'die Urteile kurz vor der Ausführung sind andere'],
  ['made under another gate set', 'unter anderen Regeln entstanden'],
  ['forgotten', 'vergessen'],
  ['approval cards (not given out)', 'Karten (werden nicht herausgegeben)'],
  ['replay takes a signal or --since', 'replay nimmt eine Meldung oder --since'],
  [
    'a time is a number with m, h or d, such as 45m, 12h or 30d',
    'eine Zeit ist eine Zahl mit m, h oder d, etwa 45m, 12h oder 30d',
  ],
];

const STACK: readonly SentencePair[] = [
  [
    'no stack is running here: these are the settings of .env and of this shell',
    'hier läuft nichts: Das sind die Angaben aus .env und dieser Shell',
  ],
  ['the running stack is of an earlier release: start it again', 'es läuft eine frühere Version: noch einmal starten'],
  ['no provider is configured here', 'hier ist kein Anbieter eingerichtet'],
  [
    'set a key such as OPENAI_API_KEY, or OPENAI_BASE_URL; "npm start" alone uses an Ollama it finds, or the demo model',
    'einen Schlüssel wie OPENAI_API_KEY setzen, oder OPENAI_BASE_URL; "npm start" allein nimmt ein gefundenes Ollama oder das Demomodell',
  ],
  [
    '{1} tokens  {2} in, {3} cached, {4} out for a million',
    '{1} Token  {2} hinein, {3} gemerkt, {4} heraus je Million',
  ],
  ['effect {1} of {2} counts as done', 'Wirkung {1} von {2} zählt als erledigt'],
  ['effect {1} of {2} will be tried again', 'Wirkung {1} von {2} wird noch einmal versucht'],
  ['gates takes list or try', 'gates nimmt list oder try'],
  [
    'gates of added skills judge too: npx passepartout skill list',
    'auch Regeln hinzugefügter Fähigkeiten urteilen: npx passepartout skill list',
  ],
  ['{1} is no path such as alert.name', '{1} ist kein Pfad wie alert.name'],
  ['no service {1} is known', 'ein Dienst {1} ist nicht bekannt'],
  ['the file has no line for {1}', 'die Datei hat keine Zeile für {1}'],
  ['WEBHOOK_SECRETS here has no usable entry {1}', 'WEBHOOK_SECRETS hat hier keinen brauchbaren Eintrag {1}'],
  [
    'only the service itself can sign as {1}: let it send a test',
    'nur der Dienst selbst kann wie {1} unterschreiben: ihn einen Test senden lassen',
  ],
  ['its entries: none', 'seine Einträge: keine'],
  ['its entries: {1}', 'seine Einträge: {1}'],
  ['it was refused with status {1}', 'es wurde mit Status {1} abgelehnt'],
  [
    'start the stack again if WEBHOOK_SECRETS was changed since; why is told within a minute by: npx passepartout hooks',
    'neu starten, wenn WEBHOOK_SECRETS seither geändert wurde; den Grund nennt nach einer Minute: npx passepartout hooks',
  ],
  ['{1} is neither YAML nor JSON of a job', '{1} ist weder YAML noch JSON eines Auftrags'],
  ['on the command line "{1}" is an option: {2}', 'auf der Befehlszeile ist "{1}" eine Option: {2}'],
  ['name the job: npx passepartout help jobs says how', 'den Auftrag nennen: npx passepartout help jobs sagt, wie'],
  ['Run this?', 'Das starten?'],
  [
    'Folder that jobs may read and change (Enter for none yet): ',
    'Ordner, den Befehle lesen und ändern dürfen (Enter für noch keinen): ',
  ],
  ['asking the stack…', 'der Stack wird gefragt…'],
  ['This machine is the runner {1} now.', 'Dieser Rechner ist jetzt der Runner {1}.'],
  ['{1} says what it allows; nobody else can change it.', '{1} sagt, was er erlaubt; niemand sonst kann das ändern.'],
  [
    'It names no folder yet: write those into it that jobs may read or change, before you start.',
    'Noch nennt sie keinen Ordner: vor dem Start hineinschreiben, welche Befehle lesen oder ändern dürfen.',
  ],
  ['Check it: npx passepartout runner check {1}', 'Prüfen: npx passepartout runner check {1}'],
  ['Start it: npx passepartout runner start {1}', 'Starten: npx passepartout runner start {1}'],
  ['Start: systemctl --user {1}', 'Starten: systemctl --user {1}'],
  ['Look: systemctl --user {1}; end: {2}', 'Ansehen: systemctl --user {1}; beenden: {2}'],
  ['Start: launchctl {1}', 'Starten: launchctl {1}'],
  ['End: launchctl {1}', 'Beenden: launchctl {1}'],
  ['{1} finds nothing wrong with it.', '{1} findet nichts daran auszusetzen.'],
  [
    'services are made for systemd (Linux) and launchd (macOS)',
    'Dienste gibt es für systemd (Linux) und launchd (macOS)',
  ],
  ['{1}.service is written.', '{1}.service ist geschrieben.'],
  ['{1}.plist is written.', '{1}.plist ist geschrieben.'],
  ['Put exactly this in force?', 'Genau das in Kraft setzen?'],
  ['{1} was not taken: [2]', '{1} wurde nicht genommen: [2]'],
  [
    'name one folder: npx passepartout help skill says how',
    'einen Ordner nennen: npx passepartout help skill sagt, wie',
  ],
  [
    'the folder’s name is the skill’s: lower-case words of letters and digits, joined by "-"',
    'der Ordner heißt wie die Fähigkeit: kleine Wörter aus Buchstaben und Ziffern, mit "-" verbunden',
  ],
  ['{1} cannot be made', '{1} lässt sich nicht anlegen'],
  ['then: npx passepartout {1}', 'dann: npx passepartout {1}'],
  ['still with your machine {1}', 'noch beim Rechner {1}'],
  ['… [1], {2} s', '… [1], {2} s'],
];

/** Of the rooms that these commands stand on. */
const ROOMS: readonly SentencePair[] = [
  ['it is damaged or cut off', 'sie ist beschädigt oder abgeschnitten'],
  ['the passphrase is wrong, or the file is no backup', 'das Passwort ist falsch, oder die Datei ist keine Sicherung'],
  ['{1}: it is damaged or cut off', '{1}: sie ist beschädigt oder abgeschnitten'],
  [
    '{1}: the passphrase is wrong, or the file is no backup',
    '{1}: das Passwort ist falsch, oder die Datei ist keine Sicherung',
  ],
  [
    '{1}: it is a backup of another version of Passepartout: restore it with the newer one',
    '{1}: es ist eine Sicherung einer anderen Version: mit der neueren einspielen',
  ],
  [
    'the stored files have more than {1} MB, which is the most that a backup holds; none was written',
    'die gespeicherten Dateien haben mehr als {1} MB, und mehr nimmt eine Sicherung nicht; keine wurde geschrieben',
  ],
  ['without --with-files it holds the table alone', 'ohne --with-files enthält sie nur die Tabelle'],
  [
    'Messages are still under way: a restore ends them, or counts their words as text from outside. A backup made later has them whole.',
    'Noch sind Nachrichten unterwegs: Ein Einspielen beendet sie, oder zählt ihre Worte als fremden Text. Eine spätere Sicherung hat sie ganz.',
  ],
  ['there is no table in {1}', 'in {1} gibt es keine Tabelle'],
  ['set DATA_DIR to the folder of your data', 'DATA_DIR auf den Ordner mit den Daten setzen'],
  ['the stack does not get on with its copy', 'der Stack kommt mit seiner Kopie nicht weiter'],
  ['look at its log, or stop it first', 'in sein Log sehen, oder ihn zuerst beenden'],
  ['the stack copies its table: {1} of {2} pages', 'der Stack kopiert seine Tabelle: {1} von {2} Seiten'],
  ['the stack made no copy', 'der Stack hat keine Kopie gemacht'],
  ['the evidence log takes what has just happened', 'das Beweisprotokoll nimmt auf, was gerade geschah'],
  [
    'it is of a newer release: its data is of version {1}, and this release reads {2}',
    'sie ist von einer neueren Version: Ihre Daten haben Fassung {1}, und diese liest {2}',
  ],
  // Rights that a restore brings back.
  ['the Telegram chat {1} is paired', 'der Telegram-Chat {1} ist gekoppelt'],
  ['the grant {1} for {2}: {3} uses until {4}', 'die Erlaubnis {1} für {2}: {3} Mal bis {4}'],
  ['a policy set by {1}', 'eine Richtlinie, gesetzt von {1}'],
  ['settings: {1}', 'Einstellungen: {1}'],
  ['the machine {1} is paired', 'der Rechner {1} ist gekoppelt'],
  ['the skill {1} is in force', 'die Fähigkeit {1} ist in Kraft'],
  ['the MCP server {1} at {2}', 'der MCP-Server {1} unter {2}'],
  ['the job {1} is active', 'der Auftrag {1} ist aktiv'],
  ['the job {1} is paused', 'der Auftrag {1} ruht'],
  ['the job {1} is ended', 'der Auftrag {1} ist beendet'],
  [
    'The table is an older copy, and what was forgotten since it was made is still being erased from it. Nothing is shown or resumed before that is done.',
    'Die Tabelle ist eine ältere Kopie, und was seither vergessen wurde, wird noch daraus gelöscht. Vorher wird nichts gezeigt oder fortgesetzt.',
  ],
  // The policy.
  [
    '{1} (line {2}) asks who receives a call of {3}, which names no field for it: {4}',
    '{1} (Zeile {2}) fragt, wer einen Aufruf von {3} bekommt, und dafür ist dort kein Feld genannt: {4}',
  ],
  [
    '{1} (line {2}) asks the amount of a call of {3}, which names no field for it: {4}',
    '{1} (Zeile {2}) fragt nach dem Betrag eines Aufrufs von {3}, und dafür ist dort kein Feld genannt: {4}',
  ],
  ['or name other targets in the rule', 'oder in der Regel andere Ziele nennen'],
  ['line {1}: there are two rules with the id {2}', 'Zeile {1}: es gibt zwei Regeln mit der id {2}'],
  ['the policy was changed meanwhile; look again', 'die Richtlinie wurde inzwischen geändert; noch einmal ansehen'],
  // The log and its receipts.
  ['The evidence log is still empty.', 'Das Beweisprotokoll ist noch leer.'],
  [
    'The evidence log is in order as far as looked: {1} leaves, checkpoint of {2} signed.',
    'Das Beweisprotokoll ist in Ordnung, soweit angesehen: {1} Blätter, Prüfpunkt über {2} unterschrieben.',
  ],
  [
    'The records of the newest {1} signals are what their leaves say.',
    'Die Einträge der neuesten {1} Meldungen sind, was ihre Blätter sagen.',
  ],
  ['All of it, against a key and an anchor: {1}', 'Alles, gegen einen Schlüssel und einen Anker: {1}'],
  [
    'I know of no such action: a receipt is of <signal>#<n>, as “why” names it',
    'eine solche Handlung gibt es nicht: Ein Beleg gilt für <Meldung>#<n>, wie „why“ sie nennt',
  ],
];

export const OPERATING: readonly SentencePair[] = [...BACKUP, ...NOTES, ...POLICY, ...EVIDENCE, ...STACK, ...ROOMS];
