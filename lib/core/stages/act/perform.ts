/** Performs an action at the last mile, once (I7). @throws RetryLaterError, UnavailableError */

import { defined } from '../../base/defined.ts';
import { RetryLaterError, UnavailableError, WaitingError } from '../../base/errors.ts';
import { RETRY_BACKOFF_MS } from '../../base/limits.ts';
import { hasAsked } from '../../gates/engine/verify.ts';
import { judgeAction } from '../../judge/judge.ts';
import { isStoppedFor, readKillSwitch } from '../../ledger/kill-switch.ts';
import { waitsSince } from '../../ledger/ledger.ts';
import { chatSettingOf, languageOf } from '../../ledger/owner-settings.ts';
import { type Action, actionHash, isText } from '../../signal/action.ts';
import type { Actuator, ActuatorContext, ActuatorResult } from '../../signal/actuator.ts';
import type { Because } from '../../signal/because.ts';
import { chatOf, findChannel, isGroup } from '../../signal/channels.ts';
import type { Effect, JudgedAction } from '../../signal/decision.ts';
import { CARRIES_NEWS, isTyped, TYPED_TEXT, VOICE_NOTE } from '../../signal/ids.ts';
import { isMcpTool } from '../../signal/mcp-name.ts';
import { isRunnerTool, machineOf } from '../../signal/runner-tools.ts';
import type { Write } from '../../store/table.ts';
import type { ActDeps, ActTurn, Performed, Task } from './act-context.ts';
import { loadLazy } from './act-context.ts';
import {
  type ClaimKind,
  claimEffect,
  claimedEffect,
  endTry,
  giveBack,
  isBegun,
  isInDoubt,
  recordEffect,
  settleEffect,
  settleResult,
} from './claim.ts';
import { isHeld } from './flood.ts';
import { askGuards } from './guard.ts';
import { isDecided } from './load-decision.ts';
import { isOwnChat, loadStanding, whyUnserved } from './served.ts';

/** The last mile asks a person, and no approval was given. */
interface Question {
  readonly ask: Effect;
}

type Judgement = Pick<JudgedAction, 'trace' | 'facts'>;

const ended = (effect: Effect): Performed => ({ effect, isTooMany: false });

export const performAction = async (deps: ActDeps, turn: ActTurn, task: Task): Promise<Performed> => {
  // 1. A record that exists stays as it is.
  const { effect } = task;
  if (effect?.state === 'suspended' && effect.handedTo !== undefined)
    return ended(await (await loadLazy()).collectHanded(deps, task, effect));
  if (effect !== undefined && isSettled(effect, task)) return standing(deps, turn, task, effect);
  if (effect?.state === 'claimed') {
    const lost = await judgeOldClaim(deps, task, effect);
    if (lost !== undefined) return ended(lost);
  }
  // 2. Only the decided action is performed (I1).
  const isTheDecided = task.namedHash === task.judged.hash && actionHash(task.judged.action) === task.judged.hash;
  if (!isTheDecided) return refuse(deps, task, NOT_JUDGED, 'the action at hand is not the one that was decided');
  const over = task.looks.map((look) => look.over).find((why) => why !== undefined);
  if (over !== undefined) return refuse(deps, task, NOT_JUDGED, over);
  const unserved = isOwnChat(task) ? whyUnserved(deps, task, turn.chat) : undefined;
  if (unserved !== undefined) return refuse(deps, task, NOT_JUDGED, unserved);
  if (task.judged.outcome === 'block') return refuse(deps, task, NOT_JUDGED, lastReason(task.judged));
  // 3. Judge the very bytes again (I4).
  const judged = await judgeAction(deps.gateSet, task.judged.action, task.factSources);
  // 4. Refuse it, or claim, deliver and settle it.
  const outcome = await performJudged(deps, turn, task, judged);
  if (!('ask' in outcome)) return outcome;
  // 5. Or suspend it, and ask a person.
  const gone = whyUnserved(deps, task, (await loadStanding(deps, task)).chat);
  if (gone !== undefined) return refuse(deps, task, judged, gone);
  const asked = task.judged.outcome === 'ask' ? task.judged : { ...task.judged, trace: outcome.ask.trace };
  return (await loadLazy()).suspendAction(deps, turn, { task, judged: asked, base: outcome.ask });
};

const performJudged = async (
  deps: ActDeps,
  turn: ActTurn,
  task: Task,
  judged: JudgedAction,
): Promise<Performed | Question> => {
  const isGranted = task.grant !== undefined && judged.outcome === 'pass';
  const isApproved = task.approvalId !== undefined;
  if (!isApproved && !isGranted && task.judged.outcome === 'ask') {
    // A stopped conversation asks nobody: what was queued is refused, and a resume does not bring
    // it back.
    if (isHeld(judged) || isBeyondAYes(task, judged)) return refuse(deps, task, judged, lastReason(judged));
    if (isCommandOfOthers(task, judged)) return refuse(deps, task, judged, 'only an approver may do this');
    return { ask: buildEffect(task, judged) };
  }
  if (judged.outcome !== 'pass' || judged.hash !== task.judged.hash)
    return refuse(deps, task, judged, lastReason(judged));
  if (hasAsked(judged.trace) && !isApproved && !isGranted) return refuse(deps, task, judged, 'it needs an approval');
  const actuator = deps.actuators.get(actuatorNameOf(task.judged.action));
  return actuator === undefined
    ? performByStoring(deps, task, judged)
    : claimAndDeliver(deps, turn, task, judged, actuator);
};

const RUNNER = 'runner';
const NOT_JUDGED: Judgement = { trace: [], facts: [] };
/** Calls of MCP tools and of the owner's machines have an actuator of their own. */
const actuatorNameOf = ({ target, tool, url }: Action): string => {
  if ((target === 'tool' && isRunnerTool(tool)) || machineOf(url) !== undefined) return RUNNER;
  return target === 'webhook' && isMcpTool(tool) ? 'mcp' : target;
};

const buildEffect = (task: Task, { trace, facts }: Judgement): Effect => ({
  schemaVersion: 1,
  n: task.n,
  actuator: actuatorNameOf(task.judged.action),
  state: 'refused',
  actionHash: task.judged.hash,
  trace,
  facts,
  tries: task.effect?.tries ?? 0,
  ...(waitsSince(task.effect) === undefined
    ? {}
    : { waitingSince: task.effect?.waitingSince, sentIds: task.effect?.sentIds }),
  ...defined({ approvalId: task.approvalId, grantId: task.grant?.grant.id }),
});

const isSettled = ({ state, resolution }: Effect, { approvalId }: Task): boolean => {
  if (state === 'unknown') return resolution !== 'retry';
  if (state === 'suspended') return approvalId === undefined;
  return state !== 'claimed';
};

/** A crash between suspending and publishing leaves a suspended action without its card. */
const standing = async (deps: ActDeps, turn: ActTurn, task: Task, effect: Effect): Promise<Performed> => {
  const isCardMissing = effect.state === 'suspended' && isDecided(turn.record.state);
  return {
    ...ended(effect),
    asked: isCardMissing ? await (await loadLazy()).loadAsked(deps, task.signal, effect) : undefined,
  };
};

/** A grant covers it, and a gate blocked it that had asked nothing: no yes would let it pass. */
const isBeyondAYes = ({ grant, judged: { trace } }: Task, judged: JudgedAction): boolean => {
  const blocking = judged.outcome === 'block' ? judged.trace.at(-1) : undefined;
  return (
    grant !== undefined &&
    blocking !== undefined &&
    !trace.some(({ gate, verdict }) => gate === blocking.gate && verdict === 'ask')
  );
};

const isCommandOfOthers = ({ judged: { action } }: Task, { facts }: JudgedAction): boolean =>
  isTyped(action) && facts.at(-1)?.origin === 'outside';

const lastReason = ({ trace }: JudgedAction): string =>
  trace.findLast(({ verdict }) => verdict === 'block')?.reason ?? 'the gates did not let it pass';

/** Judges a claim of another delivery; undefined if it may be claimed again. */
const judgeOldClaim = async (deps: ActDeps, { signal, judged }: Task, effect: Effect): Promise<Effect | undefined> => {
  const now = deps.now();
  const isDead = deps.stackRun !== undefined && effect.claim?.startsWith(deps.stackRun) !== true;
  const leaseUntil = effect.leaseUntil ?? 0;
  if (!isDead && now <= leaseUntil) {
    const afterMs = leaseUntil - now + 1;
    throw waitsSince(effect) === undefined
      ? new RetryLaterError('another delivery holds the claim', afterMs)
      : new WaitingError(effect.reason ?? 'its channel took nothing', afterMs);
  }
  const actuator = deps.actuators.get(effect.actuator);
  const isOnce = actuator?.isOnce?.(judged.action) ?? actuator?.kind === 'once';
  const isRepeatable = !isOnce || judged.action.edits !== undefined;
  if (isRepeatable || effect.isReleased === true) {
    if (isDead) await settleEffect(deps.table, signal, effect, { state: 'claimed', leaseUntil: 0 }, now);
    return undefined;
  }
  const reason = 'the process ended while sending: it may or may not have arrived';
  return settleEffect(deps.table, signal, effect, { state: 'unknown', reason }, now);
};

const takenByAnother = (): RetryLaterError =>
  new RetryLaterError('another delivery claimed the effect first', RETRY_BACKOFF_MS[0]);

const refuse = async (deps: ActDeps, task: Task, judged: Judgement, reason: string): Promise<Performed> => {
  const now = deps.now();
  const effect: Effect = { ...buildEffect(task, judged), reason, settledAt: now };
  if (task.effect === undefined) {
    await recordEffect(deps.table, task.signal, effect);
    return ended(effect);
  }
  if (isBegun(task.effect))
    return ended(await settleEffect(deps.table, task.signal, task.effect, endTry('refused', reason, true), now));
  // One write, never `claimed` on the way: a process that died in between would leave an action
  // that looks performed. It keeps the approval it was asked for under: by that a restart finds
  // what is still to be told.
  const { approvalId: _named, ...rest } = effect;
  const row = { ...rest, ...defined({ approvalId: task.effect.approvalId }), tries: effect.tries + 1 };
  if (!(await claimEffect(deps.table, task.signal, row, { now, kind: 'again' }))) throw takenByAnother();
  return ended(effect);
};

/** Texts to console and system are performed by storing their effect: nothing to lose. */
const performByStoring = async (deps: ActDeps, task: Task, judged: JudgedAction): Promise<Performed> => {
  const { target } = task.judged.action;
  if (target !== 'system' && findChannel(target)?.sendsMessages !== false)
    return refuse(deps, task, judged, `there is no actuator ${target} here`);
  const effect: Effect = { ...buildEffect(task, judged), state: 'done', settledAt: deps.now() };
  await recordEffect(deps.table, task.signal, effect);
  return ended(effect);
};

const claimAndDeliver = async (
  deps: ActDeps,
  turn: ActTurn,
  task: Task,
  judged: JudgedAction,
  actuator: Actuator,
): Promise<Performed | Question> => {
  const { signal } = task;
  const base = buildEffect(task, judged);
  // 1. Ask the guards. What the claim spends is judged and stored at one moment.
  const now = deps.now();
  const added = await askGuards(task.looks, { judged, now });
  if ('problem' in added) return refuse(deps, task, judged, added.problem);
  // 2. Claim it, with what the guards add.
  const claim = `${deps.stackRun ?? ''}${deps.newId()}`;
  const row: Effect = {
    ...claimedEffect(base, { now, remainingMs: deps.remainingMs(), claim, tries: base.tries + 1 }),
    ...defined({ costUsd: added.costUsd ?? task.effect?.costUsd }),
    ...(added.settled === undefined ? {} : { ...added.settled, settledAt: now }),
  };
  const kind = claimKindOf(task);
  const taken = await takeClaim(deps, task, row, { now, kind, payment: added.writes });
  // 3. What the claim settled is not performed now. A stop ends it when it is due.
  if (added.settled !== undefined && taken !== 'taken-by-another') return ended(row);
  // 4. Perform it, or settle why not.
  switch (taken) {
    case 'ours':
      return ended(await settleResult(deps, task, row, await deliver(deps, turn, task, judged, actuator, base)));
    case 'taken-by-another':
      if (task.grant !== undefined && kind === 'grant') {
        const { isGrantOver } = await loadLazy();
        if (await isGrantOver(deps.table, signal.space, task.grant.grant.id, deps.now()))
          return { ask: buildEffect({ ...task, grant: undefined }, judged) };
      }
      throw takenByAnother();
    default: {
      const settlement = endTry('refused', taken.reason, isBegun(task.effect), taken.because);
      return ended(await settleEffect(deps.table, signal, row, settlement, deps.now()));
    }
  }
};

const claimKindOf = ({ grant, effect }: Task): ClaimKind => {
  if (grant !== undefined && !grant.isSpentHere) return 'grant';
  if (effect === undefined) return 'first';
  return effect.state === 'suspended' ? 'spend' : 'again';
};

/** A text of code that nobody waits for, or that is for a person: a stop ends it. */
const STOPPED_TEMPLATES: readonly (string | undefined)[] = [VOICE_NOTE, CARRIES_NEWS, TYPED_TEXT];

/** The kill switch was seen only after the claim. */
const STOPPED_AFTER_CLAIM = { reason: 'stopped before it was performed', because: { code: 'stopped' } } as const;

/** Claims, then reads kill switch and chat. A claim whose answer was lost is given back. */
const takeClaim = async (
  deps: ActDeps,
  task: Task,
  row: Effect,
  how: { readonly now: number; readonly kind: ClaimKind; readonly payment: readonly Write[] },
): Promise<'ours' | 'taken-by-another' | { readonly reason: string; readonly because?: Because }> => {
  const { table } = deps;
  const { signal, judged, consentedAt, effect } = task;
  try {
    if (!(await claimEffect(table, signal, row, how))) return 'taken-by-another';
    const { author, template } = judged.action;
    const isExempt = author === 'code' && !STOPPED_TEMPLATES.includes(template);
    if (isExempt && isOwnChat(task)) return 'ours';
    const { killSwitch, chat } = await loadStanding(deps, task);
    if (!isExempt && isStoppedFor(readKillSwitch(killSwitch), consentedAt)) return STOPPED_AFTER_CLAIM;
    const reason = whyUnserved(deps, task, chat);
    return reason === undefined ? 'ours' : { reason };
  } catch (error) {
    if (error instanceof UnavailableError)
      await settleEffect(table, signal, row, giveBack(!isInDoubt(effect)), how.now);
    throw error;
  }
};

const deliver = async (
  deps: ActDeps,
  { decision, settings }: ActTurn,
  task: Task,
  judged: JudgedAction,
  actuator: Actuator,
  { sentIds = [], actuator: name }: Effect,
): Promise<ActuatorResult> => {
  const context = contextOf(deps, task, judged.facts.at(-1));
  const { buildHandOver } = name === RUNNER ? await loadLazy() : {};
  const handOver = buildHandOver?.(decision, task, judged);
  const { action } = task.judged;
  return actuator.deliver(action, {
    ...{ ...context, sentIds, ...defined({ handOver }) },
    endsWork:
      decision.actions.every((one) => isText(one.action)) && (task.signal.depth > 0 || decision.attemptCount > 1),
    ...{ language: languageOf(settings, task.signal.reply), lines: chatSettingOf(settings, 'lines', chatOf(action)) },
  });
};

/** The context of an actuator beside the action. @param known the facts of its last judgement */
export const contextOf = (
  deps: ActDeps,
  { signal, n, approvedBy, judged: { action } }: Task,
  known: JudgedAction['facts'][number] | undefined,
): ActuatorContext => ({
  effectId: `${signal.space}/${signal.id}#${n}`,
  now: deps.now(),
  addresses: known?.network?.addresses ?? [],
  origin: known?.origin ?? 'outside',
  askedBy: known?.askedBy ?? 'member',
  signalId: signal.id,
  session: signal.session,
  isInGroup: isGroup(signal.reply),
  actor: isTyped(action) ? signal.sender.id : 'agent',
  ...defined({ approvedBy, policyVersion: known?.policyVersion }),
});
