/** The answers to the verbs of webhooks. No link that a service wrote can be opened in them. */
import { createHash } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import { NotFoundError, ProtocolError } from '../../base/errors.ts';
import { KIB } from '../../base/limits.ts';
import { localTime } from '../../jobs/describe-rule.ts';
import { commandNotices } from '../../judge/command-notices.ts';
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
import { loadUnproven, NO_SUCH_NAME } from '../../ledger/unproven-requests.ts';
import { say } from '../../operations/code-context.ts';
import { change, type Handler, type LookContext, look } from '../../operations/operation.ts';
import { fillLine, findTemplates } from '../../runbooks/template.ts';
import { webhookSignalId } from '../../signal/ids.ts';
import { signalKeys } from '../../store/keys.ts';
import { countWords, quoted } from '../../text/quoted.ts';
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

/** A chat shows no more at once. */
const EVENTS_SHOWN_MAX = 20;
const BODY_CHARS_MAX = 8 * KIB;
/** Of one value in a form, as for an event that comes in. */
const VALUE_CHARS_MAX = 600;

const MENDS = 'compare its secret and its scheme (infra/webhooks.md)';
const MENDS_BODY = 'mend it at the sender, which was told the same';
const MENDS_TIME = 'set the clock of this machine and of the sender; five minutes are allowed';
const MENDS_NAME = 'compare the end of its address with the names in WEBHOOK_SECRETS (infra/webhooks.md)';
const mendOf = (name: string, because: string): string => {
  if (name === NO_SUCH_NAME) return MENDS_NAME;
  if (because.startsWith('body ')) return MENDS_BODY;
  return because.endsWith('too old or too new') ? MENDS_TIME : MENDS;
};
const NONE =
  'No service has sent an event lately. One is connected by: npx passepartout hooks add; and tried by: npx passepartout hooks test <name>';

const shown = ({ id, record: { state, stateReason, signal }, payload }: StoredEvent): ShownEvent => ({
  ...{ id, source: payload.source, event: payload.event, at: signal.receivedAt },
  text: payload.text.map(({ text }) => text).join(' '),
  state,
  ...defined({ because: stateReason }),
});

const fateOf = ({ state, because }: ShownEvent): string => because ?? state;

const headOf = (event: ShownEvent, zone: string): string =>
  `${event.source}/${event.event}, ${localTime(event.at, zone)}: ${fateOf(event)}`;

const describeServices = async ({ table, space, zone, now }: LookContext) => {
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
      ...(refused === undefined ? {} : { refused: refused.count, because: refused.reason }),
    };
  });
  const lines = services.flatMap(({ name, event, at, id, count, refused, because }) => [
    ...(at === undefined
      ? []
      : [
          `${name}: ${countWords(count, 'event')} today, the last ${event}, ${localTime(at, zone)} (/hooks show ${id})`,
        ]),
    ...(refused === undefined
      ? []
      : [
          `${name}: ${countWords(refused, 'request')} refused today, the last because ${because}: ${mendOf(name, because ?? '')}`,
        ]),
  ]);
  return { data: { services }, lines: lines.length === 0 ? [NONE] : lines };
};

const bodyLines = (body: object): readonly string[] => {
  const text = defang(JSON.stringify(body, undefined, 1));
  return text.length <= BODY_CHARS_MAX ? [text] : [`${text.slice(0, BODY_CHARS_MAX).toWellFormed()} …(cut)`];
};

const newsIn = (words: string): readonly News[] => {
  const typed = words.split(/[\s,]+/).filter((one) => one !== '');
  const unknown = typed.find((one) => one !== 'all' && !NEWS.some((news) => news === one));
  if (unknown !== undefined)
    throw new ProtocolError(
      `${unknown.replace(/[^\w.]/g, '')} is no kind of news; these are: ${NEWS.join(', ')}, or all`,
    );
  return typed.includes('all') ? NEWS : NEWS.filter((one) => typed.includes(one));
};

const NO_SUBSCRIPTION = 'No webhook is told my news. To tell one: /hooks subscribe <name> <kinds>';

/** @returns undefined for a webhook that is told news */
const whyUntold = async ({ table, space }: Pick<LookContext, 'table' | 'space'>, target: string) =>
  subscriptionsIn(await loadOwnerSettings(table, space)).some((one) => one.target === target)
    ? undefined
    : `${target} is told no news; /hooks subscriptions lists who is`;

export const EVENT_HANDLERS: readonly Handler[] = [
  look(hooksAdd, async (_, { service }) => {
    const command = ['npx passepartout hooks add', service].join(' ').trim();
    const words = 'A secret must not pass through a chat, so a service is connected where I run:';
    return { data: { command }, lines: [`${words} ${command}`] };
  }),
  look(hooksSubscriptions, async ({ table, space, zone }) => {
    const all = subscriptionsIn(await loadOwnerSettings(table, space));
    const rows = await table.load(all.map(({ target }) => deliveriesKey(space, target)));
    const subscriptions = all.map((one, n) => {
      const since = rows[n]?.failingSince;
      return { ...one, news: [...one.news], ...(typeof since === 'number' ? { failingSince: since } : {}) };
    });
    const lines = subscriptions.map(({ target, news, by, at, failingSince }) => {
      const failing = failingSince === undefined ? '' : `; it has taken nothing since ${localTime(failingSince, zone)}`;
      return `${target}: ${news.join(', ')} (set by ${by}, ${localTime(at, zone)})${failing}. /hooks deliveries ${target}`;
    });
    return { data: { kinds: [...NEWS], subscriptions }, lines: lines.length === 0 ? [NO_SUBSCRIPTION] : lines };
  }),
  look(hooksDeliveries, async ({ table, space, zone }, { target }) => {
    const ids = await findIds({ table, space }, isNewsId);
    const records = await table.load(ids.map((id) => signalKeys.record(space, id)));
    const effects = await table.load(ids.map((id) => signalKeys.effect(space, id, 0)));
    const all = ids.map((id, n) => {
      const { session, receivedAt: at } = parseRecord(id, records[n] ?? {}).signal;
      const effect = effects[n] && parseEffect(id, effects[n]);
      return { id, session, at, state: effect?.state ?? 'waiting', ...defined({ because: effect?.reason }) };
    });
    const deliveries = all
      .filter(({ session }) => target === undefined || session === newsSession(target))
      .slice(0, EVENTS_SHOWN_MAX);
    const lines = deliveries.map(({ id, session, at, state, because }) => {
      const again = state === 'failed' || state === 'unknown' ? ` (to send it again: /why ${id})` : '';
      const name = target === undefined ? ` ${session.slice(newsSession('').length)}` : '';
      return `${localTime(at, zone)}${name} ${state}${because === undefined ? '' : `, ${because}`}: ${id}${again}`;
    });
    if (lines.length > 0) return { data: { deliveries }, lines };
    const why = target === undefined ? undefined : await whyUntold({ table, space }, target);
    return { data: { deliveries }, lines: [why ?? 'Nothing was told lately.'] };
  }),
  change(hooksSubscribe, async ({ table, signal, webhookUrls, webhookCalls = {} }, { target, news: words }) => {
    const news = newsIn(words);
    if (!Object.hasOwn(webhookUrls, target))
      throw new NotFoundError(`no webhook ${target} is configured; WEBHOOK_TARGETS names them (infra/webhooks.md)`);
    const able = Object.keys(webhookCalls).filter((name) => newsFormOf(webhookCalls[name]) !== undefined);
    if (!able.includes(target))
      throw new ProtocolError(
        `${target} takes fields of its own; news go to a webhook that takes any JSON, or a text: ${able.join(', ') || 'none is configured'}`,
      );
    await changeOwnerSetting(table, signal, subscriptionField(target), news.join(','));
    await table.update(deliveriesKey(signal.space, target), { set: { schemaVersion: 1 }, remove: ['failingSince'] });
    return say(commandNotices.subscribed(target, news));
  }),
  change(hooksUnsubscribe, async ({ table, signal }, { target }) => {
    const { space } = signal;
    const why = await whyUntold({ table, space }, target);
    if (why !== undefined) throw new NotFoundError(why);
    await changeOwnerSetting(table, signal, subscriptionField(target), '');
    return say(commandNotices.subscribed(target, []));
  }),
  look(hooksList, describeServices),
  look(hooksEvents, async (context, { source }) => {
    const events = (await loadEvents(context, source)).slice(0, EVENTS_SHOWN_MAX).map(shown);
    const lines = events.map(
      (event) => `${headOf(event, context.zone)}\n  ${quoted(defang(event.text))}\n  ${event.id}`,
    );
    return { data: { events }, lines: lines.length === 0 ? [NONE] : lines };
  }),
  look(hooksShow, async (context, { event: typed }) => {
    const stored = await loadEvent(context, typed);
    const event = shown(stored);
    return {
      data: { ...event, body: stored.payload.body },
      lines: [
        headOf(event, context.zone),
        quoted(defang(event.text)),
        ...bodyLines(stored.payload.body),
        `/why ${event.id}`,
      ],
    };
  }),
  look(hooksTry, async (context, { event, form }) => {
    const [bad] = findTemplates(form).bad;
    if (bad !== undefined) throw new ProtocolError(`${bad} is no path: write {{ and }} around one such as alert.name`);
    const text = fillLine(form, (await loadEvent(context, event)).payload.body, VALUE_CHARS_MAX);
    return { data: { text }, lines: [text === '' ? 'Nothing: the body would be shown.' : defang(text)] };
  }),
  change(hooksSendAgain, async ({ table, publishPerceive, signal, now }, { event }) => {
    const { record, payload } = await loadEvent({ table, space: signal.space }, event);
    if (record.forgottenAt !== undefined) throw new NotFoundError('the words of that event were forgotten');
    // The same command makes the same event, so a repeat of it is no second one.
    const hash = createHash('sha256').update(signal.id).digest('hex').slice(0, 20);
    const id = webhookSignalId(payload.source, `again-${hash}`);
    await acceptSignal({ table, publish: publishPerceive }, { ...record.signal, id, root: id, receivedAt: now });
    return say(commandNotices.eventSentAgain(payload.source, payload.event, id));
  }),
];
