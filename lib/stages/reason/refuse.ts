/**
 * Refusals of Reason: a decision whose only action is a notice, in plain words for whoever asked.
 * And notices to the owner about keys that a provider refuses, once a day each.
 */

import { defined } from '../../base/defined.ts';
import type { LlmError, ProviderTrouble } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { type Notice, notices } from '../../judge/notices.ts';
import { buildNoticeDecision, saveNotice } from '../../judge/notify.ts';
import { actMessage } from '../../ledger/ledger.ts';
import { noteRefused } from '../../ledger/quota.ts';
import { FAILURES } from '../../ledger/recover-failure.ts';
import { NOTHING_TO_SUMMARISE } from '../../ledger/session.ts';
import type { Priced } from '../../llm/prices.ts';
import { cureOf, describeFault, FAULT_WORDS } from '../../llm/provider-faults.ts';
import { isEveryKeyRefused, RECOVERIES } from '../../llm/provider-health.ts';
import { entryName, isEmbeddingRefused, noticeName } from '../../money/day-spend.ts';
import { describeCap, describeReset } from '../../money/describe-spending.ts';
import type { CapCheck } from '../../money/plan-reservation.ts';
import { claimNotice } from '../../money/reserve.ts';
import { isOwnerSpeaking } from '../../signal/asker.ts';
import { chatRoute, chatSession, homeRoute, isGroup, sendsMessages } from '../../signal/channels.ts';
import type { Decision, ModelFailure } from '../../signal/decision.ts';
import type { ReplyRoute, Sensor, Signal } from '../../signal/signal.ts';
import type { LoadedTurn } from './load-turn.ts';
import type { ReasonDeps, TurnContext } from './reason-deps.ts';

/** A text sent here is only stored in the record; no person gets it. */
const NOBODY: ReplyRoute = { target: 'system', to: '' };

export const refuse = async (
  { gateSet, now }: Pick<ReasonDeps, 'gateSet' | 'now'>,
  signal: Pick<Signal, 'id' | 'space' | 'reply'>,
  reason: string,
  list: readonly Notice[],
  attemptCount = 0,
): Promise<Decision> => ({
  ...(await buildNoticeDecision({ gateSet, now: now() }, signal, 'refuse', reason, list)),
  attemptCount,
});

const SAID = { llm: FAILURES.llm.said, budget: 'a bound of spending had no room for it' } as const;

/** The refusal with its facts, if a handler of a skill listens to such failures. */
export const withFailure = (
  { skills: { skills } }: Pick<LoadedTurn, 'skills'>,
  decision: Decision,
  kind: ModelFailure['kind'],
  facts: JsonObject,
): Decision => {
  const isHeard = skills.some(({ definition }) => definition.handlers.some(({ on }) => on.includes(`error:${kind}`)));
  if (!isHeard) return decision;
  const report = { failure: kind, said: SAID[kind], attempts: decision.attemptCount, ...facts };
  return { ...decision, failure: { kind, report } };
};

/** @returns undefined if the model may be asked */
export const refuseUnasked = async (deps: ReasonDeps, turn: LoadedTurn): Promise<Decision | undefined> => {
  const { signal } = turn.record;
  if (turn.isStopped) return refuseStopped(deps, turn, 0);
  const because = turn.head?.stoppedBecause;
  if (because !== undefined) {
    // The owner has heard of the stop itself: only people who asked are told.
    const isTold =
      ASKED_BY_PEOPLE.includes(signal.payload.sensor) && (await isToldOfStop(deps, turn, turn.head?.stoppedAt ?? 0));
    const reply = isTold ? signal.reply : NOBODY;
    return refuse(deps, { ...signal, reply }, 'the conversation is stopped', [notices.isSessionStopped(because)]);
  }
  if (signal.payload.sensor === 'session-summary' && turn.steps.length === 0)
    return refuse(deps, signal, NOTHING_TO_SUMMARISE, [notices.nothingToSummarise()]);
  return refuseWhileKeysRefused(deps, turn);
};

const ASKED_BY_PEOPLE: readonly Sensor[] = ['chat-message', 'tool-output', 'tool-error'];

/** Whether nobody waits for an answer: webhooks, jobs, what follows from these, and failures. */
export const isBackground = (signal: Pick<Signal, 'payload'>, rootSensor: Sensor): boolean =>
  signal.payload.sensor === 'loop-error' || rootSensor !== 'chat-message';

/** While every provider refuses its key, only people may have the providers asked. */
const refuseWhileKeysRefused = async (deps: ReasonDeps, turn: LoadedTurn): Promise<Decision | undefined> => {
  const { record, rootPayload, spending } = turn;
  const { signal } = record;
  const isRefused = isEveryKeyRefused(deps.budget.providers, spending.item, deps.now());
  if (!isBackground(signal, rootPayload.sensor) || !isRefused) return undefined;
  // A person hears how their own words ended. The owner has heard of all else.
  const isToBeTold = !isBackground({ payload: rootPayload }, rootPayload.sensor);
  const notice = notices.notAsked(signal.id);
  const why = 'every provider refused its key or has no credit left, and nobody waits for this';
  const refusal = await refuse(deps, signal, why, [isToBeTold ? notice : { ...notice, route: NOBODY }]);
  const providers = deps.budget.providers.map(({ name: provider }) => ({ provider, fault: 'unasked' }));
  return withFailure(turn, refusal, 'llm', { providers });
};

/** Of a conversation's messages from before a stop, only the first is answered with it. */
const isToldOfStop = async (
  deps: Pick<ReasonDeps, 'table' | 'now'>,
  { record: { signal }, rootRecord }: LoadedTurn,
  stoppedAt: number,
): Promise<boolean> => {
  const { space, session, id } = signal;
  if (rootRecord.signal.receivedAt > stoppedAt) return true;
  return claimNotice(deps.table, space, deps.now(), `stop_${stoppedAt}_${entryName(session)}`, id);
};

export const refuseStopped = async (deps: ReasonDeps, turn: LoadedTurn, attempts: number): Promise<Decision> => {
  const { signal } = turn.record;
  const notice = notices.isStopped();
  const said = (await isToldOfStop(deps, turn, turn.stoppedAt)) ? notice : { ...notice, route: NOBODY };
  return refuse(deps, signal, 'the kill switch is on', [said], attempts);
};

/** No provider answered. */
export const refuseUnanswered = async ({ deps, turn, rejected }: TurnContext, error: LlmError): Promise<Decision> => {
  const { signal } = turn.record;
  const isWithheld = error.troubles.at(-1)?.fault === 'policy';
  const notice = isWithheld ? notices.withheld(signal.id) : notices.noModel(adviceFor(turn, error), signal.id);
  const refusal = await refuse(deps, signal, reasonFor(turn, error), [notice], rejected.length);
  const providers = error.troubles.map(({ place, fault }) => ({ provider: error.cascade[place] ?? '', fault }));
  return withFailure(turn, refusal, 'llm', { providers });
};

/** Only the owner hears the name of a setting, and not in a group. */
const isOwnerAlone = ({ asker, record: { signal } }: Pick<LoadedTurn, 'asker' | 'record'>): boolean =>
  isOwnerSpeaking(asker) && !isGroup(signal.reply);

/** The owner reads of each provider what mends it; "try again" only if that can help. */
const adviceFor = (turn: LoadedTurn, { troubles, cascade }: LlmError): string => {
  const lasting = troubles.filter(({ fault }) => !FAULT_WORDS[fault].passes);
  const isAllLasting = lasting.length > 0 && lasting.length === troubles.length;
  const last = isAllLasting ? 'Only the owner can mend that.' : 'Please try again in a while.';
  if (!isOwnerAlone(turn)) return last;
  const asked = troubles.filter(({ fault }) => fault !== 'unasked');
  const sentences = asked.map(({ place, fault, model }) => describeFault(fault, { name: cascade[place] ?? '', model }));
  return [...sentences.map((text) => `Attention: ${text}.`), ...(isAllLasting ? [] : [last])].join(' ');
};

/** For `/why`: each failure, for the owner with what mends it. */
const reasonFor = (turn: LoadedTurn, { message, troubles, failures, cascade }: LlmError): string => {
  if (!isOwnerAlone(turn) || failures.length !== troubles.length || failures.length === 0) return message;
  const lines = troubles.map(({ place, fault }, n) => `${failures[n]}: ${cureOf(fault, cascade[place] ?? '')}`);
  return `no language model answered: ${lines.join('; ')}`;
};

/**
 * A cap has no room for the call. The owner is told each time, another person once a day, and work
 * nobody waits for once a day. The home chat hears of each cap once a day.
 */
export const refuseOverBudget = async (context: TurnContext, over: CapCheck): Promise<Decision> => {
  const { deps, turn, rejected, spending } = context;
  const { signal } = turn.record;
  const { homeChat } = deps.budget;
  const now = deps.now();
  if (spending.mayUseReserve && (over.cap === 'day' || over.cap === 'tokens')) deps.onDaySpent?.();
  const [asker] = spending.quotas;
  const capName = asker === undefined ? over.cap : `${over.cap}_others`;
  const isFirst = await claimNotice(deps.table, signal.space, now, capName, signal.id);
  const refused = { id: signal.id, what: 'spending' };
  const isAskerTold = asker === undefined || (await noteRefused(deps.table, signal.space, asker, refused, now));
  const isInChat = isAskerTold && turn.rootPayload.sensor === 'chat-message';
  const words = describeCap(over);
  const noticeFor = (isToOwner: boolean): Notice =>
    notices.overBudget(words, describeReset(over, now, isToOwner), signal.id);
  const notice = noticeFor(isOwnerAlone(turn));
  const isAtHome = sendsMessages(signal.reply.target) && signal.reply.to === homeChat;
  if (isFirst && homeChat !== '' && !isAtHome)
    context.notices.push(toHomeChat(deps, noticeFor(!isGroup(chatRoute(homeChat)))));
  const said = isInChat || isFirst ? notice : { ...notice, route: NOBODY };
  const refusal = await refuse(deps, signal, `over the budget: ${words}`, [said], rejected.length);
  return withFailure(turn, refusal, 'budget', capFacts(over, turn.asker === 'member'));
};

/** Amounts are micro-dollars, tokens or conversations. A member learns none of them. */
const capFacts = ({ cap, limit, committed, requested }: CapCheck, isMember: boolean): JsonObject =>
  isMember ? { cap } : { cap, limit, committed, requested, left: Math.max(0, limit - committed) };

/**
 * Adds the notices that were collected for the owner to a decision. One to another chat is a signal
 * of its own, and no part of the turn: nobody here waits until Telegram takes it.
 */
export const withNotices = async (
  { deps, turn, notices: list }: TurnContext,
  decision: Decision,
): Promise<Decision> => {
  const { signal } = turn.record;
  const context = { gateSet: deps.gateSet, now: deps.now() };
  const here: Notice[] = [];
  for (const [n, notice] of list.entries()) {
    const { route = signal.reply } = notice;
    if (route.to === signal.reply.to) here.push(notice);
    else {
      const parent = { ...signal, session: chatSession(route.to), reply: route };
      const saved = await saveNotice(deps.table, context, parent, `home-${n}`, notice);
      await deps.publishAct(actMessage(saved.signal, saved.decision), 'act:0');
    }
  }
  if (here.length === 0) return decision;
  const { actions } = await buildNoticeDecision(context, signal, 'act', '', here);
  return { ...decision, actions: [...decision.actions, ...actions] };
};

/** Sends a notice to the home chat; without one, to whoever asked. */
const toHomeChat = ({ budget: { homeChat } }: Pick<ReasonDeps, 'budget'>, notice: Notice): Notice => ({
  ...notice,
  ...defined({ route: homeRoute(homeChat) }),
});

const EMBEDDINGS = 'embeddings';

/**
 * Vectors are made in the background, where nobody can be told that the key is refused. The first
 * turn of a person that finds this on the day's counter says so, once a day.
 */
export const tellRefusedEmbeddings = async (
  deps: Pick<ReasonDeps, 'table' | 'budget' | 'now'>,
  { record: { signal }, rootPayload, spending: { item } }: Pick<LoadedTurn, 'record' | 'rootPayload' | 'spending'>,
): Promise<readonly Notice[]> => {
  const now = deps.now();
  if (!isEmbeddingRefused(item, now)) return [];
  const toldBy: unknown = item?.[noticeName(EMBEDDINGS)];
  // An earlier delivery of this signal may have claimed it and died before it stored its decision.
  if (toldBy !== undefined && toldBy !== signal.id) return [];
  if (deps.budget.homeChat === '' && isBackground(signal, rootPayload.sensor)) return [];
  if (!(await claimNotice(deps.table, signal.space, now, EMBEDDINGS, signal.id))) return [];
  return [toHomeChat(deps, notices.embeddingsRefused(signal.id))];
};

/**
 * Only the owner can mend a refused key or an account without credit: told once a day for each
 * provider, also if another provider answered. @param order the providers as they were asked
 */
export const tellRefusedKeys = async (
  {
    deps,
    turn,
  }: {
    readonly deps: Pick<ReasonDeps, 'table' | 'budget' | 'now'>;
    readonly turn: Pick<LoadedTurn, 'record' | 'asker' | 'rootPayload'>;
  },
  order: readonly Priced[],
  troubles: readonly ProviderTrouble[],
): Promise<readonly Notice[]> => {
  const { signal } = turn.record;
  const refusals = troubles.filter(({ fault }) => RECOVERIES[fault].isOwners);
  const fresh: { readonly name: string; readonly says: string }[] = [];
  for (const { place, fault } of refusals) {
    const name = order[place]?.name;
    if (name === undefined) continue;
    if (
      await claimNotice(
        deps.table,
        signal.space,
        deps.now(),
        `provider_${name.replaceAll('-', '_')}_${fault}`,
        signal.id,
      )
    )
      fresh.push({ name, says: FAULT_WORDS[fault].says });
  }
  const isEvery = order.every((_, index) => refusals.some(({ place }) => place === index));
  // The owner who asked reads it in the answer, which names what to change.
  const isAtHome = ['', signal.reply.to].includes(deps.budget.homeChat);
  if (isEvery && isAtHome && isOwnerAlone(turn) && !isBackground(signal, turn.rootPayload.sensor)) return [];
  return fresh.map(({ name, says }, index) => {
    const template = isEvery && index === fresh.length - 1 ? 'everyKeyRefused' : 'providerRefused';
    return toHomeChat(deps, notices[template](name, says, signal.id));
  });
};
