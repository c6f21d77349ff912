/** The sentence of the tool in German, as `tools.ts` has it in English. */
import { fieldsInGerman, namedInGerman as named } from '../../core/text/quoted-german.ts';
import type { Sentence } from '../../core/tools/sentence.ts';

export const WEBHOOK_SENTENCES: Readonly<Record<string, Sentence>> = {
  'call-webhook': ({ webhook, body }) =>
    `Den Webhook ${named(String(webhook))} aufrufen${fieldsInGerman(Object(body ?? {}))}`,
};
