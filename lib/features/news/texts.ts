/** The answer to `/news` and the texts of digests: fixed texts with names and counts filled in. */

import { textTable } from '../../core/base/language.ts';
import { DAYS } from '../../core/base/time-words.ts';
import { KIND_WORDS } from '../../core/text/event-word.ts';
import { countWords } from '../../core/text/quoted.ts';

const EN = {
  days: DAYS,
  kinds: KIND_WORDS,
  none: 'No text of a job or a service went into a digest: all came one by one.',
  older: (count: number) => `${countWords(count, 'older one')}.`,
  forgotten: '(forgotten)',
  texts: 'Texts',
  more: (name: string, count: number, isKept: boolean) =>
    `${name}: ${count} more ${isKept ? 'while this chat was muted' : 'this hour'}`,
  among: (count: number) => `, of the newest ${count}`,
  notShown: (count: number, source: string) => `(${countWords(count, 'older one')} not shown; whole: /news ${source})`,
};
export type NewsWords = typeof EN;

export const newsTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
