/** The sentences of these tools in German, as `tools.ts` has them in English. */
import { quotedInGerman as quoted } from '../../core/text/quoted-german.ts';
import type { Sentence } from '../../core/tools/sentence.ts';

const add: Sentence = ({ name, url, models, order }) =>
  `Den Anbieter ${String(name)} unter ${quoted(url)} hinzufügen${models === '' ? '' : `, mit ${quoted(models)}`}; die Reihenfolge ist ${String(order)}`;
const ask: Sentence = ({ name, url }) => `Den Anbieter ${String(name)} unter ${quoted(url)} probieren`;

export const PROVIDER_SENTENCES: Readonly<Record<string, Sentence>> = {
  'add-local-provider': add,
  'add-provider': add,
  'order-providers': ({ name, order }) =>
    `${name === '' ? '' : `Den Anbieter ${String(name)} entfernen. `}Nur fragen, in dieser Reihenfolge: ${String(order) || '–'}`,
  'try-local-provider': ask,
  'try-provider': ask,
};
