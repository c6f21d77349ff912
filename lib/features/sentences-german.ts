/** The German sentences of features' tools. `tools/sentences-german.ts` alone imports this list. */
import type { Sentence } from '../tools/sentence.ts';
import { LEARNING_SENTENCES } from './learning/sentences-german.ts';
import { RUNBOOK_SENTENCES } from './runbooks/sentences-german.ts';

export const FEATURE_SENTENCES: Readonly<Record<string, Sentence>> = { ...LEARNING_SENTENCES, ...RUNBOOK_SENTENCES };
