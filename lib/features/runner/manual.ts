/** Pages of the manual: machines that perform commands. */
import type { ManualPage } from '../manual-pages.ts';

export const RUNNER_PAGES: readonly ManualPage[] = [
  {
    title: 'Pair a machine, so that it runs commands and changes files',
    german: 'Einen Rechner verbinden, damit er Befehle ausführt und Dateien ändert',
    words:
      'computer laptop notebook pc mac server device desktop runner connect link register hook up add attach shell terminal execute program script work there local ' +
      'Computer Rechner Gerät Maschine koppeln verbinden anschließen anbinden anmelden hinzufügen Programme Skript ausführen laufen lassen',
    steps: [
      [
        'npx passepartout runners pair <name>',
        'on a computer with the approver’s token: prints the line to paste on the machine; it works once, for ten minutes',
        'auf einem Computer mit dem Token des Freigebenden: gibt die Zeile aus, die am Rechner eingefügt wird; sie gilt einmal, zehn Minuten lang',
      ],
      [
        'npx passepartout runner pair <address> <code>',
        'the pasted line, on the machine: makes its key and asks for a folder',
        'die eingefügte Zeile, am Rechner: macht seinen Schlüssel und fragt nach einem Ordner',
      ],
      ['npx passepartout runner start <name>', 'on the machine: it takes work', 'am Rechner: er nimmt Arbeit an'],
    ],
    see: 'infra/runner/pairing.md#pair-a-machine',
  },
  {
    title: 'Say which folders and programs a machine allows',
    german: 'Festlegen, welche Ordner und Programme ein Rechner erlaubt',
    words:
      'permission access allowed allow read write directory path files sandbox network internet limit restrict runner.yaml reach touch see ' +
      'Zugriff Rechte Verzeichnis Pfad Dateien lesen schreiben beschränken einschränken Netzwerk Erlaubnis freigeben darf sehen',
    steps: [
      [
        'npx passepartout runner check <name>',
        'on the machine: what its own file runner.yaml allows (folders, programs, network, time, memory), and which sandbox it found',
        'am Rechner: was seine eigene Datei runner.yaml erlaubt (Ordner, Programme, Netz, Zeit, Speicher), und welche Sandbox da ist',
      ],
    ],
    see: 'infra/runner/pairing.md#what-it-allows-runneryaml',
  },
  {
    title: 'See the paired machines; let one rest and work again',
    german: 'Die verbundenen Rechner sehen; einen ruhen und wieder arbeiten lassen',
    words:
      'computers laptops list online offline away connected which status pause suspend resume wake ' +
      'Computer Rechner Maschinen welche verbunden erreichbar Pause pausieren aussetzen fortsetzen',
    verbs: ['runners list', 'runners pause', 'runners resume'],
    see: 'infra/troubleshooting.md#runners',
  },
  {
    title: 'Remove a machine that was lost, sold or stolen',
    german: 'Einen verlorenen, verkauften oder gestohlenen Rechner entfernen',
    words:
      'computer laptop notebook pc lost stolen theft sold gone missing unpair disconnect revoke lock out block delete thief ' +
      'Computer Laptop Gerät verloren gestohlen geklaut Diebstahl weg verkauft trennen sperren aussperren abmelden löschen old broken replaced burglar steals alt ersetzt Einbrecher',
    verbs: ['runners remove'],
    see: 'infra/operating.md#a-lost-machine',
  },
];
