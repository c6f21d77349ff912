/**
 * Ends a signal that could not be worked on. The message is stored with its reason, also if it
 * names no signal (I6). The signal is marked with where it died, for a redrive. The turn is handed
 * on, the person is told, and the model is told once if that can help. Changes of memory are taken
 * back by an action of their own. Repeating it changes nothing.
 */

import * as z from 'zod/mini';
import { defined } from '../../base/defined.ts';
import { StoredItemError } from '../../base/errors.ts';
import { readJson } from '../../base/json.ts';
import { BODY_BYTES_MAX, SWEEP_BACKOFF_MS } from '../../base/limits.ts';
import type { GateSet } from '../../gates/engine/verify.ts';
import { baseFacts } from '../../judge/base-facts.ts';
import { decideByCode } from '../../judge/judge.ts';
import { loadPolicy } from '../../judge/load-policy.ts';
import { notices } from '../../judge/notices.ts';
import { buildNoticeSignal, type NoticeContext, saveNotice } from '../../judge/notify.ts';
import { policyKey, policyTextOf } from '../../judge/policy-setting.ts';
import { brokenPolicy, type SpacePolicy } from '../../judge/space-policy.ts';
import { acceptSignal, perceiveMessage } from '../../ledger/accept.ts';
import { advance, endedAs, noteChildren, parseDecision, parseRecord, saveDecidedSignal } from '../../ledger/ledger.ts';
import { buildRecordItem } from '../../ledger/record.ts';
import { FAILURES, type Failure, failureOfReason } from '../../ledger/recover-failure.ts';
import { leaveTurn, parseHead } from '../../ledger/session.ts';
import { type Choice, type GivenUpDeps, type Hooks, tellGivenUp } from '../../operations/hooks.ts';
import type { Action } from '../../signal/action.ts';
import type { Decision } from '../../signal/decision.ts';
import { OTHER_WORDS } from '../../signal/ids.ts';
import { buildChild, type Signal, type SignalState } from '../../signal/signal.ts';
import { deadLetterKey, sessionKey, signalKeys } from '../../store/keys.ts';
import { loadItem, loadNamed } from '../../store/load-named.ts';
import { putOnce } from '../../store/put-once.ts';
import type { Table } from '../../store/table.ts';
import { findTool } from '../../tools/catalogue.ts';

export interface DeadLetterDeps extends BuryDeps {
  readonly space: string;
}

/** A message as it was found, and the reason that the stage gave, if any. */
export interface DeadMessage {
  /** Name of the stage's queue that gave it up, or of the dead-letter queue if SQS moved it. */
  readonly queue: string;
  readonly messageId: string;
  readonly body: string;
  readonly reason: string | undefined;
}

const NamesSignal = z.object({ space: z.string(), signalId: z.string(), stage: z.optional(z.string()) });

const namedSignal = (body: string): z.infer<typeof NamesSignal> | undefined => {
  const { data } = NamesSignal.safeParse(readJson(body));
  // A draft that could not be shown is no failure of its signal.
  return data?.stage === 'draft' ? undefined : data;
};

export const recordDeadLetter = async (deps: DeadLetterDeps, message: DeadMessage): Promise<void> => {
  const named = namedSignal(message.body);
  const why = message.reason ?? 'delivered as often as allowed without success';
  await putOnce(deps.table, deadLetterKey(deps.space, named?.signalId ?? 'none', message.messageId), {
    schemaVersion: 1,
    queue: message.queue,
    body: message.body.slice(0, BODY_BYTES_MAX),
    reason: why,
    at: deps.now,
    ...defined({ signalId: named?.signalId }),
  });
  if (named === undefined || named.space !== deps.space) return;
  const { signalId: id, stage } = named;
  const items = await loadNamed(deps.table, {
    record: signalKeys.record(deps.space, id),
    decision: signalKeys.decision(deps.space, id),
  });
  if (items.record === undefined) return;
  const { signal, state } = parseRecord(id, items.record);
  if (PASSING.has(failureOfReason(why)) && isPast(stage, state, items.decision !== undefined)) return;
  await buryDead(deps, signal, why);
};

/** Failures that a repeated delivery may meet although an earlier one has done the work. */
const PASSING: ReadonlySet<Failure> = new Set(['silent', 'unavailable', 'race']);

/**
 * Whether the signal has come further than the message. Then it goes on by another message or waits
 * for a person; if not, the sweep publishes it again, with tries of its own. The sweep always takes
 * up an effect that Act left undone: a claim says how far it came.
 */
const isPast = (stage: string | undefined, state: SignalState, hasDecision: boolean): boolean =>
  stage === 'perceive' ? state !== 'received' : hasDecision;

/** Depth up to which the model is told: an error while handling an error tells the person only. */
const LOOP_ERROR_DEPTH_MAX = 2;

export interface BuryDeps extends GivenUpDeps {
  readonly gateSet: GateSet;
  readonly hooks: Hooks;
}

const UNDER_WAY: readonly SignalState[] = ['received', 'perceived', 'reasoned', 'suspended'];

/** @param why in plain words, without texts from outside */
export const buryDead = async (deps: BuryDeps, signal: Signal, why: string): Promise<void> => {
  const item = await loadItem(deps.table, signalKeys.record(signal.space, signal.id));
  const state = item === undefined ? undefined : parseRecord(signal.id, item).state;
  if (state === undefined || !(UNDER_WAY.includes(state) || state === 'dead-lettered')) return;
  const chosen = await tellGivenUp(deps.hooks, deps, signal, failureOfReason(why));
  const children = await tellFailure(deps, signal, why, chosen?.choice);
  await handTurnOn(deps, signal);
  await noteChildren(deps.table, signal, children);
  if (state === 'dead-lettered') return;
  const did = chosen === undefined ? undefined : deedOf(chosen.choice);
  const ended =
    did === undefined
      ? endedAs(signal.space, 'dead-lettered', deps.now, why)
      : endedAs(signal.space, 'dropped', deps.now, `${chosen?.by} ${did} after a failure: ${why}`);
  const change = did === undefined ? { ...ended, set: { ...ended.set, diedIn: state } } : ended;
  await advance(deps.table, signal, [state], change);
};

/** The words for a choice that ends the signal as dropped. */
const deedOf = (choice: Choice): string | undefined => {
  if (choice === 'skip') return 'left it';
  return typeof choice === 'object' && 'retry' in choice ? 'had it tried with other words' : undefined;
};

/** A notice about a failed notice would fail the same way, and errors about errors help nobody. */
const tellFailure = async (
  deps: BuryDeps,
  signal: Signal,
  why: string,
  choice: Choice | undefined,
): Promise<readonly string[]> => {
  const { sensor } = signal.payload;
  const failure = failureOfReason(why);
  const { said, isModelTold } = FAILURES[failure];
  if (sensor === 'notice') return [];
  const undo = await saveUndo(deps.table, deps, signal);
  if (undo !== undefined) await deps.publishPerceive(perceiveMessage(undo), UNDO);
  const undone = undo === undefined ? [] : [undo.id];
  if (choice === 'skip') return undone;
  if (typeof choice === 'object' && 'retry' in choice) {
    const again = buildChild(signal, OTHER_WORDS, { sensor: 'chat-message', text: [choice.retry] }, deps.now);
    await acceptSignal({ table: deps.table, publish: deps.publishPerceive }, again);
    return [...undone, again.id];
  }
  const notice = await saveNotice(deps.table, deps, signal, 'broken', notices.broken(signal.id, failure));
  await deps.publishPerceive(perceiveMessage(notice.signal), 'broken');
  const told = [notice.signal.id, ...undone];
  const isTooDeep = signal.depth + 1 > LOOP_ERROR_DEPTH_MAX;
  // By a choice of its own the model is left alone.
  const isToldToModel = isModelTold && choice === undefined && !isTooDeep;
  if (!isToldToModel || sensor === 'loop-error' || sensor === 'tool-error' || sensor === 'run-step') return told;
  const child = buildChild(
    signal,
    'e',
    // Code writes this text: an error may repeat outside text, and this counts as the agent's.
    { sensor: 'loop-error', stage: 'pipeline', message: said },
    deps.now,
  );
  await acceptSignal({ table: deps.table, publish: deps.publishPerceive }, child);
  return [...told, child.id];
};

const handTurnOn = async (deps: BuryDeps, signal: Signal): Promise<void> => {
  const item = await loadItem(deps.table, sessionKey(signal.space, signal.session));
  const next = await leaveTurn(deps.table, signal, item === undefined ? undefined : parseHead(signal.session, item));
  if (next !== undefined) await deps.publishPerceive(perceiveMessage({ ...signal, id: next }), `turn:${signal.id}`);
};

const UNDO = 'undo';

const hasChangedMemory = (decision: Decision): boolean =>
  decision.actions.some(({ action }) => action.target === 'tool' && findTool(action.tool ?? '')?.changesMemory);

const buildUndoAction = (signal: Signal): Action => ({
  target: 'tool',
  tool: 'revert',
  args: { signal: signal.id },
  explanation: 'the task failed for good, so what it had changed in memory is taken back',
  author: 'code',
  template: UNDO,
});

/** A policy that cannot be read denies the undo. The signal ends all the same. */
const policyInForce = async (table: Pick<Table, 'load'>, space: string): Promise<SpacePolicy> => {
  const item = await loadItem(table, policyKey(space));
  try {
    return await loadPolicy(policyTextOf(item));
  } catch (error) {
    if (error instanceof StoredItemError) return brokenPolicy('', 'it cannot be read');
    throw error;
  }
};

const buildUndoDecision = (
  { gateSet, now }: NoticeContext,
  undo: Signal,
  signal: Signal,
  policy: SpacePolicy,
): Promise<Decision> => {
  const { space, reply, session } = signal;
  const known = { stage: 'reason', now, space, setup: { gateSet }, policy, settings: undefined } as const;
  const facts = baseFacts(known, { reply, session, origin: 'agent' });
  return decideByCode(gateSet, { signalId: undo.id, outcome: 'act', reason: '' }, [buildUndoAction(signal)], facts);
};

/** Takes back what the signal changed in memory; undefined if there is nothing. */
const saveUndo = async (
  table: Pick<Table, 'load' | 'put'>,
  context: NoticeContext,
  signal: Signal,
): Promise<Signal | undefined> => {
  const item = await loadItem(table, signalKeys.decision(signal.space, signal.id));
  if (item === undefined || !hasChangedMemory(parseDecision(signal.id, item))) return undefined;
  const undo = buildNoticeSignal(signal, UNDO, UNDO, context.now);
  const record = buildRecordItem(undo, 'reasoned', context.now + SWEEP_BACKOFF_MS[0]);
  const policy = await policyInForce(table, signal.space);
  await saveDecidedSignal(table, undo, record, await buildUndoDecision(context, undo, signal, policy));
  return undo;
};
