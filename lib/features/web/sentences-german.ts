/** The sentences of the tools of the web in German. */
import { quotedInGerman as quoted } from '../../core/text/quoted-german.ts';
import type { Sentence } from '../../core/tools/sentence.ts';

export const WEB_SENTENCES: Readonly<Record<string, Sentence>> = {
  'fetch-url': ({ url }) => `Die Seite ${quoted(url)} öffnen und lesen`,
  'search-web': ({ query, service }) => `${String(service)} nach ${quoted(query)} fragen`,
};
