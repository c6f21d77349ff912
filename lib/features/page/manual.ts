/** Pages of the manual: the page. */
import type { ManualPage } from '../manual-pages.ts';

export const PAGE_PAGES: readonly ManualPage[] = [
  {
    title: 'Open the page in a browser',
    german: 'Die Seite im Browser öffnen',
    words:
      'web website dashboard interface gui console address url login token see decisions overview ' +
      'Webseite Oberfläche Übersicht Konsole Adresse anmelden Token Entscheidungen ansehen',
    steps: [
      [
        'npm start',
        'prints the address of the page: what waits for your yes, what happened, decisions, memory, jobs, proof',
        'gibt die Adresse der Seite aus: was auf dein Ja wartet, was geschah, Entscheidungen, Gedächtnis, Aufträge, Belege',
      ],
    ],
    see: 'lib/features/page/README.md',
  },
];
