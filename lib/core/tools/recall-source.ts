/** A text beside memory that `recall` searches. A feature brings it, and nobody writes to it. */
import type { Language } from '../base/language.ts';

export interface RecallSource {
  readonly name: string;
  /** Says in each prompt what it tells: a few words. */
  readonly purpose: string;
  /** Names it in sentences for people, behind “look” and its like. */
  readonly place: Readonly<Record<Language, string>>;
  /** The product's own words, bounded. */
  readonly find: (query: string) => Promise<string>;
}
