/** Pages of the manual: logins at servers of others. */
import type { ManualPage } from '../manual-pages.ts';

export const CONSENT_PAGES: readonly ManualPage[] = [
  {
    title: 'Log in at an MCP server (OAuth), or out',
    german: 'Sich bei einem MCP-Server im Browser anmelden (OAuth), abmelden, Zustimmung erneuern',
    words:
      'oauth login sign in sign out logout consent authorize authorization token expired account browser server mcp connector ' +
      'Anmeldung anmelden abmelden einloggen ausloggen Zustimmung Konto Browser Token abgelaufen erneuern',
    verbs: ['mcp login', 'mcp logout'],
    steps: [
      [
        'npx passepartout mcp login <server>',
        'opens a browser, in which you agree; on another machine paste the address it ends at',
        'öffnet einen Browser, in dem du zustimmst; an einem anderen Gerät die Adresse einfügen, bei der er endet',
      ],
    ],
    see: 'lib/features/consent/README.md',
  },
];
