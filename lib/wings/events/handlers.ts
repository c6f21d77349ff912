/** The answers to the verbs of webhooks. No link that a service wrote can be opened in them. */
import { createHash } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import { NotFoundError, ProtocolError } from '../../base/errors.ts';
import { KIB } from '../../base/limits.ts';
import { localTime } from '../../jobs/describe-rule.ts';
import { commandNotices } from '../../judge/command-notices.ts';
import { sayRefusal } from '../../language/refusal-texts.ts';
import { acceptSignal } from '../../ledger/accept.ts';
import { changeOwnerSetting } from '../../ledger/change-owner-setting.ts';
import { parseEffect, parseRecord } from '../../ledger/ledger.ts';
import { loadOwnerSettings } from '../../ledger/owner-settings.ts';
import { countOf, quotaKey } from '../../ledger/quota.ts';
import {
  deliveriesKey,
  isNewsId,
  NEWS,
  type News,
  newsSession,
  subscriptionField,
  subscriptionsIn,
} from '../../ledger/subscriptions.ts';
import { loadUnproven, NO_SUCH_NAME, type UnprovenCure } from '../../ledger/unproven-requests.ts';
import { say } from '../../operations/code-context.ts';
import { change, type Handler, type LookContext, look } from '../../operations/operation.ts';
import { fillLine, findTemplates, lineValues } from '../../runbooks/template.ts';
import { webhookSignalId } from '../../signal/ids.ts';
import { signalKeys } from '../../store/keys.ts';
import { quoted } from '../../text/quoted.ts';
import { defang } from '../../text/tappable.ts';
import { newsFormOf } from '../../tools/webhooks.ts';
import { findIds, loadEvent, loadEvents, type StoredEvent } from './load-events.ts';
import {
  hooksAdd,
  hooksDeliveries,
  hooksEvents,
  hooksList,
  hooksSendAgain,
  hooksShow,
  hooksSubscribe,
  hooksSubscriptions,
  hooksTry,
  hooksUnsubscribe,
  type ShownEvent,
} from './operations.ts';
import { type EventAnswers, eventAnswers } from './texts.ts';

/** A chat shows no more at once. */
const EVENTS_SHOWN_MAX = 20;
const BODY_CHARS_MAX = 8 * KIB;
/** Of one value in a form, as for an event that comes in. */
const VALUE_CHARS_MAX = 600;

const mendOf = ({ mends }: EventAnswers, name: string, cure: UnprovenCure): string =>
  mends[name === NO_SUCH_NAME ? 'name' : cure];

const shown = ({ id, record: { state, stateReason, signal }, payload }: StoredEvent): ShownEvent => ({
  ...{ id, source: payload.source, event: payload.event, at: signal.receivedAt },
  text: payload.text.map(({ text }) => text).join(' '),
  state,
  ...defined({ because: stateReason }),
});

const headOf = (say: EventAnswers, event: ShownEvent, state: StoredEvent['record']['state'], zone: string): string =>
  `${event.source}/${event.event}, ${localTime(say, event.at, zone)}: ${event.because === undefined ? say.states[state] : say.stored(event.because)}`;

const describeServices = async ({ table, space, zone, now, language }: LookContext) => {
  const say = await eventAnswers.in(language);
  const [events, unproven] = await Promise.all([loadEvents({ table, space }), loadUnproven(table, space, now)]);
  const newest = events.map(shown);
  const names = [...new Set([...newest.map(({ source }) => source), ...unproven.keys()])].sort();
  const quotas = await table.load(
    names.map((name) => quotaKey(space, { kind: 'source', name: `webhook:${name}` }, now)),
  );
  const services = names.map((name, n) => {
    const last = newest.find(({ source }) => source === name);
    const refused = unproven.get(name);
    return {
      name,
      count: countOf(quotas[n], 'messages'),
      ...(last === undefined ? {} : { event: last.event, at: last.at, id: last.id }),
      ...(refused === undefined ? {} : { refused: refused.count, because: refused.reason, cure: refused.cure }),
      ...defined({ refusal: refused?.refusal }),
    };
  });
  const lines = services.flatMap(({ name, event, at, id, count, refused, because, refusal, cure }) => [
    ...(at === undefined || id === undefined || event === undefined
      ? []
      : [say.today(name, count, event, localTime(say, at, zone), id)]),
    ...(refused === undefined || because === undefined || cure === undefined
      ? []
      : [
          say.refused(
            name === NO_SUCH_NAME ? say.otherNames : name,
            refused,
            refusal === undefined ? say.stored(because) : sayRefusal(say.refusals, refusal),
            mendOf(say, name, cure),
          ),
        ]),
  ]);
  return { data: { services }, lines: lines.length === 0 ? [say.none] : lines };
};

const bodyLines = (say: EventAnswers, body: object): readonly string[] => {
  const text = defang(JSON.stringify(body, undefined, 1));
  return text.length <= BODY_CHARS_MAX ? [text] : [`${text.slice(0, BODY_CHARS_MAX).toWellFormed()} ${say.cut}`];
};

const newsIn = (say: EventAnswers, words: string): readonly News[] => {
  const typed = words.split(/[\s,]+/).filter((one) => one !== '');
  const unknown = typed.find((one) => one !== 'all' && !NEWS.some((news) => news === one));
  if (unknown !== undefined) throw new ProtocolError(say.noNews(unknown.replace(/[^\w.]/g, ''), NEWS.join(', ')));
  return typed.includes('all') ? NEWS : NEWS.filter((one) => typed.includes(one));
};

/** @returns undefined for a webhook that is told news */
const whyUntold = async (say: EventAnswers, { table, space }: Pick<LookContext, 'table' | 'space'>, target: string) =>
  subscriptionsIn(await loadOwnerSettings(table, space)).some((one) => one.target === target)
    ? undefined
    : say.toldNone(target);

export const EVENT_HANDLERS: readonly Handler[] = [
  look(hooksAdd, async ({ language }, { service }) => {
    const command = ['npx passepartout hooks add', service].join(' ').trim();
    return { data: { command }, lines: [(await eventAnswers.in(language)).connect(command)] };
  }),
  look(hooksSubscriptions, async ({ table, space, zone, language }) => {
    const say = await eventAnswers.in(language);
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
    const say = await eventAnswers.in(language);
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
      .slice(0, EVENTS_SHOWN_MAX);
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
    const answers = await eventAnswers.in(language);
    const news = newsIn(answers, words);
    if (!Object.hasOwn(webhookUrls, target)) throw new NotFoundError(answers.notConfigured(target));
    const able = Object.keys(webhookCalls).filter((name) => newsFormOf(webhookCalls[name]) !== undefined);
    if (!able.includes(target)) throw new ProtocolError(answers.ownFields(target, able.join(', ')));
    await changeOwnerSetting(table, signal, subscriptionField(target), news.join(','));
    await table.update(deliveriesKey(signal.space, target), { set: { schemaVersion: 1 }, remove: ['failingSince'] });
    return say(commandNotices.subscribed(target, news));
  }),
  change(hooksUnsubscribe, async ({ table, signal, language }, { target }) => {
    const { space } = signal;
    const why = await whyUntold(await eventAnswers.in(language), { table, space }, target);
    if (why !== undefined) throw new NotFoundError(why);
    await changeOwnerSetting(table, signal, subscriptionField(target), '');
    return say(commandNotices.subscribed(target, []));
  }),
  look(hooksList, describeServices),
  look(hooksEvents, async (context, { source }) => {
    const say = await eventAnswers.in(context.language);
    const stored = (await loadEvents(context, source)).slice(0, EVENTS_SHOWN_MAX);
    const lines = stored.map((one) => {
      const event = shown(one);
      return `${headOf(say, event, one.record.state, context.zone)}\n  ${quoted(defang(event.text))}\n  ${event.id}`;
    });
    return { data: { events: stored.map(shown) }, lines: lines.length === 0 ? [say.none] : lines };
  }),
  look(hooksShow, async (context, { event: typed }) => {
    const say = await eventAnswers.in(context.language);
    const stored = await loadEvent(say, context, typed);
    const event = shown(stored);
    return {
      data: { ...event, body: stored.payload.body },
      lines: [
        headOf(say, event, stored.record.state, context.zone),
        quoted(defang(event.text)),
        ...bodyLines(say, stored.payload.body),
        `/why ${event.id}`,
      ],
    };
  }),
  look(hooksTry, async (context, { event, form }) => {
    const say = await eventAnswers.in(context.language);
    const [bad] = findTemplates(form).bad;
    if (bad !== undefined) throw new ProtocolError(say.noPath(bad));
    const text = fillLine(form, lineValues((await loadEvent(say, context, event)).payload.body), VALUE_CHARS_MAX);
    return { data: { text }, lines: [text === '' ? say.nothing : defang(text)] };
  }),
  change(hooksSendAgain, async ({ table, publishPerceive, signal, now, language }, { event }) => {
    const answers = await eventAnswers.in(language);
    const { record, payload } = await loadEvent(answers, { table, space: signal.space }, event);
    if (record.forgottenAt !== undefined) throw new NotFoundError(answers.forgotten);
    // The same command makes the same event, so a repeat of it is no second one.
    const hash = createHash('sha256').update(signal.id).digest('hex').slice(0, 20);
    const id = webhookSignalId(payload.source, `again-${hash}`);
    await acceptSignal({ table, publish: publishPerceive }, { ...record.signal, id, root: id, receivedAt: now });
    return say(commandNotices.eventSentAgain(payload.source, payload.event, id));
  }),
];
