/**
 * Sentences that are stored, replayed or read by programs stay English: reasons of gates, outputs
 * of tools, findings. Whoever shows one to a person says it in the language of that person; a
 * sentence that no list has stays as it is.
 */
import { textTable } from '../base/language.ts';
import { forPeople } from './for-people.ts';

export const storedSentences = textTable(forPeople, {
  de: async () => (await import('./stored-german.ts')).inGerman,
});
