/**
 * Flood control: counts what the gates blocked for a signal, once however often it is delivered,
 * and stops the conversation if it is too much. A signal with nothing blocked costs no request.
 */

import { isFormFault } from '../../judge/judge.ts';
import { parseAttempt } from '../../ledger/ledger.ts';
import type { SessionHead } from '../../ledger/record.ts';
import { noteBlocks } from '../../ledger/session-controls.ts';
import type { Attempt, Decision, Effect, JudgedAction } from '../../signal/decision.ts';
import type { Signal } from '../../signal/signal.ts';
import { signalKeys } from '../../store/keys.ts';
import type { ActDeps, LoadedDecision } from './act-context.ts';

export type InConversation = Pick<LoadedDecision, 'record' | 'decision' | 'head'>;

const HOLDING_GATES: readonly string[] = ['kill-switch', 'flood'];

/** The space or the conversation is stopped. */
export const isHeld = ({ trace }: Pick<Effect, 'trace'>): boolean =>
  trace.some(({ gate, verdict }) => verdict === 'block' && HOLDING_GATES.includes(gate));

/** A fault of form pushes against no rule: a weak model makes it in good faith. */
const countBlockedIn = (judged: readonly JudgedAction[]): number =>
  judged.filter((one) => one.outcome === 'block' && !isFormFault(one)).length;

/** Rejected attempts are items of their own; the last one stands in the decision. */
const loadRejected = async (
  { table }: ActDeps,
  { space, id }: Signal,
  { outcome, attempt, attemptCount }: Decision,
): Promise<readonly Attempt[]> => {
  const isLastInDecision = outcome === 'act' || attempt !== undefined;
  const count = Math.max(0, attemptCount - (isLastInDecision ? 1 : 0));
  const keys = Array.from({ length: count }, (_, index) => signalKeys.attempt(space, id, index + 1));
  if (keys.length === 0) return [];
  const items = await table.load(keys, { isConsistent: true });
  return items.flatMap((item) => (item === undefined ? [] : [parseAttempt(id, item)]));
};

/** Attempts at one signal are one wish: the worst counts. @returns the head afterwards */
export const countBlocked = async (
  deps: ActDeps,
  { record, decision, head }: InConversation,
): Promise<SessionHead | undefined> => {
  const { signal } = record;
  const isCounted = record.state === 'suspended' || head?.blocks?.some(({ id }) => id === signal.id) === true;
  if (isCounted) return head;
  const attempts = [...(await loadRejected(deps, signal, decision)), decision.attempt];
  const n = Math.max(...attempts.map((attempt) => countBlockedIn(attempt?.judged ?? [])));
  if (n === 0) return head;
  return noteBlocks(deps.table, signal, head, { id: signal.id, at: decision.at, n }, deps.now());
};

/** A block because everything is stopped is no news. */
const isBlockedHere = (effect: Effect): boolean =>
  effect.state === 'refused' && !isHeld(effect) && effect.trace.some(({ verdict }) => verdict === 'block');

/** Counts what only the last mile blocked. @returns the head afterwards */
export const countRefused = async (
  deps: ActDeps,
  { record, decision, head }: InConversation,
  effects: readonly Effect[],
): Promise<SessionHead | undefined> => {
  const { signal } = record;
  let latest = head;
  for (const effect of effects) {
    if (decision.actions[effect.n]?.action.author !== 'model' || !isBlockedHere(effect)) continue;
    const entry = { id: `${signal.id}#${effect.n}`, at: effect.settledAt ?? deps.now(), n: 1 };
    latest = await noteBlocks(deps.table, signal, latest, entry, deps.now());
  }
  return latest;
};
