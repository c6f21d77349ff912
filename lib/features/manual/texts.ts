/** The answer to `/help <words>`. */
import { textTable } from '../../core/base/language.ts';

const EN = { found: 'The manual says:' };
export type ManualTexts = typeof EN;

export const manualTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
