/**
 * Stores and publishes the next try of a signal that waits for a model. Each try is a message of
 * its own, so that waiting uses up no deliveries. The person who asked is told once. A repeat of
 * any step finds the stored wait and publishes the same again.
 */

import { ConditionError, type ProviderFault } from '../../base/errors.ts';
import { SWEEP_BACKOFF_MS } from '../../base/limits.ts';
import { notices } from '../../judge/notices.ts';
import { saveNotice } from '../../judge/notify.ts';
import { actMessage, parseRecord } from '../../ledger/ledger.ts';
import type { ModelWait } from '../../ledger/record.ts';
import { childId } from '../../signal/ids.ts';
import type { ReasonMessage } from '../../signal/messages.ts';
import { absent, allOf, type Condition, equals } from '../../store/condition.ts';
import { signalKeys } from '../../store/keys.ts';
import { isItem } from '../../store/table.ts';
import type { LoadedTurn } from './load-turn.ts';
import { isBackground } from './may-ask.ts';
import type { ReasonDeps } from './reason-deps.ts';
import { MODEL_WAIT_MS, type ModelAway, pauseBefore } from './wait-for-model.ts';

const NOTICE = 'model-away';

/** Stores when the next try is due, and asks for it. */
export const waitForModel = async (
  deps: ReasonDeps,
  turn: LoadedTurn,
  message: ReasonMessage,
  { since, mayBeBilled, fault }: ModelAway,
): Promise<void> => {
  const { modelWait } = turn.record;
  const now = deps.now();
  const tries = (modelWait?.tries ?? 0) + 1;
  const next: ModelWait = {
    since,
    tries,
    dueAt: Math.min(now + pauseBefore(tries, mayBeBilled), since + MODEL_WAIT_MS),
  };
  const wait = await saveWait(deps, turn, next);
  if (wait !== undefined) await publishWait(deps, turn, message, wait, fault);
};

const isToBeTold = ({ record: { signal }, root }: LoadedTurn): boolean => !isBackground(signal, root.payload.sensor);

/** @returns the stored wait, ours or a faster delivery's; undefined if the signal has gone on */
const saveWait = async (deps: ReasonDeps, turn: LoadedTurn, next: ModelWait): Promise<ModelWait | undefined> => {
  const { signal, modelWait } = turn.record;
  const isAsRead: Condition = {
    name: 'the signal waits as it was read',
    holds: allOf(
      equals('state', 'perceived'),
      modelWait === undefined ? absent('modelWait') : equals('modelWait', { ...modelWait }),
    ),
  };
  // The sweep looks at it only if the try itself must have been lost.
  const set = { modelWait: next, unfinishedAt: next.dueAt + SWEEP_BACKOFF_MS[0] };
  const add = isToBeTold(turn) ? { add: { children: new Set([childId(signal.id, NOTICE)]) } } : {};
  try {
    await deps.table.update(signalKeys.record(signal.space, signal.id), { set, ...add }, isAsRead);
    return next;
  } catch (error) {
    if (!(error instanceof ConditionError) || !isItem(error.current)) throw error;
    const { state, modelWait: stored } = parseRecord(signal.id, error.current);
    return state === 'perceived' ? stored : undefined;
  }
};

/** Tells the sender, and asks for the next try. The queues drop a repeated message. */
export const publishWait = async (
  deps: ReasonDeps,
  turn: LoadedTurn,
  message: ReasonMessage,
  { since, tries, dueAt }: ModelWait,
  fault?: ProviderFault,
): Promise<void> => {
  const { signal } = turn.record;
  if (isToBeTold(turn)) {
    const notice = notices.modelAway(clockTime(since + MODEL_WAIT_MS, deps.identity.zone), signal.id, fault);
    const context = { gateSet: deps.gateSet, now: deps.now(), settings: turn.owner.settings };
    const saved = await saveNotice(deps.table, context, signal, NOTICE, notice);
    await deps.publishAct(actMessage(saved.signal, saved.decision), 'act:0');
  }
  await deps.publishReason({ ...message, retry: { tries, dueAt } }, `wait:${tries}`);
};

/** `14:05 CET` */
const clockTime = (at: number, zone: string): string => {
  const options = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
  try {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone }).format(at);
  } catch {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(at);
  }
};
