/** The parts of features in the stack of this machine. */
import { skillsBeside } from '../features/skills/beside.ts';
import { webhookHead } from '../features/webhooks/check-head.ts';
import { webhookConflicts } from '../features/webhooks/setting-problems.ts';
import type { Beside } from './beside.ts';
import type { HeadCheck } from './http-front.ts';
import type { FindConflicts } from './settings.ts';

/** Work beside the stack, which `start.ts` begins. */
export const BESIDE: readonly Beside[] = [skillsBeside];
/** Looks at the heads of posts, before their bodies are read and handed on. */
export const HEAD_CHECKS: readonly HeadCheck[] = [webhookHead];
/** Problems between several settings. */
export const SETTING_CONFLICTS: readonly FindConflicts[] = [webhookConflicts];
