/**
 * Refusals of Reason after a question that failed or that no cap had room for, and notices to the
 * owner about keys that a provider refuses, once a day each. Loaded late: most turns need none.
 */

import type { LlmError, ProviderFault, ProviderTrouble } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { type ModelAdvice, type Notice, notices } from '../../judge/notices.ts';
import { isPassing } from '../../language/fault-texts.ts';
import { sayFinding } from '../../language/finding.ts';
import { findingTexts } from '../../language/finding-texts.ts';
import { noteRefused } from '../../ledger/quota.ts';
import type { Priced } from '../../llm/prices.ts';
import { cureOf, foundFault } from '../../llm/provider-cures.ts';
import { RECOVERIES } from '../../llm/provider-health.ts';
import { isEmbeddingRefused, noticeName } from '../../money/day-spend.ts';
import { describeCap } from '../../money/describe-spending.ts';
import type { CapCheck } from '../../money/plan-reservation.ts';
import { claimNotice } from '../../money/reserve.ts';
import { isOwnerSpeaking } from '../../signal/asker.ts';
import { chatOf, chatRoute, isGroup, sendsMessages } from '../../signal/channels.ts';
import type { Decision } from '../../signal/decision.ts';
import type { LoadedTurn } from './load-turn.ts';
import { isBackground } from './may-ask.ts';
import type { ReasonDeps, TurnContext } from './reason-deps.ts';
import { NOBODY, refuse, toHomeChat, withFailure } from './refuse.ts';

/** Every provider refuses its key, and nobody waits for an answer. */
export const refuseUnheard = async (deps: ReasonDeps, turn: LoadedTurn): Promise<Decision> => {
  const { record, root } = turn;
  const { signal } = record;
  // A person hears how their own words ended. The owner has heard of all else.
  const isToBeTold = !isBackground(root, root.payload.sensor);
  const notice = notices.notAsked(signal.id);
  const why = 'every provider refused its key or has no credit left, and nobody waits for this';
  const refusal = await refuse(deps, turn, why, [isToBeTold ? notice : { ...notice, route: NOBODY }]);
  const providers = deps.budget.providers.map(({ name: provider }) => ({ provider, fault: 'unasked' }));
  return withFailure(turn, refusal, 'llm', { providers });
};

/** No provider answered. */
export const refuseUnanswered = async ({ deps, turn, rejected }: TurnContext, error: LlmError): Promise<Decision> => {
  const { signal } = turn.record;
  const isWithheld = error.troubles.at(-1)?.fault === 'policy';
  const notice = isWithheld ? notices.withheld(signal.id) : notices.noModel(adviceFor(turn, error), signal.id);
  const refusal = await refuse(deps, turn, reasonFor(turn, error), [notice], rejected.length);
  const providers = error.troubles.map(({ place, fault }) => ({ provider: error.cascade[place] ?? '', fault }));
  return withFailure(turn, refusal, 'llm', { providers });
};

/** Only the owner hears the name of a setting, and not in a group. */
const isOwnerAlone = ({ asker, record: { signal } }: Pick<LoadedTurn, 'asker' | 'record'>): boolean =>
  isOwnerSpeaking(asker) && !isGroup(signal.reply);

/** The owner reads of each provider what mends it; "try again" only if that can help. */
const adviceFor = (turn: LoadedTurn, { troubles, cascade }: LlmError): ModelAdvice => {
  const lasting = troubles.filter(({ fault }) => !isPassing(fault));
  const isAllLasting = lasting.length > 0 && lasting.length === troubles.length;
  if (!isOwnerAlone(turn)) return { faults: [], sentences: [], last: isAllLasting ? 'owner' : 'later' };
  const asked = troubles.filter(({ fault }) => fault !== 'unasked');
  const faults = asked.map(({ place, fault, model }) => foundFault(fault, { name: cascade[place] ?? '', model }));
  const sentences = faults.map((one) => sayFinding(findingTexts.en, one));
  return { faults, sentences, ...(isAllLasting ? {} : { last: 'later' }) };
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
  const isInChat = isAskerTold && turn.root.payload.sensor === 'chat-message';
  const noticeFor = (isToOwner: boolean): Notice => notices.overBudget(over, now, isToOwner, signal.id);
  const notice = noticeFor(isOwnerAlone(turn));
  const isAtHome = sendsMessages(signal.reply.target) && chatOf(signal.reply) === homeChat;
  if (isFirst && homeChat !== '' && !isAtHome)
    context.notices.push(toHomeChat(deps, noticeFor(!isGroup(chatRoute(homeChat)))));
  const said = isInChat || isFirst ? notice : { ...notice, route: NOBODY };
  const refusal = await refuse(deps, turn, `over the budget: ${describeCap(over)}`, [said], rejected.length);
  return withFailure(turn, refusal, 'budget', capFacts(over, turn.asker === 'member'));
};

/** Amounts are micro-dollars, tokens or conversations. A member learns none of them. */
const capFacts = ({ cap, limit, committed, requested }: CapCheck, isMember: boolean): JsonObject =>
  isMember ? { cap } : { cap, limit, committed, requested, left: Math.max(0, limit - committed) };

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
    readonly turn: Pick<LoadedTurn, 'record' | 'asker' | 'root'>;
  },
  order: readonly Priced[],
  troubles: readonly ProviderTrouble[],
): Promise<readonly Notice[]> => {
  const { signal } = turn.record;
  const refusals = troubles.filter(({ fault }) => RECOVERIES[fault].isOwners);
  const fresh: { readonly name: string; readonly fault: ProviderFault }[] = [];
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
      fresh.push({ name, fault });
  }
  const isEvery = order.every((_, index) => refusals.some(({ place }) => place === index));
  // The owner who asked reads it in the answer, which names what to change.
  const isAtHome = ['', chatOf(signal.reply)].includes(deps.budget.homeChat);
  if (isEvery && isAtHome && isOwnerAlone(turn) && !isBackground(signal, turn.root.payload.sensor)) return [];
  return fresh.map(({ name, fault }, index) => {
    const template = isEvery && index === fresh.length - 1 ? 'everyKeyRefused' : 'providerRefused';
    return toHomeChat(deps, notices[template](name, fault, signal.id));
  });
};

const EMBEDDINGS = 'embeddings';

/**
 * Vectors are made in the background, where nobody can be told that the key is refused. The first
 * turn of a person that finds this on the day's counter says so, once a day.
 */
export const tellRefusedEmbeddings = async (
  deps: Pick<ReasonDeps, 'table' | 'budget' | 'now'>,
  { record: { signal }, root, spending: { item } }: Pick<LoadedTurn, 'record' | 'root' | 'spending'>,
): Promise<readonly Notice[]> => {
  const now = deps.now();
  if (!isEmbeddingRefused(item, now)) return [];
  const toldBy: unknown = item?.[noticeName(EMBEDDINGS)];
  // An earlier delivery of this signal may have claimed it and died before it stored its decision.
  if (toldBy !== undefined && toldBy !== signal.id) return [];
  if (deps.budget.homeChat === '' && isBackground(signal, root.payload.sensor)) return [];
  if (!(await claimNotice(deps.table, signal.space, now, EMBEDDINGS, signal.id))) return [];
  return [toHomeChat(deps, notices.embeddingsRefused(signal.id))];
};
