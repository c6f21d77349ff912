/** The list of wings: a feature is switched in by one row here. */
import type { Wing } from '../operations/wing.ts';
import { approvals } from './approvals/wing.ts';
import { jobs } from './jobs/wing.ts';
import { money } from './money/wing.ts';
import { notes } from './notes/wing.ts';
import { runbooks } from './runbooks/wing.ts';
import { runners } from './runners/wing.ts';
import { settings } from './settings/wing.ts';
import { signals } from './signals/wing.ts';
import { skills } from './skills/wing.ts';

export const WINGS: readonly Wing[] = [signals, notes, approvals, jobs, runbooks, runners, money, settings, skills];
