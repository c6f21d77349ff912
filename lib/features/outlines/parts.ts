/** All that these tools load with their first call. */
import { ARRANGE_FORM, arrangeNotes, readNotes } from './arrange-notes.ts';

export const OUTLINE_PARTS = { ARRANGE_FORM, arrangeNotes, readNotes } as const;
