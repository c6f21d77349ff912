/** Actions of the owner's machines: the proof in the job, and the end that comes later. */
import { defined } from '../../base/defined.ts';
import { approvalRef } from '../../evidence/record-hash.ts';
import { jobDecisionHash, jobTraceHash, outputHash } from '../../log/evidence-records.ts';
import type { ActuatorResult, HandOver } from '../../signal/actuator.ts';
import type { Decision, Effect, JudgedAction } from '../../signal/decision.ts';
import type { ActDeps, Task } from './act-context.ts';
import { settleEffect, settleResult } from './claim.ts';
import { FORGOTTEN } from './forgotten.ts';
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

/** Of an output that comes after its turn was forgotten, only the hash is stored. */
const settleForgotten = async (
  deps: ActDeps,
  { signal }: Task,
  effect: Effect,
  result: ActuatorResult,
): Promise<Effect> => {
  if (result.state === 'handed' || result.state === 'retry') return effect;
  const { state, output = '', reason } = { reason: undefined, ...result };
  const words = { outputHash: outputHash(output), outputOrigin: 'outside' } as const;
  const settlement = { state, ...defined({ reason }), ...(output === '' && state !== 'done' ? {} : words) };
  const settled = await settleEffect(deps.table, signal, effect, settlement, deps.now());
  return { ...settled, output: FORGOTTEN };
};

/** Settles an effect whose job has ended; gives it as it stands if it has not. */
export const collectHanded = async (deps: ActDeps, task: Task, effect: Effect): Promise<Effect> => {
  const actuator = deps.actuators.get(effect.actuator);
  if (actuator?.collect === undefined) return effect;
  const isForgotten = effect.forgottenAt !== undefined;
  const context = { ...contextOf(deps, task, effect.facts.at(-1)), isForgotten };
  const result = await actuator.collect(task.judged.action, context);
  if (result.state === 'handed') return effect;
  const settled = await (isForgotten ? settleForgotten : settleResult)(deps, task, effect, result);
  await actuator.forgetHanded?.(context.effectId, deps.now());
  return settled;
};
