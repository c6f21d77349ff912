/**
 * Actions that a machine of the owner performs: the proof that its job carries, and the end that
 * comes back later. Loaded for such actions only.
 */
import { defined } from '../../base/defined.ts';
import { approvalRef } from '../../evidence/record-hash.ts';
import { perceiveMessage } from '../../ledger/accept.ts';
import { jobDecisionHash, jobTraceHash } from '../../log/evidence-records.ts';
import { isOver, loadJobRow } from '../../runner/job-row.ts';
import type { HandOver } from '../../signal/actuator.ts';
import type { Decision, Effect, JudgedAction } from '../../signal/decision.ts';
import type { ActDeps, ActTurn, Task } from './act-context.ts';
import { settleResult } from './claim.ts';
import { contextOf } from './perform.ts';

const consentOf = ({ approvalId, grant }: Task): HandOver['consent'] => {
  if (approvalId !== undefined) return { kind: 'approval', id: approvalRef(approvalId) };
  return grant === undefined ? undefined : { kind: 'grant', id: grant.grant.id };
};

export const buildHandOver = (decision: Decision, task: Task, { trace }: JudgedAction): HandOver => ({
  decisionHash: jobDecisionHash(decision),
  traceHash: jobTraceHash(trace),
  consentedAt: task.consentedAt,
  ...defined({ consent: consentOf(task) }),
});

/** Settles an effect whose job has ended; gives it as it stands if it has not. */
export const collectHanded = async (deps: ActDeps, task: Task, effect: Effect): Promise<Effect> => {
  const actuator = deps.actuators.get(effect.actuator);
  if (actuator?.collect === undefined) return effect;
  const context = contextOf(deps, task, effect.facts.at(-1));
  const result = await actuator.collect(task.judged.action, context);
  if (result.state === 'handed') return effect;
  const settled = await settleResult(deps, task, effect, result);
  await actuator.forgetHanded?.(context.effectId, deps.now());
  return settled;
};

/**
 * A machine may end its job before Act has closed the signal: then nobody heard of it. Called when
 * the signal is closed.
 */
export const wakeIfOver = async (deps: ActDeps, turn: ActTurn, effects: readonly Effect[]): Promise<void> => {
  const { signal } = turn.record;
  for (const { n, state, handedTo } of effects) {
    if (state !== 'suspended' || handedTo === undefined || turn.effects.get(n)?.handedTo !== undefined) continue;
    const row = await loadJobRow(deps.table, signal.space, `${signal.id}#${n}`);
    if (row !== undefined && isOver(row, deps.now()))
      await deps.publishPerceive(perceiveMessage(signal), `runner:${n}:${row.state}:closed`);
  }
};
