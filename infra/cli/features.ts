/** Parts of features in commands of this machine; `command-table.ts` has their own commands. */
import type { TurnRecords } from '../../lib/core/store/turn-records.ts';
import { mailStep } from '../features/mail/setup.ts';
import { readPolicyFile } from '../features/policy/read-policy-file.ts';
import { signalStep } from '../features/signal/setup.ts';
import { loadSkillGateSets } from '../features/skills/gate-sets.ts';
import { slackStep } from '../features/slack/setup.ts';
import { telegramStep } from '../features/telegram/setup.ts';
import { journalCheck } from '../runner/journal-check.ts';
import { runnerServices } from '../runner/services.ts';
import { TRIED_RUNNERS } from '../runner/tried.ts';
import type { ReadPolicyFile } from './commands/gates.ts';
import type { FindServices } from './commands/service.ts';
import type { ExportCheck } from './evidence/export-check.ts';
import type { LoadGateSets } from './evidence/load-gate-sets.ts';
import type { Step } from './setup/step.ts';

/** For `setup`, in place of one step. */
export const CHANNEL_STEPS: readonly Step[] = [telegramStep, slackStep, signalStep, mailStep];
/** For `service`. */
export const FEATURE_SERVICES: readonly FindServices[] = [runnerServices];
/** For `verify`. */
export const EXPORT_CHECKS: readonly ExportCheck[] = [journalCheck];
/** For `gates try` and `policy try`. */
export const TRIED_RECORDS: TurnRecords = { ...TRIED_RUNNERS };
/** For `replay` and `policy try`. */
export const ADDED_GATE_SETS: readonly LoadGateSets[] = [loadSkillGateSets];
/** For `gates try`: one row at most. */
export const POLICY_FILES: readonly ReadPolicyFile[] = [readPolicyFile];
