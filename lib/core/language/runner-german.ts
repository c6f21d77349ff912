/** Words of a runner about a job that it refused, ended or could not finish, in German. Pure. */
import type { SentencePair } from './sentence-speaker.ts';

export const RUNNER: readonly SentencePair[] = [
  // The bounds of a job.
  ['it took longer than {1} s', 'es dauerte länger als {1} s'],
  ['it used more processor time than it may', 'es brauchte mehr Rechenzeit, als es darf'],
  ['it wrote a larger file than it may', 'es schrieb eine größere Datei, als es darf'],
  ['it wrote more than {1} MB of output', 'es schrieb mehr als {1} MB Ausgabe'],
  ['it started more than {1} processes', 'es startete mehr als {1} Prozesse'],
  ['it used more than {1} MB of memory', 'es brauchte mehr als {1} MB Speicher'],
  ['it was stopped', 'es wurde angehalten'],
  ['it was ended', 'es wurde beendet'],
  ['the runner was ended', 'der Runner wurde beendet'],
  ['exit code {1}', 'Exit-Code {1}'],
  ['the sandbox did not start it: [1]', 'die Sandbox hat es nicht gestartet: [1]'],
  ['the sandbox ended early', 'die Sandbox endete zu früh'],
  ['it ran, but its changes are unknown: [1]', 'es lief, aber seine Änderungen sind unbekannt: [1]'],
  ['[… {1} bytes stayed on the machine …]', '[… {1} Bytes blieben auf dem Rechner …]'],
  [
    'the runner ended while it ran: look at what it did before you ask for it again',
    'der Runner endete, während es lief: erst nachsehen, was es tat, dann noch einmal darum bitten',
  ],
  ['the stack does not know this machine any more', 'dieser Rechner ist nicht mehr bekannt'],

  // Files.
  ['no answer', 'keine Antwort'],
  ['Wrote {1}: {2} bytes, SHA-256 {3}. It is new.', '{1} geschrieben: {2} Bytes, SHA-256 {3}. Sie ist neu.'],
  [
    'Wrote {1}: {2} bytes, SHA-256 {3}. The version before is kept on the machine.',
    '{1} geschrieben: {2} Bytes, SHA-256 {3}. Die Fassung davor bleibt auf dem Rechner.',
  ],
  ['it is not where its path was judged to lead', 'sie liegt nicht dort, wohin ihr Pfad bei der Prüfung führte'],
  ['it is no ordinary file', 'es ist keine gewöhnliche Datei'],
  [
    'it has a second name (a hard link), which may be anywhere',
    'sie hat einen zweiten Namen (einen Hardlink), der überall liegen kann',
  ],
  ['it is larger than {1} MB', 'sie ist größer als {1} MB'],
  ['it changed while it was being replaced', 'sie änderte sich, während sie ersetzt wurde'],
  ['it does not exist', 'es gibt sie nicht'],
  ['it may not be opened', 'sie darf nicht geöffnet werden'],
  ['it is a symbolic link', 'es ist ein symbolischer Link'],
  ['it is no folder', 'es ist kein Ordner'],
  ['it is a folder', 'es ist ein Ordner'],
  ['it may not be changed', 'sie darf nicht geändert werden'],
  ['the disk is full', 'die Platte ist voll'],
  ['the system refuses it ({1})', 'das System lehnt es ab ({1})'],
  ['this script does not know the operation', 'dieses Skript kennt den Vorgang nicht'],
  ['the file tool ended early', 'das Werkzeug für Dateien endete zu früh'],
  [
    'it is there already, and nobody read it before it was asked about: call read-file with its path and nothing else, then propose this again',
    'es gibt sie schon, und niemand hat sie vor der Frage gelesen',
  ],
  [
    'it was changed after it was read for this: call read-file with its path and nothing else, then propose this again',
    'sie wurde geändert, nachdem sie dafür gelesen wurde',
  ],
  ['it is not text in UTF-8', 'sie ist kein Text in UTF-8'],
  ['the text to replace is not in it', 'der Text zum Ersetzen steht nicht darin'],
  ['the text to replace is in it {1} times', 'der Text zum Ersetzen steht {1}-mal darin'],
  ['the file would not parse: [1]', 'die Datei wäre fehlerhaft: [1]'],
  [
    'whether the file would parse takes too long to find out',
    'ob die Datei fehlerfrei wäre, ließ sich nicht schnell genug feststellen',
  ],

  // Why a job is refused.
  [
    '{1} is no file of the skill, or another than was shown',
    '{1} ist keine Datei der Fähigkeit, oder eine andere als die gezeigte',
  ],
  ['files of skills are laid out on Linux only', 'Dateien von Fähigkeiten liegen nur auf Linux bereit'],
  ['the stack gave other bytes for {1} than the order names', 'zu {1} kamen andere Bytes, als die Aufgabe nennt'],
  ['a path is not in its one spelling', 'ein Pfad ist nicht eindeutig geschrieben'],
  ['[1]; nobody consented', '[1]; niemand hat zugestimmt'],
  [
    '[1]; only a yes to this very call answers that, and it came by a grant',
    '[1]; dazu gehört ein Ja zu genau diesem Aufruf, und er kam durch eine Erlaubnis',
  ],
  [
    'its path is a link to a file that a person is asked about each time: name that file itself',
    'der Pfad ist ein Link auf eine Datei, nach der jedes Mal gefragt wird: die Datei selbst nennen',
  ],
  [
    'a configuration of git here includes another, or cannot be read: it may name programs',
    'eine Konfiguration von git bindet hier eine andere ein, oder ist nicht lesbar: Sie nennt vielleicht Programme',
  ],
  [
    'a repository here names programs that git would run',
    'ein Repository hier nennt Programme, die git ausführen würde',
  ],
  [
    '{1} stands beside the file that was shown, and would run in its place',
    '{1} liegt neben der gezeigten Datei, und würde an ihrer Stelle laufen',
  ],
  [
    '{1} was changed after it was shown: ask for the command again',
    '{1} wurde geändert, nachdem es gezeigt war: noch einmal um den Befehl bitten',
  ],
  ['it is no file, or too large', 'es ist keine Datei, oder sie ist zu groß'],
  ['the disk of this machine is full: make room', 'die Platte dieses Rechners ist voll: Platz schaffen'],
  ['runner.yaml has a fault', 'runner.yaml hat einen Fehler'],
  ['runner.yaml has a fault in line {1}', 'runner.yaml hat einen Fehler in Zeile {1}'],
  ['it could not be judged: [1]', 'es ließ sich nicht prüfen: [1]'],
  [
    'it could not be judged: {1} cannot be searched for secrets ({2})',
    'es ließ sich nicht prüfen: {1} lässt sich nicht nach Geheimnissen durchsuchen ({2})',
  ],
  [
    'it could not be judged: {1} holds too many files to be searched for secrets: name folders in it',
    'es ließ sich nicht prüfen: {1} enthält zu viele Dateien, um sie nach Geheimnissen zu durchsuchen: Ordner darin nennen',
  ],
  ['it is for another runner', 'es ist für einen anderen Rechner'],
  ['it expired', 'es ist verfallen'],
  ['it expired before it could be taken', 'es verfiel, bevor es übernommen war'],
  [
    "it was made in the future: check this machine's clock",
    'es entstand in der Zukunft: die Uhr dieses Rechners prüfen',
  ],
  ['it is no call of a tool for this runner', 'es ist kein Aufruf eines Werkzeugs für diesen Rechner'],
  ['it is no order', 'es ist keine Aufgabe'],
  ['its signature is not that of the paired stack', 'die Unterschrift ist nicht die des gekoppelten Stacks'],
  ['it was accepted before', 'es wurde schon angenommen'],
  [
    '{1} cannot be searched for secrets: its name is no text in UTF-8',
    '{1} lässt sich nicht nach Geheimnissen durchsuchen: Der Name ist kein Text in UTF-8',
  ],
  ['{1} cannot be searched for secrets ({2})', '{1} lässt sich nicht nach Geheimnissen durchsuchen ({2})'],
  [
    '{1} holds too many files to be searched for secrets: name folders in it',
    '{1} enthält zu viele Dateien, um sie nach Geheimnissen zu durchsuchen: Ordner darin nennen',
  ],
  [
    'the folders hold more than {1} files of secrets: name smaller folders',
    'die Ordner enthalten mehr als {1} Dateien mit Geheimnissen: kleinere Ordner nennen',
  ],
  [
    'runner.yaml of the machine does not name all programs of this command: its owner writes "programs: any" there',
    'runner.yaml des Rechners nennt nicht alle Programme dieses Befehls: Sein Besitzer schreibt dort "programs: any"',
  ],
  [
    'runner.yaml of the machine does not name all programs of this command: its owner adds {1} to "programs" there, or writes "programs: any"',
    'runner.yaml des Rechners nennt nicht alle Programme dieses Befehls: Sein Besitzer fügt dort {1} zu "programs" hinzu, oder schreibt "programs: any"',
  ],
];
