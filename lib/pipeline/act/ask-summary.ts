/**
 * When a conversation's history grows too long, its oldest turns leave it: then, and only then, a root signal asks for their
 * summary. It waits for its turn like any other and answers nobody. Found out from the session's head as it was read anyway,
 * so that a turn which drops nothing asks the store for nothing. No model is asked here (I12).
 */
import { summarySignalId } from '../../signal/ids.ts';
import { SIGNAL_SCHEMA_VERSION, type Signal } from '../../signal/signal.ts';
import { type AcceptDeps, acceptSignal } from '../accept.ts';
import type { KillSwitch } from '../kill-switch.ts';
import type { SessionHead } from '../record.ts';
import { droppedTurns } from '../session.ts';

/** Conversations with people: what webhooks send is outside text, of which a summary could tell nothing. */
const WITH_PEOPLE = /^(telegram|console):/;

/** The signal that is due when this one ends its turn. Pure. @param now epoch milliseconds */
export const buildSummarySignal = (
  signal: Pick<Signal, 'space' | 'session' | 'root'>,
  head: SessionHead | undefined,
  killSwitch: KillSwitch | undefined,
  now: number,
): Signal | undefined => {
  if (head?.turn !== signal.root || !WITH_PEOPLE.test(signal.session)) return undefined;
  if (killSwitch?.isStopped === true || head.stoppedBecause !== undefined) return undefined;
  const turns = droppedTurns(head.recent ?? [], signal.root);
  const last = turns.at(-1);
  if (last === undefined) return undefined;
  const id = summarySignalId(signal.session, last);
  return {
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
      ...(head.summary === undefined ? {} : { summary: head.summary.id }),
    },
  };
};

/** Before the turn is left: a crash in between finds the same signal due again, and its repeat changes nothing. */
export const askForSummary = async (
  deps: AcceptDeps,
  ...args: Parameters<typeof buildSummarySignal>
): Promise<void> => {
  const due = buildSummarySignal(...args);
  if (due !== undefined) await acceptSignal(deps, due);
};
