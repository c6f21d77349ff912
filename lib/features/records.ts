/** Records of features, read with a turn. `stages/turn-records.ts` alone imports this list. */
import type { RecordRow } from '../core/store/turn-records.ts';
import { RUNNERS_RECORD } from './runner/record.ts';
import { SKILLS_RECORD } from './skills/record.ts';

export const RECORDS: readonly RecordRow[] = [RUNNERS_RECORD, SKILLS_RECORD];
