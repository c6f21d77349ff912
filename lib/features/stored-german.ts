/** Stored sentences of features in German. `language/stored-german.ts` alone imports this list. */
import type { SentencePair } from '../core/language/sentence-speaker.ts';
import { OUTLINE_STORED } from './outlines/stored-german.ts';
import { PLAN_STORED } from './plans/stored-german.ts';

export const FEATURE_STORED: readonly SentencePair[] = [...OUTLINE_STORED, ...PLAN_STORED];
