/**
 * Sentences of `runner`, `mcp add`, `witness`, `skill`, `service`, `go-back`, `import`, `restore`
 * and the doctor's looks, in German. Pure.
 */
import type { SentencePair } from '../../lib/core/language/sentence-speaker.ts';

const RUNNER: readonly SentencePair[] = [
  [
    'this is no pairing code: copy the whole line again',
    'das ist kein Code zum Koppeln: die ganze Zeile noch einmal kopieren',
  ],
  [
    'the answer does not come from the stack that made the code: nothing was written here',
    'die Antwort kommt nicht von dem Stack, der den Code gemacht hat: Hier wurde nichts geschrieben',
  ],
  [
    '{1} names no folder: write down which ones orders may read or change',
    '{1} nennt keinen Ordner: hineinschreiben, welche sich lesen oder ändern lassen',
  ],
  ['{1} is paired with {2}', '{1} ist gekoppelt mit {2}'],
  ['key {1}, folder {2}', 'Schlüssel {1}, Ordner {2}'],
  ['sandbox: {1}', 'Sandbox: {1}'],
  ['reads: none', 'liest: nichts'],
  ['reads: {1}', 'liest: {1}'],
  ['changes: none', 'ändert: nichts'],
  ['changes: {1}', 'ändert: {1}'],
  [
    'programs beside those that only read: none; network: none',
    'Programme außer denen, die nur lesen: keine; Netz: nein',
  ],
  ['programs beside those that only read: none; network: yes', 'Programme außer denen, die nur lesen: keine; Netz: ja'],
  [
    'programs beside those that only read: any; network: none',
    'Programme außer denen, die nur lesen: jedes; Netz: nein',
  ],
  ['programs beside those that only read: any; network: yes', 'Programme außer denen, die nur lesen: jedes; Netz: ja'],
  ['programs beside those that only read: {1}; network: none', 'Programme außer denen, die nur lesen: {1}; Netz: nein'],
  ['programs beside those that only read: {1}; network: yes', 'Programme außer denen, die nur lesen: {1}; Netz: ja'],
  ['{1} s, {2} MB of memory, {3} processes', '{1} s, {2} MB Speicher, {3} Prozesse'],
  ['the runner {1} is at work already, in the process {2}', 'der Runner {1} läuft schon, im Prozess {2}'],
  ['runner {1}: {2}, {3}', 'Runner {1}: {2}, {3}'],
  ['paused: /runners resume {1} lets it take orders', 'pausiert: /runners resume {1} lässt ihn weitermachen'],
  ['ready: waiting for orders as {1}', 'bereit: wartet auf Aufgaben als {1}'],
  ['[1]. Trying again in {2} s.', '[1]. Nächster Versuch in {2} s.'],
  [
    'stopped; the stack did not hear of it, and may call this machine ready for five minutes',
    'angehalten; der Stack erfuhr nichts davon, und nennt diesen Rechner vielleicht noch fünf Minuten lang bereit',
  ],
  ['a message was ignored: [1]', 'eine Nachricht wurde übergangen: [1]'],
  ['{1}: the stack did not take the result', '{1}: das Ergebnis wurde nicht angenommen'],
  ['the stack names a queue outside AWS', 'der Stack nennt eine Warteschlange außerhalb von AWS'],
  [
    'the address of the stack must begin with https:// (http:// only on this machine)',
    'die Adresse des Stacks muss mit https:// beginnen (http:// nur auf diesem Rechner)',
  ],
  ['The stack at {1} did not answer', 'Unter {1} antwortete nichts'],
  ['The stack at {1} did not answer.', 'Unter {1} antwortete nichts.'],
  ['The stack at {1} did not answer ({2})', 'Unter {1} antwortete nichts ({2})'],
  ['The stack at {1} did not answer ({2}).', 'Unter {1} antwortete nichts ({2}).'],
  ['No stack answers at {1} ({2})', 'Unter {1} antwortet kein Stack ({2})'],
  ['No stack answers at {1} ({2}).', 'Unter {1} antwortet kein Stack ({2}).'],
  ['the stack refuses it ({1}): [2]', 'der Stack lehnt es ab ({1}): [2]'],
  [
    'no runner is paired on this machine: begin with npx passepartout runners pair <name>',
    'auf diesem Rechner ist kein Runner gekoppelt: beginnen mit npx passepartout runners pair <name>',
  ],
  ['name the runner: {1}', 'den Runner nennen: {1}'],
  ['no runner {1} is here, only {2}', 'einen Runner {1} gibt es hier nicht, nur {2}'],
  [
    '{1} has more than {2} MiB: keep a copy for "verify --runner", remove this runner, and pair the machine again',
    '{1} hat mehr als {2} MiB: eine Kopie für "verify --runner" behalten, diesen Runner entfernen, und den Rechner neu koppeln',
  ],
  ['{1}: claimed', '{1}: begonnen'],
  ['{1}: done', '{1}: erledigt'],
  ['{1}: failed', '{1}: gescheitert'],
  ['{1}: refused', '{1}: abgelehnt'],
  ['{1}: unknown', '{1}: ungewiss'],
  ['{1}: done, [2]', '{1}: erledigt, [2]'],
  ['{1}: refused, [2]', '{1}: abgelehnt, [2]'],
  ['{1}: failed, [2]', '{1}: gescheitert, [2]'],
  ['{1}: unknown, [2]', '{1}: ungewiss, [2]'],
  ['{1}: not taken, [2]', '{1}: nicht übernommen, [2]'],

  // The sandbox and the allow-file.
  [
    'There is no sandbox on this machine. Install bubblewrap 0.8 or newer: `apt install bubblewrap`, `dnf install bubblewrap`.',
    'Auf diesem Rechner gibt es keine Sandbox. bubblewrap 0.8 oder neuer installieren: `apt install bubblewrap`, `dnf install bubblewrap`.',
  ],
  [
    'Bubblewrap {1} is too old. Install bubblewrap 0.8 or newer: `apt install bubblewrap`, `dnf install bubblewrap`.',
    'Bubblewrap {1} ist zu alt. bubblewrap 0.8 oder neuer installieren: `apt install bubblewrap`, `dnf install bubblewrap`.',
  ],
  [
    'There is no sandbox for the processor {1}. Use x64 or arm64.',
    'Für den Prozessor {1} gibt es keine Sandbox. Nur x64 oder arm64 geht.',
  ],
  [
    'Bubblewrap does not work here: [1]. This system may forbid user namespaces (on Ubuntu: an AppArmor profile for bwrap allows them).',
    'Bubblewrap geht hier nicht: [1]. Vielleicht verbietet dieses System Namensräume von Benutzern (auf Ubuntu erlaubt sie ein AppArmor-Profil für bwrap).',
  ],
  ['a trial command failed', 'ein Versuch ist gescheitert'],
  [
    'There is no sandbox for {1}. Use Linux, WSL 2 or macOS.',
    'Für {1} gibt es keine Sandbox. Nur Linux, WSL 2 oder macOS geht.',
  ],
  [
    'There is no sandbox on this machine: {1} is missing, which is a part of macOS.',
    'Auf diesem Rechner gibt es keine Sandbox: {1} fehlt, das zu macOS gehört.',
  ],
  ['it is longer than 64 KiB', 'sie ist länger als 64 KiB'],
  ['{1} give a size such as 16MB', '{1}: eine Größe angeben wie 16MB'],
  ['{1} give a time such as 5m', '{1}: eine Dauer angeben wie 5m'],
  [
    '{1} give a name, a name and a subcommand, or the path of a program',
    '{1}: einen Namen angeben, einen Namen und einen Unterbefehl, oder den Pfad eines Programms',
  ],
  ['{1}: no folder above holds this program', '{1}: kein Ordner oben enthält dieses Programm'],
  ['an order may take 30m at most', 'eine Aufgabe darf höchstens 30m dauern'],
  ['no program runs with less than 64MB', 'kein Programm läuft mit weniger als 64MB'],
  ['{1}: give the whole path, or one that begins with ~/', '{1}: den ganzen Pfad angeben, oder einen ab ~/'],
  ['{1}: this is no path', '{1}: das ist kein Pfad'],
  ['{1}: this is a folder of the system', '{1}: das ist ein Ordner des Systems'],
  [
    '{1}: this holds your whole home folder: name folders in it',
    '{1}: das enthält das ganze Benutzerverzeichnis: Ordner darin nennen',
  ],
  ['{1}: this folder does not exist', '{1}: diesen Ordner gibt es nicht'],
  ['{1}: this is no folder', '{1}: das ist kein Ordner'],
  ['{1}: this leads through a symbolic link: name {2}', '{1}: das führt durch einen symbolischen Link: {2} nennen'],
  ["{1}: this is the runner's own folder", '{1}: das ist der Ordner des Runners selbst'],
  [
    '{1}: this holds programs of the runner itself: orders may not change them',
    '{1}: das enthält Programme des Runners selbst: Keine Aufgabe darf sie ändern',
  ],
];

const MACHINE_SERVERS: readonly SentencePair[] = [
  // `mcp add` and `mcp remove`.
  ['This machine is the runner {1} now.', 'Dieser Rechner ist jetzt der Runner {1}.'],
  ['fetching {1} with npm…', 'hole {1} mit npm…'],
  [
    'npm fetched {1} and ran none of its scripts. It is not fetched again by itself.',
    'npm hat {1} geholt und keines seiner Skripte ausgeführt. Von selbst wird es nicht noch einmal geholt.',
  ],
  ['starting the server in its sandbox…', 'starte den Server in seiner Sandbox…'],
  [
    'It starts in a sandbox, reads {1}, changes {2}, and reaches {3}.',
    'Er startet in einer Sandbox, liest: {1}, ändert: {2}, erreicht: {3}.',
  ],
  ['nothing', 'nichts'],
  ['To let it change a folder: --write <folder>', 'Damit er einen Ordner ändern darf: --write <folder>'],
  ['It stands in {1}; nobody else can change that.', 'Er steht in {1}; niemand sonst kann das ändern.'],
  [
    'So that calls reach it: npx passepartout runner start {1}',
    'Damit Aufrufe ankommen: npx passepartout runner start {1}',
  ],
  [
    'Let exactly these tools in? Each call asks you. [y/N] ',
    'Genau diese Werkzeuge einlassen? Jeder Aufruf fragt. [y/N] ',
  ],
  ['{1} is gone from {2} too.', '{1} steht auch in {2} nicht mehr.'],
  ['--env takes NAME=value', '--env nimmt NAME=Wert'],
  ['first: npx passepartout runner secret {1} {2}', 'zuerst: npx passepartout runner secret {1} {2}'],
  ['it offers no tool that can be used', 'er bietet kein Werkzeug, das brauchbar ist'],
  ['no server {1} was written down', 'kein Server {1} ist eingetragen'],
  [
    'behind npx stand -y, the name of a package, and its arguments',
    'hinter npx stehen -y, der Name eines Pakets und dessen Argumente',
  ],
  ['npm could not fetch {1}: [2]', 'npm konnte {1} nicht holen: [2]'],
  ['npm cannot be started', 'npm lässt sich nicht starten'],
  // `runner`.
  ['Value of {1}, which is not shown:', 'Wert von {1}, der nicht gezeigt wird:'],
  ['a secret is not empty', 'ein Geheimnis ist nicht leer'],
  [
    '{1} is kept on this machine, for the server {2} alone.',
    '{1} liegt auf diesem Rechner, allein für den Server {2}.',
  ],
  ['server {1}: reads {2}; changes {3}; reaches {4}', 'Server {1}: liest {2}; ändert {3}; erreicht {4}'],
  ['{1}: {2} tools', '{1}: {2} Werkzeuge'],
  ['{1} give a host, as in api.example.com', '{1}: einen Host angeben wie api.example.com'],
  ['{1} give the name of a variable, as in API_TOKEN', '{1}: den Namen einer Variablen angeben wie API_TOKEN'],
  ['give a host, as in api.example.com', 'einen Host angeben wie api.example.com'],
  ['give the name of a variable, as in API_TOKEN', 'den Namen einer Variablen angeben wie API_TOKEN'],
  ['give one lower-case word', 'ein Wort in kleinen Buchstaben angeben'],
  ['there may be {1} servers', 'höchstens {1} Server'],
  ['{1} give one lower-case word', '{1}: ein Wort in kleinen Buchstaben angeben'],
  ['{1} there may be {2} servers', '{1}: höchstens {2} Server'],
  // The help.
  [
    'ask a server which tools it offers, and show them; behind -- stands one that this machine starts',
    'einen Server fragen, welche Werkzeuge er anbietet, und sie zeigen; hinter -- steht einer, den dieser Rechner startet',
  ],
  ['the server may read it', 'der Server darf ihn lesen'],
  ['the server may read and change it', 'der Server darf ihn lesen und ändern'],
  ['the server may reach it, by https', 'der Server darf ihn erreichen, über https'],
  ["a secret of this machine's that it gets", 'ein Geheimnis dieses Rechners, das er bekommt'],
  ['a variable that it gets', 'eine Variable, die er bekommt'],
  ['the runner of that name, if several are paired here', 'der Runner dieses Namens, wenn hier mehrere gekoppelt sind'],
  // `doctor`.
  ['[1] starts, and offers {2} tools', '[1] startet und bietet {2} Werkzeuge'],
  ['{1} on the machine {2}: [3]', '{1} auf dem Rechner {2}: [3]'],
  [
    'mend runner.yaml, or npx passepartout mcp add again (lib/features/mcp/README.md)',
    'runner.yaml berichtigen, oder noch einmal npx passepartout mcp add (lib/features/mcp/README.md)',
  ],
];

const WITNESS: readonly SentencePair[] = [
  ['it needs --log', 'dazu gehört --log'],
  ['cosigns {1} at {2}', 'unterschreibt {1} mit, unter {2}'],
  ["for the log's owner: WITNESSES={1}", 'für den Besitzer des Protokolls: WITNESSES={1}'],
  ['{1} cannot be read: put a copy of it back', '{1} ist nicht lesbar: eine Kopie davon zurücklegen'],
  ['a signing key is made of 32 bytes', 'ein Schlüssel zum Unterschreiben hat 32 Bytes'],
  ['this is not a signing key of Ed25519', 'das ist kein Ed25519-Schlüssel zum Unterschreiben'],
  [
    'a signing key has another id than its name and bytes',
    'die Kennung eines Schlüssels zum Unterschreiben passt nicht zu ihm',
  ],
];

const SKILL: readonly SentencePair[] = [
  ['made {1} and {2}', '{1} und {2} sind angelegt'],
  ['{1}: [2], {3} bytes, version {4}', '{1}: [2], {3} Bytes, Fassung {4}'],
  ['priority {1}, tier {2}, [3]', 'Vorrang {1}, Stufe {2}, [3]'],
  ['left out: {1} (hidden)', 'ausgelassen: {1} (versteckt)'],
  ['left out: {1} (a device)', 'ausgelassen: {1} (ein Gerät)'],
  ['left out: {1} ({2} bytes: too large)', 'ausgelassen: {1} ({2} Bytes: zu groß)'],
  ['left out: {1} (its name is not plain: rename it)', 'ausgelassen: {1} (der Name ist nicht einfach: umbenennen)'],
  ['left out: {1} (a link out of the folder)', 'ausgelassen: {1} (ein Link aus dem Ordner hinaus)'],
  ['left out: {1} (a link to a folder)', 'ausgelassen: {1} (ein Link auf einen Ordner)'],
  ['left out: {1} (a link that leads nowhere)', 'ausgelassen: {1} (ein Link ins Nichts)'],
  [
    'it holds a character that nobody sees: {1}; you and the agent are shown it so',
    'sie enthält ein Zeichen, das niemand sieht: {1}; so wird es gezeigt, hier und dem Agenten',
  ],
  [
    'it is longer than {1} bytes: kept as a file for a machine, which only commands there read',
    'sie ist länger als {1} Bytes: behalten als Datei für einen Rechner, die nur Befehle dort lesen',
  ],
  [
    'it is no text in UTF-8: kept as a file for a machine, which only commands there read',
    'sie ist kein Text in UTF-8: behalten als Datei für einen Rechner, die nur Befehle dort lesen',
  ],
  [
    'left out: {1} ({2} bytes, and a file for a machine has at most {3})',
    'ausgelassen: {1} ({2} Bytes, und eine Datei für einen Rechner hat höchstens {3})',
  ],
  [
    'left out: {1} ({2} bytes, and all files for a machine have at most {3} together)',
    'ausgelassen: {1} ({2} Bytes, und alle Dateien für einen Rechner haben zusammen höchstens {3})',
  ],
  [
    'the folder holds more than {1} files: it is no skill',
    'der Ordner enthält mehr als {1} Dateien: Das ist keine Fähigkeit',
  ],
  ['the folder {1} cannot be read', 'der Ordner {1} ist nicht lesbar'],
];

const SERVICE: readonly SentencePair[] = [
  ['{1} says: {2}', '{1} sagt: {2}'],
  ['{1} is written.', '{1} ist geschrieben.'],
];

const GO_BACK: readonly SentencePair[] = [
  [
    'the stack has no output {1}: it was deployed by a release that keeps no versions',
    'der Stack nennt kein {1}: Er kam von einer Version, die keine Fassungen behält',
  ],
  [
    'deploy the earlier commit instead: git checkout <commit> && npm ci && npm run deploy',
    'stattdessen den früheren Commit deployen: git checkout <commit> && npm ci && npm run deploy',
  ],
  ['CloudFormation has not ended in time: {1}', 'CloudFormation kam nicht rechtzeitig zu Ende: {1}'],
  ['look at the stack', 'den Stack ansehen'],
  ['CloudFormation ended with {1}', 'CloudFormation endete mit {1}'],
  ['CloudFormation ended with {1}: {2}', 'CloudFormation endete mit {1}: {2}'],
  ['the events of the stack say which resource failed', 'die Ereignisse des Stacks sagen, was gescheitert ist'],
  ['Another go-back is running.', 'Ein anderes go-back läuft.'],
  ['The other go-back is done.', 'Das andere go-back ist fertig.'],
  ['A deploy is running. It is taken back as a whole.', 'Ein Deployment läuft. Es wird ganz zurückgenommen.'],
  [
    'The deploy was taken back: everything is as it was before it.',
    'Das Deployment ist zurückgenommen: Alles ist wie davor.',
  ],
  [
    'the stack was deployed by a release that cannot go back by this command',
    'der Stack kam von einer Version, die mit diesem Befehl nicht zurück kann',
  ],
  ['the stack is back on an earlier release already', 'der Stack ist schon auf einer früheren Version'],
  ['the last deploy was taken back already', 'das letzte Deployment ist schon zurückgenommen'],
  [
    'to go further back, name the release: go-back <release>',
    'weiter zurück geht es mit dem Namen der Version: go-back <release>',
  ],
  [
    'the data is of version {1}, and release {2} reads at most version {3}',
    'die Daten haben Fassung {1}, und Version {2} liest höchstens Fassung {3}',
  ],
  [
    'go forward with a newer release, or restore the table to a time before the upgrade (infra/features/backup/README.md)',
    'mit einer neueren Version weitergehen, oder die Tabelle auf eine Zeit vor dem Wechsel zurücksetzen (infra/features/backup/README.md)',
  ],
  ['All functions go to release {1} of {2}:', 'Alle Funktionen gehen auf Version {1} vom {2}:'],
  ['  {1} version {2} stays: it is new', '  {1} Fassung {2} bleibt: Sie ist neu'],
  ['  {1} version {2} → {3}', '  {1} Fassung {2} → {3}'],
  ['these functions did not change: {1}', 'diese Funktionen haben sich nicht geändert: {1}'],
  ['go-back needs --stack <name>', 'go-back braucht --stack <name>'],
  [
    'on your machine: stop, git checkout <commit>, npm ci, npm start',
    'auf dem eigenen Rechner: beenden, git checkout <commit>, npm ci, npm start',
  ],
  [
    'Done: every function runs release {1}. The next deploy moves forward.',
    'Fertig: Jede Funktion läuft mit Version {1}. Das nächste Deployment geht weiter.',
  ],
  [
    'version {1} of a function does not say of which release it is',
    'Fassung {1} einer Funktion sagt nicht, von welcher Version sie ist',
  ],
  ['there is no release before {1}', 'vor {1} gibt es keine Version'],
  ['there is no release {1} besides the one in use, {2}', 'eine Version {1} gibt es nicht neben der in Gebrauch, {2}'],
  ['other releases that are kept: none', 'andere Versionen, die es noch gibt: keine'],
  ['other releases that are kept: {1}', 'andere Versionen, die es noch gibt: {1}'],
  ['the stack names no functions', 'der Stack nennt keine Funktionen'],
];

/** Remarks on notes that are read from files, behind file and line. */
const IMPORT: readonly SentencePair[] = [
  ['a link out of the folder is not followed', 'einem Link aus dem Ordner hinaus wird nicht gefolgt'],
  ['a link that leads nowhere', 'ein Link ins Nichts'],
  ['a folder too deep inside folders', 'ein Ordner, der zu tief liegt'],
  ['cannot be read', 'ist nicht lesbar'],
  ['a place where secrets live is not read', 'ein Ort für Geheimnisse wird nicht gelesen'],
  ['more than {1} files: not read', 'mehr als {1} Dateien: nicht gelesen'],
  [
    'it is not UTF-8 and is read as Windows-1252: save it as UTF-8 if letters are wrong',
    'sie ist kein UTF-8 und gilt als Windows-1252: als UTF-8 speichern, wenn Buchstaben falsch sind',
  ],
  [
    'bytes that are no UTF-8 are shown as \ufffd: save the file as UTF-8 and import it again',
    'Bytes, die kein UTF-8 sind, stehen als \ufffd da: als UTF-8 speichern und noch einmal aufnehmen',
  ],
  ['not a file any more', 'keine Datei mehr'],
  ['{1} bytes, more than the {2} one file may have: split it', '{1} Bytes, mehr als die {2} einer Datei: aufteilen'],
  ['{1} is a template and is kept as it is written', '{1} ist eine Vorlage und bleibt, wie sie dasteht'],
  [
    'a name is given twice in the front matter, which is kept as text: give it another',
    'im Kopf der Notiz steht ein Name doppelt, und der Kopf bleibt Text: einen anderen Namen wählen',
  ],
  [
    'front matter that is no list of names and values is kept as text: give each value a name',
    'ein Kopf ohne Liste von Namen und Werten bleibt Text: jedem Wert einen Namen geben',
  ],
  [
    'front matter that refers to itself is kept as text: write its values out',
    'ein Kopf, der auf sich selbst verweist, bleibt Text: die Werte ausschreiben',
  ],
  [
    '{1} is no plain YAML and is kept as one text: put it in quotes',
    '{1} ist kein einfaches YAML und bleibt ein Text: in Anführungszeichen setzen',
  ],
  [
    'front matter that is not YAML is kept as text: mend this line',
    'ein Kopf, der kein YAML ist, bleibt Text: diese Zeile berichtigen',
  ],
  [
    'front matter in TOML with more than names and values is kept as text: write it in YAML',
    'ein Kopf in TOML mit mehr als Namen und Werten bleibt Text: in YAML schreiben',
  ],
  [
    'front matter that never ends is read to line {1}: write a line "---" below it',
    'ein Kopf ohne Ende ist bis Zeile {1} gelesen: darunter eine Zeile "---" schreiben',
  ],
  [
    'nested too deeply to be read: give this line fewer levels',
    'zu tief verschachtelt: dieser Zeile weniger Ebenen geben',
  ],
  [
    'more than {1} quotes and underlined headings: split the file',
    'mehr als {1} Zitate und unterstrichene Überschriften: die Datei aufteilen',
  ],
  [
    'a property drawer that is not closed, or holds more than properties: kept as text',
    'ein Block mit Eigenschaften, der nicht geschlossen ist oder anderes enthält: bleibt Text',
  ],
  ['cannot be taken apart', 'lässt sich nicht zerlegen'],
  [
    'an id that another file has too: kept as a note of its own',
    'eine Kennung, die auch eine andere Datei hat: bleibt eine eigene Notiz',
  ],
  [
    '{1} characters in a title, more than {2}: its beginning is the title, and all of it stands in the text',
    '{1} Zeichen im Titel, mehr als {2}: Der Anfang ist der Titel, und alles steht im Text',
  ],
  [
    'a tag of {1} characters is too long: it stands in the text',
    'ein Stichwort mit {1} Zeichen ist zu lang: Es steht im Text',
  ],
  ['the property {1} is too long: it stands in the text', 'die Eigenschaft {1} ist zu lang: Sie steht im Text'],
  ['{1} properties, more than {2}: split the note', '{1} Eigenschaften, mehr als {2}: die Notiz aufteilen'],
  ['{1} tags, more than {2}: split the note', '{1} Stichwörter, mehr als {2}: die Notiz aufteilen'],
  ['{1} children, more than {2}: split the note', '{1} Notizen darunter, mehr als {2}: die Notiz aufteilen'],
  [
    '{1} values of a property, more than {2}: split the note',
    '{1} Werte einer Eigenschaft, mehr als {2}: die Notiz aufteilen',
  ],
  ['{1} characters, more than {2}: split the note', '{1} Zeichen, mehr als {2}: die Notiz aufteilen'],
  ['the same id twice: the second is kept by its place', 'zweimal dieselbe Kennung: Die zweite gilt nach ihrem Ort'],
  ['deeper than {1} levels: kept on the last one', 'tiefer als {1} Ebenen: bleibt auf der letzten'],
  ['memory is larger than the stack can list', 'das Gedächtnis ist größer, als sich auflisten lässt'],
  ['it is still on its way: npx passepartout why {1}', 'es ist noch unterwegs: npx passepartout why {1}'],
  ['its tree takes {1} requests, more than {2}: split it', 'sie braucht {1} Anfragen, mehr als {2}: aufteilen'],
  [
    'one of its notes takes more than the {1} bytes that go in at once: split it',
    'eine ihrer Notizen hat mehr als die {1} Bytes, die auf einmal gehen: aufteilen',
  ],
];

/** Faults of a copy, and what a restore does about them. */
const RESTORE: readonly SentencePair[] = [
  ['memory object {1}, version {2}: its hash is not its own', 'Notiz {1}, Fassung {2}: Die Prüfsumme ist nicht ihre'],
  [
    'memory object {1}, version {2}: commit {3} names another hash',
    'Notiz {1}, Fassung {2}: Der Commit {3} nennt eine andere Prüfsumme',
  ],
  ['memory has {1} commits, and its head names {2}', 'das Gedächtnis hat {1} Commits, und seine Spitze nennt {2}'],
  ['{1} objects of memory', '{1} Notizen'],
  ['memory object {1} lists {2} with another hash', 'Notiz {1} nennt {2} mit einer anderen Prüfsumme'],
  ['the head of the log is not at its end', 'die Spitze des Protokolls ist nicht an seinem Ende'],
  ['the head of the log: [1]', 'die Spitze des Protokolls: [1]'],
  [
    'decision {1}: its action {2} is not the one that its hash names',
    'Entscheidung {1}: Ihre Handlung {2} ist nicht die der Prüfsumme',
  ],
  [
    'an approval of {1}: its action is not the one that its hash names',
    'eine Freigabe von {1}: Ihre Handlung ist nicht die der Prüfsumme',
  ],
  [
    "signal {1}: it is not what its decision's leaf in the log says",
    'Meldung {1}: Sie ist nicht, was das Blatt ihrer Entscheidung im Protokoll sagt',
  ],
  ['{1} {2}: its mark is not that of its leaf', '{1} {2}: Der Vermerk ist nicht der des Blatts'],
  [
    'signal {1}: it stands elsewhere in the list of messages',
    'Meldung {1}: Sie steht anderswo in der Liste der Nachrichten',
  ],
  ['{1}: the log has no leaf of it', '{1}: Im Protokoll gibt es kein Blatt dazu'],
  ['{1}: it is not what its newest leaf in the log says', '{1}: ist nicht, was das neueste Blatt im Protokoll sagt'],
  ['{1}: the log has a leaf of it, and it is not there', '{1}: Das Protokoll hat ein Blatt dazu, und es fehlt'],
  ['the log has no leaf of it', 'im Protokoll gibt es kein Blatt dazu'],
  ['it is not what its newest leaf in the log says', 'ist nicht, was das neueste Blatt im Protokoll sagt'],
  ['the log has a leaf of it, and it is not there', 'das Protokoll hat ein Blatt dazu, und es fehlt'],
  ['its mark is not that of its leaf', 'der Vermerk ist nicht der des Blatts'],
  ['{1}: it has no leaf yet', '{1}: hat noch kein Blatt'],
  ['{1}: it is not what the log says', '{1}: ist nicht, was das Protokoll sagt'],
  ['{1}: the log does not say yet how it changed', '{1}: Das Protokoll sagt noch nicht, wie es sich änderte'],
  ['{1}: it is being forgotten, or was erased', '{1}: wird gerade vergessen, oder ist gelöscht'],
  // The file of a backup.
  ['{1}: it has more files than a backup holds', '{1}: sie hat mehr Dateien, als eine Sicherung fasst'],
  [
    '{1}: it has a file that is larger than any message brings',
    '{1}: sie hat eine Datei, größer als in jeder Nachricht',
  ],
  ['{1}: it has a file that is not what its name says', '{1}: sie hat eine Datei, die nicht ist, was ihr Name sagt'],
  [
    '{1}: it has files, and the stack names no bucket for them: deploy this release first',
    '{1}: sie hat Dateien, und der Stack nennt keinen Ort dafür: erst diese Version deployen',
  ],
  ['{1}: it holds no space {2}', '{1}: einen Bereich {2} hat sie nicht'],
  [
    '{1}: it is of a newer release: its data is of version {2}',
    '{1}: sie ist von einer neueren Version: Ihre Daten haben Fassung {2}',
  ],
  [
    '{1}: it is of a newer release: its data is of version {2}, and this release reads {3}',
    '{1}: sie ist von einer neueren Version: Ihre Daten haben Fassung {2}, und diese liest {3}',
  ],
  ['a restore of another file was begun here', 'hier wurde schon begonnen, eine andere Datei einzuspielen'],
  ['the table has items already', 'die Tabelle enthält schon etwas'],
  ['{1}: it has an item of no known kind, {2}', '{1}: sie hat einen Eintrag unbekannter Art, {2}'],
  ['{1}: it has an item in a list of others: {2}', '{1}: sie hat einen Eintrag in einer fremden Liste: {2}'],
  ['{1}: it has an approval of another space', '{1}: sie hat eine Freigabe eines anderen Bereichs'],
  [
    '{1}: it has an approval in force that no list has',
    '{1}: sie hat eine gültige Freigabe, die in keiner Liste steht',
  ],
  [
    '{1}: it has a message under way that no list has',
    '{1}: sie hat eine Nachricht unterwegs, die in keiner Liste steht',
  ],
  ['{1}: it has a run under way that no list has', '{1}: sie hat einen laufenden Lauf, der in keiner Liste steht'],
  [
    '{1}: it has a message that the list of messages lacks',
    '{1}: sie hat eine Nachricht, die in der Liste der Nachrichten fehlt',
  ],
  ['{1}: it lacks items', '{1}: es fehlen Einträge'],
  ['{1}: it has the item {2} twice', '{1}: sie hat den Eintrag {2} doppelt'],
  ['the file holds no table', 'die Datei enthält keine Tabelle'],
  // Signals that nothing proves.
  [
    'it came out of a backup, and nothing proves who said it: say it again',
    'es kam aus einer Sicherung, und nichts beweist, wer es sagte: noch einmal sagen',
  ],
  [
    'the table is an older copy: nothing proves its steps',
    'die Tabelle ist eine ältere Kopie: Nichts beweist seine Schritte',
  ],
  [
    '{1} of {2} was under way, and is left out: nothing proves who said it',
    '{1} von {2} war unterwegs, und entfällt: Nichts beweist, wer es sagte',
  ],
  [
    'a run of the runbook {1}, begun by {2}, was under way, and is stopped',
    'ein Lauf des Runbooks {1}, begonnen von {2}, war unterwegs, und ist angehalten',
  ],
  ['{1} more were under way, and ended', '{1} weitere waren unterwegs, und sind beendet'],
  [
    'not proven: {1} messages, which count as text from outside',
    'nicht bewiesen: {1} Nachrichten, die als Text von außen gelten',
  ],
  [
    'not proven: answers in {1} turns, which count as text from outside',
    'nicht bewiesen: Antworten in {1} Aufgaben, die als Text von außen gelten',
  ],
  ['left out, for nothing proves it: {1}', 'ausgelassen, weil nichts es beweist: {1}'],
];

/** The things that each rule keeps from passing, as `gates list` says it. */
const GATES: readonly SentencePair[] = [
  [
    'everything but fixed notices while the space is stopped',
    'alles außer festen Hinweisen, solange alles angehalten ist',
  ],
  [
    'everything but fixed notices in a conversation with too many blocked actions or approvals',
    'alles außer festen Hinweisen in einem Gespräch mit zu vielen verbotenen Handlungen oder offenen Freigaben',
  ],
  [
    'unknown and denied tools and targets; asks where the tier says so',
    'unbekannte und verbotene Werkzeuge und Ziele; fragt, wo die Stufe es sagt',
  ],
  [
    'tools that are not for whoever began the turn; memory in chats not named for it; asks before a group reads it',
    'Werkzeuge, die nicht für den sind, der gefragt hat; Gedächtnis in Chats ohne Freigabe dafür; fragt, bevor eine Gruppe darin liest',
  ],
  ['actions the model gives no reason of its own for', 'Handlungen, für die das Modell keinen eigenen Grund nennt'],
  [
    'nothing; asks about changes to the agent itself, notes large calls and empty explanations',
    'nichts; fragt bei Änderungen am Agenten selbst, vermerkt große Aufrufe und leere Begründungen',
  ],
  ['effects that cost more than a cap has left', 'was mehr kostet, als eine Grenze noch übrig hat'],
  [
    'files and declared code (JSON, YAML, JavaScript, TypeScript, Cedar) that do not parse',
    'Dateien und Code (JSON, YAML, JavaScript, TypeScript, Cedar), die fehlerhaft wären',
  ],
  ['values of the secrets this deployment holds', 'Werte der Geheimnisse, die hier eingerichtet sind'],
  [
    'changes of rights made from outside text; asks before data or rights are changed, and if models do not agree',
    'Änderungen von Rechten aufgrund von Text von außen; fragt, bevor Daten oder Rechte sich ändern, und wenn Modelle uneins sind',
  ],
  [
    'webhooks to unconfigured, unencrypted or non-public addresses; URLs of disguised or inside hosts',
    'Webhooks an Adressen, die nicht eingerichtet, nicht verschlüsselt oder nicht öffentlich sind; Adressen getarnter oder innerer Hosts',
  ],
  ['what is marked private from leaving the space', 'dass als privat Markiertes hinausgeht'],
  ['whatever has the form of a key, token or password', 'alles in der Form eines Schlüssels, Tokens oder Passworts'],
  [
    'reading and writing files that hold secrets, however their path is spelled',
    'Lesen und Schreiben von Dateien mit Geheimnissen, wie auch immer ihr Pfad geschrieben ist',
  ],
  [
    'paths outside the folders that a runner names; unknown or paused runners; asks to change files that programs run',
    'Pfade außerhalb der Ordner, die ein Rechner nennt; unbekannte oder pausierte Rechner; fragt vor Änderungen an Dateien, die Programme ausführen',
  ],
  ['characters that nobody sees, in texts and arguments', 'Zeichen, die niemand sieht, in Texten und Angaben'],
  [
    'links in texts made from outside text, but the one listed; asks before such text leaves the space',
    'Links in Texten, die aus Text von außen entstanden, bis auf den erlaubten; fragt, bevor solcher Text hinausgeht',
  ],
  ['malformed, ambiguous and oversized actions', 'fehlerhafte, mehrdeutige und zu große Handlungen'],
  [
    'commands that leave a machine without network; asks about those that destroy, leave or run unseen code',
    'Befehle, die einen Rechner ohne Netz verlassen; fragt bei solchen, die zerstören, den Rechner verlassen oder ungesehenen Code ausführen',
  ],
  ['shell commands that nobody looked into', 'Shell-Befehle, die niemand geprüft hat'],
  ['arguments that do not fit the tool', 'Angaben, die nicht zum Werkzeug passen'],
  [
    'what the gates refused or a person denied before, proposed again',
    'was die Regeln oder ein Mensch schon abgelehnt haben, noch einmal vorgeschlagen',
  ],
];

/** Reasons why the evidence log stands still, or a record has no leaf yet. */
const LOG: readonly SentencePair[] = [
  ['its last tile holds {1} entries, and should {2}', 'seine letzte Kachel hat {1} Einträge, und sollte {2} haben'],
  [
    'its last entries are not those its head commits to',
    'seine letzten Einträge sind nicht die, die seine Spitze nennt',
  ],
  ['its last entries are missing', 'seine letzten Einträge fehlen'],
  ['the {1} {2} is not what the log says', '{1} {2} ist nicht, was das Protokoll sagt'],
  ['entry {1} is missing before it', 'davor fehlt der Eintrag {1}'],
  ['waiting: {1} records are under way', 'es wartet: {1} Einträge sind unterwegs'],
  [
    'LOG_SIGNING_KEY is not the key that signed this log so far: give that one as LOG_SIGNING_KEY_PREVIOUS (on your machine: put tokens.json back, or restore a backup, which has it)',
    'LOG_SIGNING_KEY ist nicht der Schlüssel, der dieses Protokoll bisher unterschrieb: diesen als LOG_SIGNING_KEY_PREVIOUS angeben (auf dem eigenen Rechner: tokens.json zurücklegen, oder eine Sicherung einspielen, die ihn hat)',
  ],
];

/** A machine's journal beside the log. */
const JOURNAL: readonly SentencePair[] = [
  ['DIFFERENT: {1}', 'VERSCHIEDEN: {1}'],
  ['{1}: the journal has two different lines of its [2]', '{1}: Im Journal stehen zwei verschiedene Zeilen dazu: [2]'],
  ['{1}: the machine never signed the [2] in the log', '{1}: Das im Protokoll hat der Rechner nie unterschrieben: [2]'],
  ['{1}: the [2] in the log is not the one in the journal', '{1}: Im Protokoll steht anderes als im Journal: [2]'],
  [
    '{1}: the machine took it, and may have been ended before it wrote that down',
    '{1}: Der Rechner hat es übernommen, und endete vielleicht, bevor er das aufschrieb',
  ],
  [
    '{1}: the machine says {2}; the log says that it is still under way',
    '{1}: Der Rechner sagt {2}; laut Protokoll ist es noch unterwegs',
  ],
  [
    '{1}: it ended on the machine ({2}), and the log has no such job',
    '{1}: Auf dem Rechner ist es zu Ende ({2}), und im Protokoll gibt es keine solche Aufgabe',
  ],
  [
    '{1}: the machine says {2}; its word came too late for the log',
    '{1}: Der Rechner sagt {2}; das kam zu spät für das Protokoll',
  ],
  [
    '{1}: it ended on the machine ({2}), and the log has no result of it',
    '{1}: Auf dem Rechner ist es zu Ende ({2}), und im Protokoll fehlt das Ergebnis',
  ],
];

/** Endpoints and settings, as `doctor`, `setup` and the start of the stack look at them. */
const INSPECTION: readonly SentencePair[] = [
  ['reachable', 'erreichbar'],
  ['not reachable', 'nicht erreichbar'],
  ['is there, and lists no models', 'ist da und nennt keine Modelle'],
  ['answers with status {1}', 'antwortet mit Status {1}'],
  ['answers with something else than a list of models', 'antwortet mit etwas anderem als einer Liste von Modellen'],
  ['does not list {1}: set {2}', 'nennt {1} nicht: {2} setzen'],
  ['does not list {1}: set {2}, for example to {3}', 'nennt {1} nicht: {2} setzen, etwa auf {3}'],
  ['{1}: answers with status {2}', '{1}: antwortet mit Status {2}'],
  [
    '{1}: answers with something else than a list of models',
    '{1}: antwortet mit etwas anderem als einer Liste von Modellen',
  ],
  [
    'it has not answered a small question within {1} seconds',
    'auf eine kleine Frage kam innerhalb von {1} Sekunden keine Antwort',
  ],
  [
    '{1}: it has not answered a small question within {2} seconds',
    '{1}: auf eine kleine Frage kam innerhalb von {2} Sekunden keine Antwort',
  ],
  [
    'no price of {1} is known, so it counts as the most expensive (“prices” in PROVIDERS says it)',
    'für {1} ist kein Preis bekannt, also zählt der höchste („prices“ in PROVIDERS nennt ihn)',
  ],
  [
    'in groups it is shown commands and replies only, unless /setprivacy at @BotFather says otherwise',
    'in Gruppen sieht er nur Befehle und Antworten, wenn /setprivacy bei @BotFather nichts anderes sagt',
  ],
  [
    'it offers no commands after "/" yet; "npm start" again sets them',
    'er bietet nach "/" noch keine Befehle an; "npm start" setzt sie',
  ],
  ['"npm start" again sets them', '"npm start" setzt sie'],
  ['it offers no commands after "/" yet', 'er bietet nach "/" noch keine Befehle an'],
  [
    '{1}: could not hand a message over: does TELEGRAM_WEBHOOK_URL lead here?',
    '{1}: konnte eine Nachricht nicht übergeben: Führt TELEGRAM_WEBHOOK_URL hierher?',
  ],
  [
    '{1}: could not hand a message over ({2}): does TELEGRAM_WEBHOOK_URL lead here?',
    '{1}: konnte eine Nachricht nicht übergeben ({2}): Führt TELEGRAM_WEBHOOK_URL hierher?',
  ],
  [
    '{1}: keeps {2} messages that nobody takes: is another program connected to this bot?',
    '{1}: hält {2} Nachrichten, die niemand nimmt: Ist ein anderes Programm mit diesem Bot verbunden?',
  ],
  ['{1}: refuses the token: change {2} and start again', '{1}: lehnt das Token ab: {2} ändern und neu starten'],
  ['{1}: refuses the key: change {2} and start again', '{1}: lehnt den Schlüssel ab: {2} ändern und neu starten'],
  ['{1}: takes no connection ({2})', '{1}: nimmt keine Verbindung an ({2})'],
  ['{1}: not reachable', '{1}: nicht erreichbar'],
  [
    'the disk reports an error; check it, and restore the folder from a backup if need be',
    'die Platte meldet einen Fehler; prüfen, und den Ordner wenn nötig aus einer Sicherung zurückholen',
  ],
  ['{1} keeps being taken: is another stack starting?', '{1} ist immer wieder belegt: Startet ein anderer Stack?'],
  [
    '{1} is not what was written there: put a copy of it back, or restore a backup. Without it the evidence log cannot go on',
    '{1} ist nicht, was dort geschrieben wurde: eine Kopie zurücklegen, oder eine Sicherung einspielen. Ohne sie kann das Protokoll nicht weitergehen',
  ],
  ['MANDATORY_SKILLS: the skill {1} is missing ({2})', 'MANDATORY_SKILLS: die Fähigkeit {1} fehlt ({2})'],
  [
    'the table {1} has other keys than this release: use another DATA_DIR',
    'die Tabelle {1} hat andere Schlüssel als diese Version: ein anderes DATA_DIR nehmen',
  ],
  [
    'the table is an older copy: {1} forgotten objects were forgotten again',
    'die Tabelle ist eine ältere Kopie: {1} vergessene Notizen wurden wieder vergessen',
  ],
  [
    "The database at {1} is not this stack's: whoever reaches it can read and change everything in it.",
    'Die Datenbank unter {1} gehört nicht zu diesem Stack: Wer sie erreicht, kann alles darin lesen und ändern.',
  ],
  ['another program listens there', 'dort lauscht ein anderes Programm'],
  [
    'PORT: {1} cannot be used ([2]); set another, or 0 for any free one',
    'PORT: {1} geht nicht ([2]); einen anderen setzen, oder 0 für einen freien',
  ],
  [
    'TMPDIR: {1} cannot be written ({2}); set it to a folder that this account may write',
    'TMPDIR: {1} lässt sich nicht schreiben ({2}); auf einen Ordner setzen, in den dieses Konto schreiben darf',
  ],
  [
    'TELEGRAM_WEBHOOK_URL: is missing (TELEGRAM_MODE is webhook)',
    'TELEGRAM_WEBHOOK_URL: fehlt (TELEGRAM_MODE ist webhook)',
  ],
  [
    'TELEGRAM_BOT_TOKEN: is missing (TELEGRAM_MODE is webhook)',
    'TELEGRAM_BOT_TOKEN: fehlt (TELEGRAM_MODE ist webhook)',
  ],
  ['WEBHOOK_COSTS: {1} is not one of WEBHOOK_TARGETS', 'WEBHOOK_COSTS: {1} ist keines der WEBHOOK_TARGETS'],
  [
    'SKILLS_DIR: what is in {1} is no skill that loads: npx passepartout skill test {2}',
    'SKILLS_DIR: in {1} ist keine Fähigkeit, die lädt: npx passepartout skill test {2}',
  ],
  [
    'SKILLS_DIR: the skill {1} of {2} waits for your yes: npx passepartout approvals',
    'SKILLS_DIR: die Fähigkeit {1} aus {2} wartet auf ein Ja: npx passepartout approvals',
  ],
  [
    'SKILLS_DIR: the skill {1} was not offered ([2]); npx passepartout skill add {3} tries again',
    'SKILLS_DIR: die Fähigkeit {1} wurde nicht angeboten ([2]); npx passepartout skill add {3} versucht es noch einmal',
  ],
  [
    'SKILLS_DIR: the skill {1} is gone from it, and stays in force: npx passepartout skill remove {2}',
    'SKILLS_DIR: die Fähigkeit {1} ist dort weg, und bleibt in Kraft: npx passepartout skill remove {2}',
  ],
  ['Telegram: an update was answered {1}', 'Telegram: auf eine Meldung kam die Antwort {1}'],
  ['webhook at {1} could not be registered: {2}', 'Webhook unter {1} ließ sich nicht eintragen: {2}'],
  [
    "erased bytes may still be in the table's file: it could not be compacted: {1}",
    'gelöschte Bytes stehen vielleicht noch in der Datei der Tabelle: Sie ließ sich nicht verdichten: {1}',
  ],
  // The set-up.
  [
    'the script {1} sees all but the ids of approvals, by {2} operations',
    'das Skript {1} sieht alles außer den Kennungen von Freigaben, über {2} Befehle',
  ],
  [
    'the script {1} writes in conversations of its own, in untrusted words',
    'das Skript {1} schreibt in eigenen Gesprächen, mit Worten von außen',
  ],
  [
    'the script {1} writes as you in conversations of its own, and does {2}',
    'das Skript {1} schreibt in eigenen Gesprächen wie sein Besitzer, und tut {2}',
  ],
  [
    'the script {1} sees all but the ids of approvals, by {2} operations, the script {3} writes as you in conversations of its own, and does {4}',
    'das Skript {1} sieht alles außer den Kennungen von Freigaben, über {2} Befehle, und das Skript {3} schreibt in eigenen Gesprächen wie sein Besitzer, und tut {4}',
  ],
  ['the line is longer than {1} bytes', 'die Zeile ist länger als {1} Bytes'],
  ['the line is not JSON', 'die Zeile ist kein JSON'],
  ['not an action to try: {1}; such as {2}', 'keine Handlung zum Probieren: {1}; etwa {2}'],
  ['the shells are bash, zsh and fish', 'die Shells sind bash, zsh und fish'],
];

export const MACHINE: readonly SentencePair[] = [
  ...RUNNER,
  ...MACHINE_SERVERS,
  ...WITNESS,
  ...SKILL,
  ...SERVICE,
  ...GO_BACK,
  ...IMPORT,
  ...RESTORE,
  ...GATES,
  ...LOG,
  ...JOURNAL,
  ...INSPECTION,
];
