/** Pages of the manual: the web. */
import type { ManualPage } from '../manual-pages.ts';

export const WEB_PAGES: readonly ManualPage[] = [
  {
    title: 'Have the web searched, and pages read',
    german: 'Im Web suchen und Seiten lesen lassen',
    words:
      'web internet online search google find look up lookup news current today page website site url link open read browse ' +
      'Brave Tavily Kagi SearXNG engine results sources ' +
      'suchen Suche Suchmaschine Internet googeln nachschlagen nachsehen finden Seite Webseite öffnen lesen Ergebnisse Quellen aktuell Nachrichten',
    steps: [
      [
        'SEARCH=brave',
        'a line of .env: the service that is asked; also tavily, kagi, or the address of a SearXNG',
        'eine Zeile der .env: der Dienst, der gefragt wird; auch tavily, kagi oder die Adresse eines SearXNG',
      ],
      [
        'npx passepartout setup --only search',
        'asks for its key and tries it; then start again',
        'fragt nach seinem Schlüssel und probiert ihn; danach neu starten',
      ],
    ],
    see: 'lib/features/web/README.md',
  },
];
