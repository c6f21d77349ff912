/**
 * Flood control at Act: counts what the gates blocked for a signal, once however often it is delivered, stops the
 * conversation where it is too much, and tells the owner, once a stop. A plain signal, with nothing blocked, costs no request.
 */

import { parseStored, type SessionHead, type SignalRecord } from '../../ledger/record.ts';
import { noteBlocks, stopSession } from '../../ledger/session-controls.ts';
import { Attempt, type Decision, type Effect, type JudgedAction } from '../../signal/decision.ts';
import type { ReplyRoute, Signal } from '../../signal/signal.ts';
import { signalKeys } from '../../store/keys.ts';
import type { ActDeps } from './act-deps.ts';
import { isHeld, type Performed } from './perform.ts';

type FloodDeps = Pick<ActDeps, 'table' | 'gateSet' | 'now' | 'homeChat'>;

/** The signal Act is at, and its conversation as last read. */
export interface InConversation {
  readonly record: SignalRecord;
  readonly decision: Decision;
  readonly head: SessionHead | undefined;
}

const blockedIn = (judged: readonly JudgedAction[]): number =>
  judged.filter(({ outcome }) => outcome === 'block').length;

/** The rejected attempts that are items of their own; the last one stands in the decision. */
const loadRejected = async (deps: FloodDeps, signal: Signal, decision: Decision): Promise<readonly Attempt[]> => {
  const isLastWithin = decision.outcome === 'act' || decision.attempt !== undefined;
  const count = Math.max(0, decision.attemptCount - (isLastWithin ? 1 : 0));
  const keys = Array.from({ length: count }, (_, index) => signalKeys.attempt(signal.space, signal.id, index + 1));
  if (keys.length === 0) return [];
  const items = await deps.table.load(keys, { isConsistent: true });
  return items.flatMap((item) => {
    if (item === undefined) return [];
    const { pk: _pk, sk: _sk, ...rest } = item;
    return [parseStored(`attempt of ${signal.id}`, rest, Attempt)];
  });
};

/** Counts what Reason's gates blocked. @returns the conversation's head as it stands afterwards. */
export const countBlocked = async (deps: FloodDeps, at: InConversation): Promise<SessionHead | undefined> => {
  const { record, decision, head } = at;
  const { signal } = record;
  const isCounted = record.state === 'suspended' || head?.blocks?.some(({ id }) => id === signal.id) === true;
  if (isCounted) return head;
  const rejected = await loadRejected(deps, signal, decision);
  const n = [...rejected, ...(decision.attempt === undefined ? [] : [decision.attempt])].reduce(
    (sum, { judged }) => sum + blockedIn(judged),
    0,
  );
  if (n === 0) return head;
  return noteBlocks(deps.table, signal, head, { id: signal.id, at: decision.at, n }, deps.now());
};

/** What was blocked because everything is stopped is no news. */
const isBlockedHere = (effect: Effect): boolean =>
  effect.state === 'refused' && !isHeld(effect) && effect.trace.some(({ verdict }) => verdict === 'block');

/** Counts what only the last mile blocked. */
export const countRefused = async (
  deps: FloodDeps,
  { record, decision, head }: InConversation,
  performed: readonly Performed[],
): Promise<SessionHead | undefined> => {
  const { signal } = record;
  let latest = head;
  for (const { effect } of performed) {
    if (decision.actions[effect.n]?.action.author !== 'model' || !isBlockedHere(effect)) continue;
    const entry = { id: `${signal.id}#${effect.n}`, at: effect.settledAt ?? deps.now(), n: 1 };
    latest = await noteBlocks(deps.table, signal, latest, entry, deps.now());
  }
  return latest;
};

/** More waits for people than they can look through: who asks for one more is stopped. */
export const stopForApprovals = (deps: FloodDeps, { record, head }: InConversation): Promise<SessionHead | undefined> =>
  stopSession(deps.table, record.signal, head, { because: 'approvals', by: record.signal.id }, deps.now());

/** Where the owner hears of what nobody asked for: the home chat, else whoever this conversation answers. */
const ownerRoute = (homeChat: string | undefined, { reply }: Signal): ReplyRoute => {
  if (homeChat !== undefined && homeChat !== '') return { target: 'telegram', to: homeChat };
  return reply.target === 'system' ? { target: 'console', to: 'main' } : reply;
};

/** @returns the notice to publish, for the signal that made its conversation stop; the same one when it is delivered again. */
export const tellStopped = async (deps: FloodDeps, { record, head }: InConversation): Promise<Signal | undefined> => {
  const { signal } = record;
  if (head?.stoppedBecause === undefined || head.stoppedBy !== signal.id) return undefined;
  const { notices } = await import('../../judge/notices.ts');
  const { saveNotice } = await import('../../judge/notify.ts');
  const parent = { ...signal, reply: ownerRoute(deps.homeChat, signal) };
  // Whoever asked for it is answered where it was said.
  if (head.stoppedBecause === 'asked' && parent.reply.to === signal.reply.to) return undefined;
  const notice = notices.sessionStopped(signal.session, head.stoppedBecause, signal.id);
  return (await saveNotice(deps.table, { gateSet: deps.gateSet, now: deps.now() }, parent, 'stopped', notice)).signal;
};
