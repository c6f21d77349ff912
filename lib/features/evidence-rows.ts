/** Rows of features that get leaves. `log/collect.ts` alone imports this list. */
import type { EvidenceRows } from '../core/log/due-leaves.ts';
import { RUNNER_ROWS } from './runner/evidence-rows.ts';

export const EVIDENCE_ROWS: readonly EvidenceRows[] = [RUNNER_ROWS];
