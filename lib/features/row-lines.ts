/** Lines of `/why` about features. `verbs/signals/change-lines.ts` alone imports this list. */
import type { RowLine } from '../core/operations/feature-views.ts';
import { runnerLine } from './runner/row-lines.ts';

export const ROW_LINES: readonly RowLine[] = [runnerLine];
