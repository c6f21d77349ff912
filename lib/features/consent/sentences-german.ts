/** The sentences of these tools in German, as `tools.ts` has them in English. */
import { quotedInGerman as quoted } from '../../core/text/quoted-german.ts';
import type { Sentence } from '../../core/tools/sentence.ts';

export const CONSENT_SENTENCES: Readonly<Record<string, Sentence>> = {
  'log-in-mcp-server': ({ server, url, redirect }) =>
    redirect === undefined
      ? `Beim Server ${String(server)} unter ${quoted(url)} anmelden, wie im Browser zugestimmt`
      : `Die Anmeldung beim Server ${String(server)} unter ${quoted(url)} beginnen: fragen, wer dort bürgt, für einen Browser unter ${quoted(redirect)}`,
  'log-out-mcp-server': ({ server, url }) =>
    `Vom Server ${String(server)} unter ${quoted(url)} abmelden und seine Token löschen`,
};
