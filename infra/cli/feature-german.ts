/** German of features on the command line. `sentences-german.ts` alone imports this list. */
import type { SentencePair } from '../../lib/core/language/sentence-speaker.ts';
import { CEDAR } from '../features/policy/cedar-german.ts';

export const FEATURE_GERMAN: readonly SentencePair[] = [...CEDAR];
