/** The answer to `/help <words>` in German. */
import type { ManualTexts } from './texts.ts';

export const DE: ManualTexts = { found: 'Im Handbuch steht:' };
