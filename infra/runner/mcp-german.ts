/** The words of `mcp add`, `runner secret` and the servers of a machine in German. */
import type { SentencePair } from '../../lib/core/language/sentence-speaker.ts';

export const MACHINE_SERVERS: readonly SentencePair[] = [
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
  ['{1} on the machine {2} starts, and offers {3} tools', '{1} auf dem Rechner {2} startet und bietet {3} Werkzeuge'],
  ['{1} on the machine {2}: [3]', '{1} auf dem Rechner {2}: [3]'],
  [
    'mend runner.yaml, or npx passepartout mcp add again (lib/features/mcp/README.md)',
    'runner.yaml berichtigen, oder noch einmal npx passepartout mcp add (lib/features/mcp/README.md)',
  ],
];
