/** Texts of features that `recall` searches beside memory: a row each. The prompt names them. */
import type { Language } from '../core/base/language.ts';
import { manualSource } from './manual/source.ts';

/** Nobody writes to it. */
export interface RecallSource {
  readonly name: string;
  /** Says in each prompt what it tells: a few words. */
  readonly purpose: string;
  /** Names it in sentences for people, as in “look in the manual”. */
  readonly place: Readonly<Record<Language, string>>;
  /** The product's own words, bounded. */
  readonly find: (query: string) => Promise<string>;
}

export const RECALL_SOURCES: readonly RecallSource[] = [manualSource];
