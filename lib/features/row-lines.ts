/** Lines of `/why` about features. `wings/signals/change-lines.ts` alone imports this list. */
import type { RowLine } from '../core/operations/feature-views.ts';
import { JOB_LINES } from './jobs/row-lines.ts';
import { runnerLine } from './runner/row-lines.ts';
import { skillLine } from './skills/row-lines.ts';

export const ROW_LINES: readonly RowLine[] = [...JOB_LINES, skillLine, runnerLine];
