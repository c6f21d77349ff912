/** Texts of features that `recall` searches: a row each. The prompt names them. */
import type { RecallSource } from '../core/tools/recall-source.ts';
import { manualSource } from './manual/source.ts';

export const RECALL_SOURCES: readonly RecallSource[] = [manualSource];
