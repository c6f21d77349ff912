/** Code of features that Reason loads late. `stages/reason/lazy.ts` alone imports this list. */
import { buildLoadReadFile } from './runner/load-read-file.ts';

export const REASON_LATE = { buildLoadReadFile } as const;
