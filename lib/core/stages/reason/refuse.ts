/**
 * Refusals of Reason: a decision whose only action is a notice, in plain words for whoever asked.
 * Loaded late: most turns need none. Those that follow a failed question are in `refuse-failed.ts`.
 */

import { FAILURE_HEARERS } from '../../../features/lazy-reason.ts';
import { defined } from '../../base/defined.ts';
import type { JsonObject } from '../../base/json.ts';
import { type Notice, notices } from '../../judge/notices.ts';
import { buildNoticeDecision, saveNotice } from '../../judge/notify.ts';
import { actMessage } from '../../ledger/ledger.ts';
import { FAILURES } from '../../ledger/recover-failure.ts';
import { entryName } from '../../money/day-spend.ts';
import { claimNotice } from '../../money/reserve.ts';
import { chatOf, chatSession, homeRoute } from '../../signal/channels.ts';
import type { Decision, ModelFailure } from '../../signal/decision.ts';
import type { ReplyRoute, Sensor } from '../../signal/signal.ts';
import type { LoadedTurn } from './load-turn.ts';
import { loadLazy, type ReasonDeps, type TurnContext } from './reason-deps.ts';

/** A text sent here is only stored in the record; no person gets it. */
export const NOBODY: ReplyRoute = { target: 'system', to: '' };

export const refuse = async (
  { gateSet, now }: Pick<ReasonDeps, 'gateSet' | 'now'>,
  { record: { signal }, owner }: Pick<LoadedTurn, 'record' | 'owner'>,
  reason: string,
  list: readonly Notice[],
  attemptCount = 0,
  reply = signal.reply,
): Promise<Decision> => ({
  ...(await buildNoticeDecision(
    { gateSet, now: now(), settings: owner.settings },
    { ...signal, reply },
    'refuse',
    reason,
    list,
  )),
  attemptCount,
});

const SAID = { llm: FAILURES.llm.said, budget: 'a bound of spending had no room for it' } as const;

/** The refusal with its facts, if a feature listens to such failures. */
export const withFailure = (
  { records }: Pick<LoadedTurn, 'records'>,
  decision: Decision,
  kind: ModelFailure['kind'],
  facts: JsonObject,
): Decision => {
  if (!FAILURE_HEARERS.some((hears) => hears(records, kind))) return decision;
  const report = { failure: kind, said: SAID[kind], attempts: decision.attemptCount, ...facts };
  return { ...decision, failure: { kind, report } };
};

/** For a turn that may not ask a model (`may-ask.ts`). */
export const refuseUnasked = async (deps: ReasonDeps, turn: LoadedTurn): Promise<Decision> => {
  const { signal } = turn.record;
  if (turn.stop.isOn) return refuseStopped(deps, turn, 0);
  const because = turn.session.head?.stoppedBecause;
  if (because !== undefined) {
    // The owner has heard of the stop itself: only people who asked are told.
    const isTold =
      ASKED_BY_PEOPLE.includes(signal.payload.sensor) &&
      (await isToldOfStop(deps, turn, turn.session.head?.stoppedAt ?? 0));
    const reply = isTold ? signal.reply : NOBODY;
    return refuse(deps, turn, 'the conversation is stopped', [notices.isSessionStopped(because)], 0, reply);
  }
  if (signal.payload.sensor === 'session-summary' && turn.steps.length === 0)
    return {
      ...(await refuse(deps, turn, 'nobody said anything that could be summarised', [notices.nothingToSummarise()])),
      because: { code: 'nothing-to-summarise' },
    };
  return (await loadLazy()).refuseUnheard(deps, turn);
};

const ASKED_BY_PEOPLE: readonly Sensor[] = ['chat-message', 'tool-output', 'tool-error'];

/** Of a conversation's messages from before a stop, only the first is answered with it. */
const isToldOfStop = async (
  deps: Pick<ReasonDeps, 'table' | 'now'>,
  { record: { signal }, root }: LoadedTurn,
  stoppedAt: number,
): Promise<boolean> => {
  const { space, session, id } = signal;
  if (root.record.signal.receivedAt > stoppedAt) return true;
  return claimNotice(deps.table, space, deps.now(), `stop_${stoppedAt}_${entryName(session)}`, id);
};

export const refuseStopped = async (deps: ReasonDeps, turn: LoadedTurn, attempts: number): Promise<Decision> => {
  const notice = notices.isStopped();
  const said = (await isToldOfStop(deps, turn, turn.stop.at)) ? notice : { ...notice, route: NOBODY };
  return refuse(deps, turn, 'the kill switch is on', [said], attempts);
};

/**
 * Adds the notices that were collected for the owner to a decision. One to another chat is a signal
 * of its own, and no part of the turn: nobody here waits until Telegram takes it.
 */
export const withNotices = async (
  { deps, turn, notices: list }: TurnContext,
  decision: Decision,
): Promise<Decision> => {
  const { signal } = turn.record;
  const context = { gateSet: deps.gateSet, now: deps.now(), settings: turn.owner.settings };
  const here: Notice[] = [];
  for (const [n, notice] of list.entries()) {
    const { route = signal.reply } = notice;
    if (chatOf(route) === chatOf(signal.reply)) here.push(notice);
    else {
      const parent = { ...signal, session: chatSession(chatOf(route)), reply: route };
      const saved = await saveNotice(deps.table, context, parent, `home-${n}`, notice);
      await deps.publishAct(actMessage(saved.signal, saved.decision), 'act:0');
    }
  }
  if (here.length === 0) return decision;
  const { actions } = await buildNoticeDecision(context, signal, 'act', '', here);
  return { ...decision, actions: [...decision.actions, ...actions] };
};

/** Sends a notice to the home chat; without one, to whoever asked. */
export const toHomeChat = ({ budget: { homeChat } }: Pick<ReasonDeps, 'budget'>, notice: Notice): Notice => ({
  ...notice,
  ...defined({ route: homeRoute(homeChat) }),
});
