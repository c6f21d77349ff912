/** Says whether an event is one that a job waits for, by the condition of the job. */

import { type ConditionOutcome, evaluateCondition } from '../../sandbox/evaluate-condition.ts';
import { loadSandbox } from '../../sandbox/sandbox.ts';
import { eventValues } from '../../signal/event-values.ts';
import type { Signal } from '../../signal/signal.ts';

export const checkEvent = async (holds: string, { payload }: Signal): Promise<ConditionOutcome> =>
  evaluateCondition(await loadSandbox(), holds, eventValues(payload), 'event');
