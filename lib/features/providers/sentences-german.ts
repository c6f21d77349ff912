/** The sentences of these tools in German, as `tools.ts` has them in English. */
import { quotedInGerman as quoted } from '../../core/text/quoted-german.ts';
import type { Sentence } from '../../core/tools/sentence.ts';

const add: Sentence = ({ name, url, models, order }) =>
  `Den Modell-Anbieter ${String(name)} unter ${quoted(url)} hinzufügen${models === '' ? '' : `, mit ${quoted(models)}`}; in dieser Reihenfolge fragen: ${String(order)}`;
const ask: Sentence = ({ name, url }) => `Den Modell-Anbieter ${String(name)} unter ${quoted(url)} probieren`;

export const PROVIDER_SENTENCES: Readonly<Record<string, Sentence>> = {
  'add-local-provider': add,
  'add-provider': add,
  'order-providers': ({ name, order }) =>
    `${name === '' ? '' : `${String(name)} entfernen. `}Nur diese Modelle in dieser Reihenfolge fragen: ${String(order) || '–'}`,
  'try-local-provider': ask,
  'try-provider': ask,
};
