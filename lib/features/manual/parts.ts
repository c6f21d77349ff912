/** The code that `recall` loads with the first question to the manual. */
import { recallManual } from './answer.ts';

export const MANUAL_PARTS = { recallManual };
