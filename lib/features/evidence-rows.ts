/** Rows of features that get leaves, in this order. `log/collect.ts` alone imports this list. */
import type { EvidenceRows } from '../core/log/due-leaves.ts';
import { JOB_ROWS } from './jobs/evidence-rows.ts';
import { RUNNER_ROWS } from './runner/evidence-rows.ts';
import { SKILL_ROWS } from './skills/evidence-rows.ts';

export const EVIDENCE_ROWS: readonly EvidenceRows[] = [...JOB_ROWS, SKILL_ROWS, RUNNER_ROWS];
