/** All that these tools load with their first call. */
import { gatherTurns } from './gather-turns.ts';
import { INSIGHT_FORM, keepInsight, pickNotes } from './keep-insight.ts';
import { keepNotes } from './keep-notes.ts';
import { MEND_FORM, mendMemory, tendMemory } from './tend-memory.ts';

export const TENDING_PARTS = {
  INSIGHT_FORM,
  MEND_FORM,
  gatherTurns,
  keepInsight,
  keepNotes,
  mendMemory,
  pickNotes,
  tendMemory,
} as const;
