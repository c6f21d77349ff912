/** Pages of the manual: events of MCP servers. */
import type { ManualPage } from '../manual-pages.ts';

export const POLLING_PAGES: readonly ManualPage[] = [
  {
    title: 'Be told of events of an MCP server',
    german: 'Von Ereignissen eines MCP-Servers erfahren',
    words:
      'model context protocol subscribe poll fetch notify watch listen tracker server issue created without webhook secret ' +
      'abonnieren abholen abfragen beobachten mitbekommen ohne Webhook Geheimnis',
    verbs: ['mcp events'],
    see: 'lib/features/polling/README.md',
  },
];
