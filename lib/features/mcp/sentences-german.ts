/** The sentences of these tools in German, as `tools.ts` has them in English. */
import { machineOf } from '../../core/signal/runner-tools.ts';
import { quotedInGerman as quoted } from '../../core/text/quoted-german.ts';
import type { Sentence } from '../../core/tools/sentence.ts';

export const MCP_SENTENCES: Readonly<Record<string, Sentence>> = {
  'accept-mcp-server': ({ server, offer }) =>
    `Die Werkzeuge des Servers ${String(server)} einlassen, wie unter ${String(offer)} gezeigt`,
  'add-mcp-server': ({ server, url }) => {
    const machine = machineOf(String(url));
    const place = machine === undefined ? `unter ${quoted(url)}` : `auf dem Rechner ${machine}`;
    return `Den Server ${String(server)} ${place} fragen, welche Werkzeuge er anbietet`;
  },
  'list-mcp-servers': () => 'Die Server und ihre Werkzeuge auflisten',
  'remove-mcp-server': ({ server }) => `Den Server ${String(server)} und seine Werkzeuge entfernen`,
};
