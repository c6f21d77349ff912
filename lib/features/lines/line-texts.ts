/** The words of a line, apart from the verb's: Reason starts with them. */
import { textTable } from '../../core/base/language.ts';

const EN = {
  rules: (count: number) => `${count} rules checked`,
  waiting: (count: number) => (count === 1 ? '1 message waits' : `${count} messages wait`),
  inFocus: 'one note in focus',
};
export type LineWords = typeof EN;

export const lineWords = textTable(EN, { de: async () => (await import('./texts-german.ts')).WORDS });
