/** Says stored sentences in German; `stored-sentences.ts` says which those are. Pure. */
import { FEATURE_STORED } from '../../features/stored-german.ts';
import { forPeople } from './for-people.ts';
import { OUTPUTS } from './outputs-german.ts';
import { REASONS } from './reasons-german.ts';
import { RUNNER } from './runner-german.ts';
import { buildSpeaker, type SentencePair } from './sentence-speaker.ts';
import { STORED_STATES } from './states-german.ts';
import { VERBS } from './verbs-german.ts';
import { WORK } from './work-german.ts';
import { WRITTEN } from './written-german.ts';

export const STORED_IN_GERMAN: readonly SentencePair[] = [
  ...REASONS,
  ...STORED_STATES,
  ...OUTPUTS,
  ...VERBS,
  ...RUNNER,
  ...WORK,
  ...WRITTEN,
  ...FEATURE_STORED,
];

const speak = buildSpeaker(STORED_IN_GERMAN);

/** A sentence that no list has stays English, without an order to the model. */
export const inGerman = (text: string): string => forPeople(speak(text));
