/**
 * Asks for a summary when a conversation's history has grown too long and its oldest turns leave
 * it. A root signal asks for it, and waits for its turn like any other; a message that comes
 * meanwhile is answered beside it. A summary that failed is asked for again at the end of a later
 * turn, a few times at most. The session's head, which was read anyway, says whether one is due.
 * Asks no model here (I12).
 */
import { defined } from '../../base/defined.ts';
import { MINUTE_MS } from '../../base/limits.ts';
import { type AcceptDeps, acceptSignal } from '../../ledger/accept.ts';
import type { KillSwitch } from '../../ledger/kill-switch.ts';
import type { SessionHead } from '../../ledger/record.ts';
import { droppedTurns, owedTurns, type TurnEnding } from '../../ledger/session.ts';
import { isSummaryId, summarySignalId } from '../../signal/ids.ts';
import { SIGNAL_SCHEMA_VERSION, type Signal } from '../../signal/signal.ts';

/** Waits before a failed summary is asked for again; then until further turns leave. */
export const SUMMARY_BACKOFF_MS = [1 * MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS] as const;

/** @returns how often it was asked for; undefined if it is not due */
const triesBefore = (head: SessionHead, root: string, now: number): number | undefined => {
  if (droppedTurns(head.recent ?? [], root).length > 0) return 0;
  const { tries, at } = head.owed ?? { tries: 0, at: Number.POSITIVE_INFINITY };
  // The turn that failed tries nothing itself, and one that waits may still come to it.
  const isUnderWay = isSummaryId(root) || head.mailbox?.some(isSummaryId) === true;
  return isUnderWay || now < at || tries > SUMMARY_BACKOFF_MS.length ? undefined : tries;
};

export interface DueSummary {
  readonly signal: Signal;
  readonly asked: NonNullable<TurnEnding['asked']>;
}

/** The signal that is due when this one ends its turn. Pure. @param now epoch milliseconds */
export const buildSummarySignal = (
  signal: Pick<Signal, 'space' | 'session' | 'root'>,
  head: SessionHead | undefined,
  killSwitch: KillSwitch | undefined,
  now: number,
): DueSummary | undefined => {
  if (head?.turn !== signal.root) return undefined;
  if (killSwitch?.isStopped === true || head.stoppedBecause !== undefined) return undefined;
  const turns = owedTurns(head, signal);
  const last = turns.at(-1);
  const tries = triesBefore(head, signal.root, now);
  if (last === undefined || tries === undefined) return undefined;
  const id = summarySignalId(signal.session, last, tries);
  const due: Signal = {
    schemaVersion: SIGNAL_SCHEMA_VERSION,
    id,
    type: 'EVENT',
    source: 'system',
    space: signal.space,
    session: signal.session,
    root: id,
    depth: 0,
    receivedAt: now,
    sender: { id: 'system', isApprover: false },
    reply: { target: 'system', to: '' },
    payload: {
      sensor: 'session-summary',
      turns: [...turns],
      ...defined({ summary: head.summary?.id }),
    },
  };
  return { signal: due, asked: { tries: tries + 1, at: now + (SUMMARY_BACKOFF_MS[tries] ?? 0) } };
};

/** Before the turn is left: after a crash the same signal is due again, and changes nothing. */
export const askForSummary = async (
  deps: AcceptDeps,
  ...args: Parameters<typeof buildSummarySignal>
): Promise<TurnEnding['asked']> => {
  const due = buildSummarySignal(...args);
  if (due !== undefined) await acceptSignal(deps, due.signal);
  return due?.asked;
};
