/** What features' parts in Reason load late. `stages/reason/lazy.ts` alone imports this list. */
import { buildLoadReadFile } from './runner/load-read-file.ts';

export const REASON_LATE = { buildLoadReadFile } as const;
