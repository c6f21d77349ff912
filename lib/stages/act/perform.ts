/**
 * Performing one action at the last mile: re-verify, claim, read the kill switch, perform, settle. Gives the effect as it
 * stands; everything that may go wrong ends in a state a person can see, or in "later" (RetryLaterError).
 */

import { type FoundGrant, loadGrant } from '../../approvals/find-grant.ts';
import { isUsable } from '../../approvals/grant.ts';
import { defined } from '../../base/defined.ts';
import { RetryLaterError, UnavailableError, WaitingError } from '../../base/errors.ts';
import { RECEIVE_COUNT_MAX, RETRY_BACKOFF_MS } from '../../base/limits.ts';
import { type GateSet, hasAsked } from '../../gates/engine/verify.ts';
import type { FactSources } from '../../judge/gather-facts.ts';
import { judgeAction } from '../../judge/judge.ts';
import { isUnasked, takeHomeChatSlot } from '../../ledger/home-chat.ts';
import { isStoppedFor, loadKillSwitch } from '../../ledger/kill-switch.ts';
import { waitsSince } from '../../ledger/ledger.ts';
import { type Action, actionHash, isText } from '../../signal/action.ts';
import type { Actuator, ActuatorResult } from '../../signal/actuator.ts';
import type { Effect, JudgedAction } from '../../signal/decision.ts';
import { isMcpTool } from '../../signal/mcp-name.ts';
import type { Origin, Signal } from '../../signal/signal.ts';
import { oneOf } from '../../store/condition.ts';
import { indexPartitions, signalKeys } from '../../store/keys.ts';
import type { Table, Write } from '../../store/table.ts';
import { type ClaimKind, claimEffect, claimedEffect, recordEffect, settleEffect } from './claim.ts';
import type { NoteQuota } from './note-quota.ts';
import { type Bill, type EffectBudget, payBill } from './pay-effect.ts';

export interface PerformDeps {
  readonly table: Table;
  readonly gateSet: GateSet;
  /** Actuator by target; targets whose performing is the stored effect itself (console, system) have none. */
  readonly actuators: ReadonlyMap<string, Actuator>;
  readonly newId: () => string;
  readonly remainingMs: () => number;
  readonly stackRun?: string | undefined;
  readonly budget: EffectBudget;
  readonly now: () => number;
}

/** One action of a decision, with all that was stored about it before. */
export interface Task {
  readonly signal: Signal;
  readonly n: number;
  readonly judged: JudgedAction;
  /** Hash the queue message named. */
  readonly namedHash: string;
  readonly effect: Effect | undefined;
  readonly approvalId: string | undefined;
  /** When it was decided or approved, epoch milliseconds: a stop set since then refuses it for good. */
  readonly consentedAt: number;
  /** Covers it instead of an approval, as far as the gates let it. */
  readonly found?: FoundGrant | undefined;
  /**
   * Accounts a note counts on, and whether they are full; absent for what is no note of somebody
   * without rights.
   */
  readonly notes?: NoteQuota | undefined;
  /** What is to be paid for it in its claim; absent for what costs nothing. */
  readonly bill?: Bill | undefined;
  readonly factSources: FactSources;
}

/** Outcome of a task: the effect, and who wrote its output. */
export interface Performed {
  readonly effect: Effect;
  readonly outputOrigin: Origin;
  /** The last mile asks and no approval was given: to be suspended. */
  readonly isToSuspend: boolean;
}

const ENDED: readonly Effect['state'][] = ['done', 'failed', 'refused'];

/** Calls of MCP tools go out like webhooks, but are performed by hands of their own, and once. */
const actuatorOf = ({ target, tool }: Action): string => (target === 'webhook' && isMcpTool(tool) ? 'mcp' : target);

const baseEffect = (task: Task, judged: Pick<JudgedAction, 'trace' | 'facts'>): Effect => ({
  schemaVersion: 1,
  n: task.n,
  actuator: actuatorOf(task.judged.action),
  state: 'refused',
  actionHash: task.judged.hash,
  trace: judged.trace,
  facts: judged.facts,
  tries: task.effect?.tries ?? 0,
  ...(waitsSince(task.effect) === undefined
    ? {}
    : { waitingSince: task.effect?.waitingSince, sentIds: task.effect?.sentIds }),
  ...defined({ approvalId: task.approvalId }),
  ...(task.found === undefined ? {} : { grantId: task.found.grant.id }),
});

export const perform = async (deps: PerformDeps, task: Task): Promise<Performed> => {
  const { effect } = task;
  const stands = (standing: Effect): Performed => ({
    effect: standing,
    outputOrigin: standing.outputOrigin ?? 'agent',
    isToSuspend: false,
  });
  if (effect !== undefined && ENDED.includes(effect.state)) return stands(effect);
  if (effect?.state === 'unknown' && effect.resolution !== 'retry') return stands(effect);
  if (effect?.state === 'suspended' && task.approvalId === undefined) return stands(effect);
  if (effect?.state === 'claimed') {
    const found = await judgeOldClaim(deps, task, effect);
    if (found !== undefined) return stands(found);
  }
  if (task.namedHash !== task.judged.hash || actionHash(task.judged.action) !== task.judged.hash) {
    return refuse(deps, task, { trace: [], facts: [] }, 'the action at hand is not the one that was decided');
  }
  if (task.judged.outcome === 'block') return refuse(deps, task, { trace: [], facts: [] }, 'the gates had blocked it');
  const judged = await judgeAction(deps.gateSet, task.judged.action, task.factSources);
  const isGranted = task.found !== undefined && judged.outcome === 'pass';
  const isToSuspend = task.approvalId === undefined && isAskedAbout(task, judged) && !isGranted;
  // Who is stopped asks nobody: what was queued is refused, and a resume does not bring it back.
  if (isToSuspend && isHeld(judged)) return refuse(deps, task, judged, lastReason(judged));
  // A command of somebody without rights is refused: nobody is asked about it.
  if (isToSuspend && isOthersCommand(task, judged)) return refuse(deps, task, judged, 'only an approver may do this');
  if (isToSuspend) return { effect: baseEffect(task, judged), outputOrigin: 'agent', isToSuspend };
  if (judged.outcome !== 'pass' || judged.hash !== task.judged.hash)
    return refuse(deps, task, judged, lastReason(judged));
  if (hasAsked(judged.trace) && task.approvalId === undefined && !isGranted)
    return refuse(deps, task, judged, 'it needs an approval');
  return claimAndDeliver(deps, task, judged);
};

/** Asked about when it was decided; a person's command also where only Act, which knows the owner's policy, asks. */
const isAskedAbout = (task: Task, judged: JudgedAction): boolean => {
  if (task.judged.outcome === 'ask') return true;
  const isBlocked = judged.trace.some((entry) => entry.verdict === 'block');
  return task.judged.action.author === 'owner' && hasAsked(judged.trace) && !isBlocked;
};

const isOthersCommand = ({ judged: { action } }: Task, { facts }: JudgedAction): boolean =>
  action.author === 'owner' && facts.at(-1)?.origin === 'outside';

const lastReason = (judged: JudgedAction): string =>
  judged.trace.findLast((entry) => entry.verdict === 'block')?.reason ?? 'the gates did not let it pass';

const HOLDING_GATES: readonly string[] = ['kill-switch', 'flood'];

/** The space or the conversation is stopped. */
export const isHeld = ({ trace }: Pick<Effect, 'trace'>): boolean =>
  trace.some(({ gate, verdict }) => verdict === 'block' && HOLDING_GATES.includes(gate));

/** Set where the kill switch was seen only after the claim. */
const STOPPED = 'stopped before it was performed';

/** Refused because somebody or something stopped it, and for nothing it is itself. */
export const wasStopped = (effect: Effect): boolean =>
  effect.state === 'refused' && (isHeld(effect) || effect.reason === STOPPED);

const claim = (deps: PerformDeps, base: Omit<Effect, 'state' | 'schemaVersion'>, now: number): Effect =>
  claimedEffect(base, {
    now,
    remainingMs: deps.remainingMs(),
    claim: `${deps.stackRun ?? ''}${deps.newId()}`,
    tries: base.tries + 1,
  });

/** A claim another delivery left: under way, lost with its outcome, or free to be claimed again (`undefined`). */
const judgeOldClaim = async (deps: PerformDeps, task: Task, effect: Effect): Promise<Effect | undefined> => {
  const now = deps.now();
  const isDead = deps.stackRun !== undefined && effect.claim?.startsWith(deps.stackRun) !== true;
  const leaseUntil = effect.leaseUntil ?? 0;
  if (!isDead && now < leaseUntil) {
    const [isWaiting, afterMs] = [waitsSince(effect) !== undefined, leaseUntil - now + 1];
    if (isWaiting) throw new WaitingError(effect.reason ?? 'its channel took nothing', afterMs);
    throw new RetryLaterError('another delivery holds the claim', afterMs);
  }
  const isRepeatable = deps.actuators.get(effect.actuator)?.kind !== 'once' || task.judged.action.edits !== undefined;
  if (isRepeatable || effect.isReleased === true) {
    if (isDead) await settleEffect(deps.table, task.signal, effect, { state: 'claimed', leaseUntil: 0 }, now);
    return undefined;
  }
  const reason = 'the process ended while sending: it may or may not have arrived';
  return settleEffect(deps.table, task.signal, effect, { state: 'unknown', reason }, now);
};

const refuse = async (
  deps: PerformDeps,
  task: Task,
  judged: Pick<JudgedAction, 'trace' | 'facts'>,
  reason: string,
): Promise<Performed> => {
  const now = deps.now();
  const effect: Effect = { ...baseEffect(task, judged), state: 'refused', reason, settledAt: now };
  if (task.effect === undefined) await recordEffect(deps.table, task.signal, effect);
  else await refuseExisting(deps, task, effect, now);
  return { effect, outputOrigin: 'agent', isToSuspend: false };
};

/**
 * A suspended or lapsed effect that the last mile does not let through any more. It is never
 * `claimed` on the way: a process that died in between would leave an action that looks performed
 * though a gate blocked it.
 */
const refuseExisting = async (deps: PerformDeps, task: Task, effect: Effect, now: number): Promise<void> => {
  // The approval it was asked for under, whatever the message named: by it a restart finds what is still to be told.
  const { approvalId: _named, ...base } = effect;
  const asked = task.effect?.approvalId;
  const row = { ...base, ...defined({ approvalId: asked }), tries: effect.tries + 1 };
  await claimEffect(deps.table, task.signal, row, now, 'again');
};

const claimKind = (task: Task): ClaimKind => {
  if (task.found !== undefined && !task.found.isSpentHere) return 'grant';
  if (task.effect === undefined) return 'first';
  return task.effect.state === 'suspended' ? 'spend' : 'again';
};

/** Between the gates and the claim its last use was spent, or a person took it back: then a person is asked. */
const isGrantOver = async (deps: PerformDeps, { found, signal }: Task): Promise<boolean> => {
  const grant = found === undefined ? undefined : await loadGrant(deps.table, signal.space, found.grant.id);
  return grant === undefined || !isUsable(grant, deps.now());
};

/** A text that waits took its slot with its first try. */
const hasHomeChatSlot = async (
  deps: PerformDeps,
  { signal, judged }: Task,
  base: Effect,
  now: number,
): Promise<boolean> =>
  base.waitingSince !== undefined || !isUnasked(signal, judged.action) || takeHomeChatSlot(deps.table, signal, now);

interface Claim {
  readonly row: Effect;
  readonly now: number;
  readonly kind: ClaimKind;
  readonly payment: readonly Write[];
}

/**
 * The claim is given back: nothing was performed under it, so the next delivery may claim again.
 */
const GIVEN_BACK = { state: 'claimed', leaseUntil: 0, isReleased: true } as const;

/**
 * Claims the action and reads the kill switch. A claim whose answer never came is given back, or it
 * would end `unknown`.
 */
const takeClaim = async (
  { table }: PerformDeps,
  { signal, judged, consentedAt }: Task,
  { row, now, kind, payment }: Claim,
): Promise<'ours' | 'another' | 'stopped'> => {
  try {
    if (!(await claimEffect(table, signal, row, now, kind, payment))) return 'another';
    const isExempt = judged.action.author === 'code';
    return !isExempt && isStoppedFor(await loadKillSwitch(table, signal.space), consentedAt) ? 'stopped' : 'ours';
  } catch (error) {
    if (error instanceof UnavailableError) await settleEffect(table, signal, row, GIVEN_BACK, now);
    throw error;
  }
};

const claimAndDeliver = async (deps: PerformDeps, task: Task, judged: JudgedAction): Promise<Performed> => {
  const { action } = judged;
  const actuator = deps.actuators.get(actuatorOf(action));
  const base = baseEffect(task, judged);
  if (actuator === undefined) {
    if (action.target !== 'console' && action.target !== 'system')
      return refuse(deps, task, judged, `there is no actuator ${action.target} here`);
    const done: Effect = { ...base, state: 'done', settledAt: deps.now() };
    await recordEffect(deps.table, task.signal, done);
    return { effect: done, outputOrigin: 'agent', isToSuspend: false };
  }
  // One moment of the claim: what it spends is judged and stored by it, and the action is claimed
  // at it.
  const now = deps.now();
  if (!(await hasHomeChatSlot(deps, task, base, now))) {
    return refuse(deps, task, judged, 'the home chat has had its texts for this hour');
  }
  const paid = task.bill && payBill(task.bill, task.signal.space, now);
  if (paid !== undefined && 'problem' in paid) return refuse(deps, task, judged, paid.problem);
  if (task.notes?.problem !== undefined) return refuse(deps, task, judged, task.notes.problem);
  const cost = task.bill === undefined ? {} : { costUsd: task.bill.usd };
  const row = { ...claim(deps, base, now), ...cost };
  const kind = claimKind(task);
  const payment = [...(paid === undefined ? [] : [paid.write]), ...(task.notes?.writes ?? [])];
  const taken = await takeClaim(deps, task, { row, now, kind, payment });
  if (taken === 'another') {
    if (kind === 'grant' && (await isGrantOver(deps, task)))
      return { effect: baseEffect({ ...task, found: undefined }, judged), outputOrigin: 'agent', isToSuspend: true };
    throw new RetryLaterError('another delivery claimed the effect first', RETRY_BACKOFF_MS[0]);
  }
  if (taken === 'stopped') {
    const effect = await settleEffect(deps.table, task.signal, row, { state: 'refused', reason: STOPPED }, deps.now());
    return { effect, outputOrigin: 'agent', isToSuspend: false };
  }
  const facts = judged.facts.at(-1);
  const result = await actuator.deliver(action, {
    effectId: `${task.signal.space}/${task.signal.id}#${task.n}`,
    now: deps.now(),
    addresses: facts?.network?.addresses ?? [],
    origin: facts?.origin ?? 'outside',
    askedBy: facts?.askedBy ?? 'member',
    signalId: task.signal.id,
    sentIds: base.sentIds ?? [],
    actor: action.author === 'owner' ? task.signal.sender.id : 'agent',
  });
  return settle(deps, task, row, result);
};

/**
 * First and longest wait of a text that could not be sent; in between, as long again as it has
 * waited.
 */
const UNSENT_WAIT_MS_MIN = 5_000;
const UNSENT_WAIT_MS_MAX = 5 * 60_000;
/** A text is of use for so long after it was first tried. */
const UNSENT_TEXT_MS_MAX = 24 * 3_600_000;

/**
 * A text that was certainly not sent waits for its channel; undefined once it has waited for too
 * long.
 */
const planWait = (row: Effect, result: Extract<ActuatorResult, { state: 'retry' }>, now: number) => {
  const { afterMs = 0, reason, sentIds = [] } = result;
  const waitingSince = row.waitingSince ?? now;
  const waited = now - waitingSince;
  if (waited >= UNSENT_TEXT_MS_MAX) return undefined;
  const ownMs = Math.min(Math.max(waited, UNSENT_WAIT_MS_MIN), UNSENT_WAIT_MS_MAX);
  const leaseUntil = now + Math.max(ownMs, afterMs);
  const sent = sentIds.length === 0 ? {} : { sentIds: [...sentIds] };
  return { state: 'claimed', leaseUntil, isReleased: true, waitingSince, reason, ...sent } as const;
};

/**
 * The signal stays under way for as long as it waits: the sweep counts no tries, and looks when the
 * next one is due.
 */
const postponeSweep = async (table: Pick<Table, 'update'>, { space, id }: Signal, dueAt: number): Promise<void> => {
  await table.update(
    signalKeys.record(space, id),
    { set: { unfinishedSpace: indexPartitions.unfinishedSignals(space), unfinishedAt: dueAt, sweeps: 0 } },
    { name: 'signal is under way', holds: oneOf('state', ['perceived', 'reasoned', 'suspended']) },
  );
};

const settle = async (deps: PerformDeps, task: Task, row: Effect, result: ActuatorResult): Promise<Performed> => {
  const now = deps.now();
  const end = async (settlement: Parameters<typeof settleEffect>[3], outputOrigin: Origin): Promise<Performed> => ({
    effect: await settleEffect(deps.table, task.signal, row, settlement, now),
    outputOrigin,
    isToSuspend: false,
  });
  switch (result.state) {
    case 'done':
      return end({ state: 'done', output: result.output, outputOrigin: result.origin }, result.origin);
    case 'failed':
      return end({ state: 'failed', reason: result.reason }, 'agent');
    case 'unknown':
      return end({ state: 'unknown', reason: result.reason }, 'agent');
    case 'retry': {
      const wait = isText(task.judged.action) ? planWait(row, result, now) : undefined;
      if (wait !== undefined) {
        await settleEffect(deps.table, task.signal, row, wait, now);
        await postponeSweep(deps.table, task.signal, wait.leaseUntil);
        throw new WaitingError(result.reason, wait.leaseUntil - now);
      }
      if (row.waitingSince !== undefined)
        return end({ state: 'failed', reason: `${result.reason} for a day` }, 'agent');
      if (row.tries >= RECEIVE_COUNT_MAX)
        return end({ state: 'failed', reason: `${result.reason} (${row.tries} tries)` }, 'agent');
      await settleEffect(deps.table, task.signal, row, GIVEN_BACK, now);
      throw new RetryLaterError(
        result.reason,
        result.afterMs ?? RETRY_BACKOFF_MS[Math.min(row.tries, RETRY_BACKOFF_MS.length) - 1] ?? RETRY_BACKOFF_MS[0],
      );
    }
    default: {
      const never: never = result;
      return never;
    }
  }
};
