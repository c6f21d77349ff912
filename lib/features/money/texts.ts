/** The answers about money: `money/spending-words.ts` has them in English, the typed source. */

import { textTable } from '../../core/base/language.ts';
import { EN } from '../../core/money/spending-words.ts';

export const spendingTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
