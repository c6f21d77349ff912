/** The sentences of these tools in German, as `tools.ts` has them in English. */
import type { Sentence } from '../../core/tools/sentence.ts';

const OFFERS: Readonly<Record<string, string>> = {
  grant: 'Was immer wieder freigegeben wurde, in Grenzen ohne Frage erlauben',
  rule: 'Der Richtlinie eine Regel hinzufügen, die verbietet, was immer wieder abgelehnt wurde',
  advice: 'Merken, dass bekannt ist, was immer wieder scheitert; sonst ändert sich nichts',
  skill: 'Eine Fähigkeit machen aus dem, was immer wieder gesagt wird',
};

export const LEARNING_SENTENCES: Readonly<Record<string, Sentence>> = {
  'accept-offer': ({ offer }) => OFFERS[String(Object(offer ?? {}).kind)] ?? 'Annehmen, was gelernt wurde',
  'look-for-habits': () => 'Nach etwas suchen, das sich anbieten lässt',
};
