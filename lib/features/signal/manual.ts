/** Pages of the manual: Signal. */
import type { ManualPage } from '../manual-pages.ts';

export const SIGNAL_PAGES: readonly ManualPage[] = [
  {
    title: 'Talk with the agent in Signal',
    german: 'Mit dem Agenten in Signal schreiben',
    words:
      'signal messenger signal-cli daemon phone private encrypted chat group connect set up number approve reply ' +
      'Signal Messenger Telefon verschlüsselt Chat Gruppe verbinden einrichten Nummer freigeben antworten',
    steps: [
      [
        'signal-cli -a +49… daemon --http 127.0.0.1:8080 --receive-mode on-connection',
        'runs the agent’s own Signal account beside it; SIGNAL_URL=http://127.0.0.1:8080 in .env names it',
        'betreibt das eigene Signal-Konto des Agenten; SIGNAL_URL=http://127.0.0.1:8080 in .env nennt es',
      ],
      [
        'npx passepartout pair',
        'prints the line to send to the agent’s number in Signal',
        'gibt die Zeile aus, die du in Signal an die Nummer des Agenten schickst',
      ],
    ],
    see: 'lib/features/signal/README.md',
  },
];
