/**
 * Tells the webhooks that subscribed to news. Each piece of news is a signal of its own, decided by
 * code: an approver asked for it, so nobody is asked again. The gates judge it, and the webhook is
 * called like any other. It holds ids and states, never anybody's words. Repeating changes nothing.
 */
import { defined } from '../../base/defined.ts';
import type { JsonObject } from '../../base/json.ts';
import { DAY_MS, SWEEP_BACKOFF_MS } from '../../base/limits.ts';
import { baseFacts } from '../../judge/base-facts.ts';
import { buildCall } from '../../judge/build-actions.ts';
import { decideByCode } from '../../judge/judge.ts';
import { notices } from '../../judge/notices.ts';
import { saveNotice } from '../../judge/notify.ts';
import { perceiveMessage } from '../../ledger/accept.ts';
import { changeOwnerSetting } from '../../ledger/change-owner-setting.ts';
import { saveDecidedSignal } from '../../ledger/ledger.ts';
import { buildRecordItem } from '../../ledger/record.ts';
import {
  carriesNews,
  deliveriesKey,
  type News,
  newsSession,
  newsSuffix,
  subscriptionField,
  subscriptionsIn,
} from '../../ledger/subscriptions.ts';
import { jobOf } from '../../money/day-spend.ts';
import { isText } from '../../signal/action.ts';
import { homeRoute, MAIN_CONSOLE } from '../../signal/channels.ts';
import type { Effect } from '../../signal/decision.ts';
import { CARRIES_NEWS } from '../../signal/ids.ts';
import { buildChild } from '../../signal/signal.ts';
import { callWebhook } from '../../tools/call-webhook.ts';
import { newsFormOf, textBody } from '../../tools/webhooks.ts';
import type { ActDeps, ActTurn } from './act-context.ts';

/** A webhook that takes nothing for so long is told no more. */
const FAILING_MS_MAX = DAY_MS;

/** The event that a text of code tells people of. */
const NEWS_OF_TEMPLATE: Readonly<Record<string, News>> = {
  'job-missed': 'job.missed',
  'over-budget': 'budget.met',
  'runner-away': 'runner.lost',
};

interface Told {
  readonly news: News;
  readonly n: number;
  readonly data: JsonObject;
}

const newsOf = ({ record: { signal }, decision }: ActTurn, effects: readonly Effect[]): readonly Told[] => {
  const about = { id: signal.id, ...defined({ job: jobOf(signal.session) }) };
  const isTurn = signal.payload.sensor !== 'notice';
  return [
    ...(isTurn ? [{ news: 'decision.stored', n: 0, data: { ...about, outcome: decision.outcome } } as const] : []),
    ...effects.flatMap(({ n, state }): readonly Told[] => {
      const action = decision.actions[n]?.action;
      if (action === undefined) return [];
      const { author, template = '', card, edits, tool, target } = action;
      const isByCode = author === 'code' && isText(action);
      const news = isByCode && Object.hasOwn(NEWS_OF_TEMPLATE, template) ? NEWS_OF_TEMPLATE[template] : undefined;
      const data = { ...about, n, does: tool ?? `text to ${target}` };
      return [
        ...(news === undefined ? [] : [{ news, n, data: about }]),
        ...(isByCode && card !== undefined && edits === undefined
          ? [{ news: 'approval.waiting', n, data: { id: signal.id, approval: card } } as const]
          : []),
        ...(state === 'failed' || state === 'unknown' ? [{ news: `effect.${state}`, n, data } as const] : []),
      ];
    }),
  ];
};

const send = async (deps: ActDeps, turn: ActTurn, target: string, { news, n, data }: Told): Promise<void> => {
  const { record, policy, settings, skillsItem } = turn;
  const now = deps.now();
  const signal = {
    ...buildChild(record.signal, newsSuffix(target, news, n), { sensor: 'notice', template: CARRIES_NEWS }, now),
    ...({ type: 'RESPONSE', depth: record.signal.depth } as const),
    session: newsSession(target),
  };
  const isText = newsFormOf(deps.webhookCalls?.[target]) === 'text';
  const words = Object.entries(data).map(([name, value]) => `${name} ${String(value)}`);
  const body: JsonObject = isText
    ? textBody(`${news}: ${words.join(', ')}`)
    : { type: news, timestamp: new Date(turn.decision.at).toISOString(), data };
  const call = {
    tool: callWebhook.name,
    args: { webhook: target, body },
    explanation: 'An approver subscribed this webhook to such news (/hooks subscriptions).',
  };
  const written = { author: 'code', template: CARRIES_NEWS } as const;
  const action = { ...buildCall(call, { webhookUrls: deps.webhookUrls }), ...written };
  const known = { stage: 'reason', now, space: signal.space, setup: deps, policy, settings, skillsItem } as const;
  const { session, reply } = signal;
  const sources = baseFacts(known, { session, reply, sensor: 'notice', origin: 'owner', askedBy: 'approver' });
  const decided = { signalId: signal.id, outcome: 'act', reason: '' } as const;
  const decision = await decideByCode(deps.gateSet, decided, [action], sources);
  const item = buildRecordItem(signal, 'reasoned', now + SWEEP_BACKOFF_MS[0]);
  await saveDecidedSignal(deps.table, signal, item, decision);
  await deps.publishPerceive(perceiveMessage(signal), 'notice');
};

/** Notes whether the webhook took it. One that took nothing for a day is told no more. */
const noteDelivery = async (deps: ActDeps, turn: ActTurn, { n, state }: Effect): Promise<void> => {
  const { record, decision, settings } = turn;
  const { signal } = record;
  const target = decision.actions[n]?.action.to ?? '';
  const now = deps.now();
  const at = { schemaVersion: 1, state, at: now, id: signal.id };
  const change = state === 'done' ? { set: at, remove: ['failingSince'] } : { set: at, setOnce: { failingSince: now } };
  const { failingSince = now } = await deps.table.update(deliveriesKey(signal.space, target), change);
  const isOn = subscriptionsIn(settings).some((one) => one.target === target);
  if (!isOn || now - Number(failingSince) < FAILING_MS_MAX) return;
  const route = homeRoute(deps.homeChat) ?? MAIN_CONSOLE;
  const notice = { ...notices.newsEnded(target), route };
  const { signal: told } = await saveNotice(deps.table, { gateSet: deps.gateSet, now }, signal, 'ended', notice);
  await deps.publishPerceive(perceiveMessage(told), 'notice');
  await changeOwnerSetting(
    deps.table,
    { ...signal, sender: { id: 'system', isApprover: false }, receivedAt: now },
    subscriptionField(target),
    '',
  );
};

export const tellSubscribers = async (deps: ActDeps, turn: ActTurn, effects: readonly Effect[]): Promise<void> => {
  if (carriesNews(turn.record.signal)) {
    for (const effect of effects) if (effect.state !== 'suspended') await noteDelivery(deps, turn, effect);
    return;
  }
  const all = newsOf(turn, effects);
  for (const { target, news } of subscriptionsIn(turn.settings))
    for (const one of all) if (news.includes(one.news)) await send(deps, turn, target, one);
};
