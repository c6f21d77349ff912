/** Says whether an event is one that a job waits for, by the condition of the job. */

import { type ConditionOutcome, evaluateCondition } from '../../core/sandbox/evaluate-condition.ts';
import { loadSandbox } from '../../core/sandbox/sandbox.ts';
import { eventValues } from '../../core/signal/event-values.ts';
import type { Signal } from '../../core/signal/signal.ts';

export const checkEvent = async (holds: string, { payload }: Signal): Promise<ConditionOutcome> =>
  evaluateCondition(await loadSandbox(), holds, eventValues(payload), 'event');
