/** The answers to the verbs of webhooks. No link that a service wrote can be opened in them. */
import { createHash } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import { NotFoundError, ProtocolError } from '../../base/errors.ts';
import { KIB } from '../../base/limits.ts';
import { localTime } from '../../jobs/describe-rule.ts';
import { commandNotices } from '../../judge/command-notices.ts';
import { acceptSignal } from '../../ledger/accept.ts';
import { countOf, quotaKey } from '../../ledger/quota.ts';
import { loadUnproven, NO_SUCH_NAME } from '../../ledger/unproven-requests.ts';
import { say } from '../../operations/code-context.ts';
import { change, type Handler, type LookContext, look } from '../../operations/operation.ts';
import { fillLine, findTemplates } from '../../runbooks/template.ts';
import { webhookSignalId } from '../../signal/ids.ts';
import { countWords, quoted } from '../../text/quoted.ts';
import { defang } from '../../text/tappable.ts';
import { loadEvent, loadEvents, type StoredEvent } from './load-events.ts';
import { hooksEvents, hooksList, hooksSendAgain, hooksShow, hooksTry, type ShownEvent } from './operations.ts';

/** A chat shows no more at once. */
const EVENTS_SHOWN_MAX = 20;
const BODY_CHARS_MAX = 8 * KIB;
/** Of one value in a form, as for an event that comes in. */
const VALUE_CHARS_MAX = 600;

const MENDS = 'compare its secret and its scheme (infra/webhooks.md)';
const MENDS_NAME = 'compare the end of its address with the names in WEBHOOK_SECRETS (infra/webhooks.md)';
const NONE = 'No service has sent an event lately. One is connected by: npx passepartout setup --only sender';

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
          `${name}: ${countWords(refused, 'request')} refused today, the last because ${because}: ${name === NO_SUCH_NAME ? MENDS_NAME : MENDS}`,
        ]),
  ]);
  return { data: { services }, lines: lines.length === 0 ? [NONE] : lines };
};

const bodyLines = (body: object): readonly string[] => {
  const text = defang(JSON.stringify(body, undefined, 1));
  return text.length <= BODY_CHARS_MAX ? [text] : [`${text.slice(0, BODY_CHARS_MAX).toWellFormed()} …(cut)`];
};

export const EVENT_HANDLERS: readonly Handler[] = [
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
