/** The parts of features in the stack of this machine. */
import { copyBeside } from '../features/backup/copy-table.ts';
import { skillsBeside } from '../features/skills/beside.ts';
import { webhookHead } from '../features/webhooks/check-head.ts';
import { webhookConflicts } from '../features/webhooks/setting-problems.ts';
import type { Beside, BesideTable } from './beside.ts';
import type { HeadCheck } from './http-front.ts';
import type { FindConflicts } from './settings.ts';

/** Work beside the stack, which `start.ts` and `database.ts` begin. */
export const BESIDE: readonly Beside[] = [skillsBeside];
export const BESIDE_TABLE: readonly BesideTable[] = [copyBeside];
/** Looks at the heads of posts, before their bodies are read and handed on. */
export const HEAD_CHECKS: readonly HeadCheck[] = [webhookHead];
/** Problems between several settings. */
export const SETTING_CONFLICTS: readonly FindConflicts[] = [webhookConflicts];
