/** The sentences of these tools in German, as `tools.ts` has them in English. */
import { quotedInGerman as quoted } from '../../core/text/quoted-german.ts';
import type { Sentence } from '../../core/tools/sentence.ts';

const add: Sentence = ({ name, url, models, order }) =>
  `Den Modell-Anbieter ${String(name)} unter ${quoted(url)} hinzufügen${models === '' ? '' : `, mit ${quoted(models)}`}; gefragt wird in der Reihenfolge ${String(order)}`;
const ask: Sentence = ({ name, url }) =>
  `Den Modell-Anbieter ${String(name)} unter ${quoted(url)} eine kleine Frage fragen`;

export const PROVIDER_SENTENCES: Readonly<Record<string, Sentence>> = {
  'add-local-provider': add,
  'add-provider': add,
  'order-providers': ({ order }) =>
    `Diese Modell-Anbieter in dieser Reihenfolge fragen, und keinen anderen: ${String(order)}`,
  'remove-provider': ({ name, order }) =>
    `Den Modell-Anbieter ${String(name)} entfernen; gefragt werden dann: ${String(order) || 'die der Umgebung'}`,
  'try-local-provider': ask,
  'try-provider': ask,
};
