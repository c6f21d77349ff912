/** Pages of the manual: this agent as an MCP server. */
import type { ManualPage } from '../manual-pages.ts';

export const DOOR_PAGES: readonly ManualPage[] = [
  {
    title: 'Let an editor or another agent use this agent (MCP server)',
    german: 'Einen Editor oder anderen Agenten diesen Agenten benutzen lassen (MCP-Server)',
    words:
      'model context protocol expose serve door client IDE desktop inspector token scope MCP_DOOR events poll ' +
      'anbieten freigeben Zugang Programm Entwicklungsumgebung Ereignisse abfragen',
    steps: [
      [
        'npx passepartout doctor',
        'says at which address it answers, and which tokens may use it',
        'sagt, unter welcher Adresse er antwortet und welche Token ihn benutzen dürfen',
      ],
    ],
    see: 'lib/features/door/README.md',
  },
];
