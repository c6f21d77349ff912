/** The sentences of these tools in German, as `tools.ts` has them in English. */
import { quotedInGerman as quoted } from '../../core/text/quoted-german.ts';
import type { Sentence } from '../../core/tools/sentence.ts';

export const MCP_SENTENCES: Readonly<Record<string, Sentence>> = {
  'accept-mcp-server': ({ server, offer }) =>
    `Die Werkzeuge des Servers ${String(server)} einlassen, wie unter ${String(offer)} gezeigt`,
  'add-mcp-server': ({ server, url }) =>
    `Den Server ${String(server)} unter ${quoted(url)} fragen, welche Werkzeuge er anbietet`,
  'list-mcp-servers': () => 'Die Server und ihre Werkzeuge auflisten',
  'remove-mcp-server': ({ server }) => `Den Server ${String(server)} und seine Werkzeuge entfernen`,
};
