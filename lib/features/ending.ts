/** The hooks of features when a signal ends: all that Act needs of them. */
import type { Hooks } from '../core/operations/hooks.ts';
import { delegationEnding } from './delegation/ending.ts';
import { eventEnding } from './events/ending.ts';
import { jobEnding } from './jobs/ending.ts';
import { runbookEnding } from './runbooks/ending.ts';

export const ENDING_HOOKS: Hooks = [runbookEnding, eventEnding, jobEnding, delegationEnding];
