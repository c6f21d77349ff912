/** The German sentences of features' tools. `tools/sentences-german.ts` alone imports this list. */
import type { Sentence } from '../tools/sentence.ts';
import { LEARNING_SENTENCES } from './learning/sentences-german.ts';
import { RUNNER_SENTENCES } from './runner/sentences-german.ts';

export const FEATURE_SENTENCES: Readonly<Record<string, Sentence>> = { ...LEARNING_SENTENCES, ...RUNNER_SENTENCES };
