/** The sentences of these tools in German, as `tools.ts` has them in English. */
import { quotedInGerman as quoted } from '../../core/text/quoted-german.ts';
import type { Sentence } from '../../core/tools/sentence.ts';

export const POLLING_SENTENCES: Readonly<Record<string, Sentence>> = {
  'list-mcp-events': ({ server, url }) =>
    `Den Server ${String(server)} unter ${quoted(url)} fragen, welche Ereignisse er hat`,
  'poll-mcp-events': ({ server, url, events }) =>
    `Die Ereignisse ${quoted(events)} des Servers ${String(server)} unter ${quoted(url)} lesen`,
};
