/** The answers to the verbs of subscriptions. */

import { localTime } from '../../core/base/clock.ts';
import { defined } from '../../core/base/defined.ts';
import { NotFoundError, ProtocolError } from '../../core/base/errors.ts';
import { changeOwnerSetting } from '../../core/ledger/change-owner-setting.ts';
import { findIds } from '../../core/ledger/find-ids.ts';
import { parseEffect, parseRecord } from '../../core/ledger/ledger.ts';
import { loadOwnerSettings } from '../../core/ledger/owner-settings.ts';
import { say } from '../../core/operations/code-context.ts';
import { change, type Handler, type LookContext, look } from '../../core/operations/operation.ts';
import { signalKeys } from '../../core/store/keys.ts';
import { newsFormOf } from './news-form.ts';
import { hooksDeliveries, hooksSubscribe, hooksSubscriptions, hooksUnsubscribe } from './operations.ts';
import {
  deliveriesKey,
  isNewsId,
  NEWS,
  type News,
  newsSession,
  subscriptionField,
  subscriptionsIn,
} from './subscriptions.ts';
import { type SubscriptionTexts, subscriptionNotices, subscriptionTexts } from './texts.ts';

/** A chat shows no more at once. */
const DELIVERIES_SHOWN_MAX = 20;

const newsIn = (say: SubscriptionTexts, words: string): readonly News[] => {
  const typed = words.split(/[\s,]+/).filter((one) => one !== '');
  const unknown = typed.find((one) => one !== 'all' && !NEWS.some((news) => news === one));
  if (unknown !== undefined) throw new ProtocolError(say.noNews(unknown.replace(/[^\w.]/g, ''), NEWS.join(', ')));
  return typed.includes('all') ? NEWS : NEWS.filter((one) => typed.includes(one));
};

/** @returns undefined for a webhook that is told news */
const whyUntold = async (
  say: SubscriptionTexts,
  { table, space }: Pick<LookContext, 'table' | 'space'>,
  target: string,
) =>
  subscriptionsIn(await loadOwnerSettings(table, space)).some((one) => one.target === target)
    ? undefined
    : say.toldNone(target);

export const SUBSCRIPTION_HANDLERS: readonly Handler[] = [
  look(hooksSubscriptions, async ({ table, space, zone, language }) => {
    const say = await subscriptionTexts.in(language);
    const all = subscriptionsIn(await loadOwnerSettings(table, space));
    const rows = await table.load(all.map(({ target }) => deliveriesKey(space, target)));
    const subscriptions = all.map((one, n) => {
      const since = rows[n]?.failingSince;
      return { ...one, news: [...one.news], ...(typeof since === 'number' ? { failingSince: since } : {}) };
    });
    const lines = subscriptions.map(({ target, news, by, at, failingSince }) => {
      const failing = failingSince === undefined ? undefined : localTime(say, failingSince, zone);
      return say.subscription(target, news.join(', '), by, localTime(say, at, zone), failing);
    });
    return { data: { kinds: [...NEWS], subscriptions }, lines: lines.length === 0 ? [say.noSubscription] : lines };
  }),
  look(hooksDeliveries, async ({ table, space, zone, language }, { target }) => {
    const say = await subscriptionTexts.in(language);
    const ids = await findIds({ table, space }, isNewsId);
    const records = await table.load(ids.map((id) => signalKeys.record(space, id)));
    const effects = await table.load(ids.map((id) => signalKeys.effect(space, id, 0)));
    const all = ids.map((id, n) => {
      const { session, receivedAt: at } = parseRecord(id, records[n] ?? {}).signal;
      const effect = effects[n] && parseEffect(id, effects[n]);
      return { id, session, at, state: effect?.state ?? ('waiting' as const), ...defined({ because: effect?.reason }) };
    });
    const deliveries = all
      .filter(({ session }) => target === undefined || session === newsSession(target))
      .slice(0, DELIVERIES_SHOWN_MAX);
    const lines = deliveries.map(({ id, session, at, state, because }) => {
      const again = state === 'failed' || state === 'unknown' ? say.again(id) : '';
      const name = target === undefined ? ` ${session.slice(newsSession('').length)}` : '';
      return `${localTime(say, at, zone)}${name} ${say.ends[state]}${because === undefined ? '' : `, ${say.stored(because)}`}: ${id}${again}`;
    });
    if (lines.length > 0) return { data: { deliveries }, lines };
    const why = target === undefined ? undefined : await whyUntold(say, { table, space }, target);
    return { data: { deliveries }, lines: [why ?? say.nothingTold] };
  }),
  change(hooksSubscribe, async (context, { target, news: words }) => {
    const { table, signal, webhookUrls, webhookCalls = {}, language } = context;
    const answers = await subscriptionTexts.in(language);
    const news = newsIn(answers, words);
    if (!Object.hasOwn(webhookUrls, target)) throw new NotFoundError(answers.notConfigured(target));
    const able = Object.keys(webhookCalls).filter((name) => newsFormOf(webhookCalls[name]) !== undefined);
    if (!able.includes(target)) throw new ProtocolError(answers.ownFields(target, able.join(', ')));
    await changeOwnerSetting(table, signal, subscriptionField(target), news.join(','));
    await table.update(deliveriesKey(signal.space, target), { set: { schemaVersion: 1 }, remove: ['failingSince'] });
    return say(subscriptionNotices.subscribed(target, news));
  }),
  change(hooksUnsubscribe, async ({ table, signal, language }, { target }) => {
    const { space } = signal;
    const why = await whyUntold(await subscriptionTexts.in(language), { table, space }, target);
    if (why !== undefined) throw new NotFoundError(why);
    await changeOwnerSetting(table, signal, subscriptionField(target), '');
    return say(subscriptionNotices.subscribed(target, []));
  }),
];
