/** The answers to the verbs of webhooks. No link that a service wrote can be opened in them. */
import { createHash } from 'node:crypto';
import { localTime } from '../../core/base/clock.ts';
import { defined } from '../../core/base/defined.ts';
import { NotFoundError, ProtocolError } from '../../core/base/errors.ts';
import { KIB } from '../../core/base/limits.ts';
import { commandNotices } from '../../core/judge/command-notices.ts';
import { acceptSignal } from '../../core/ledger/accept.ts';
import { countOf, quotaKey } from '../../core/ledger/quota.ts';
import { say } from '../../core/operations/code-context.ts';
import { change, type Handler, type LookContext, look } from '../../core/operations/operation.ts';
import { webhookSignalId } from '../../core/signal/ids.ts';
import { quoted } from '../../core/text/quoted.ts';
import { defang } from '../../core/text/tappable.ts';
import { fillLine, findTemplates, lineValues } from '../../core/text/template.ts';
import { sayRefusal } from '../webhooks/refusal-texts.ts';
import { loadUnproven, NO_SUCH_NAME, type UnprovenCure } from '../webhooks/unproven-requests.ts';
import { loadEvent, loadEvents, type StoredEvent } from './load-events.ts';
import {
  hooksAdd,
  hooksEvents,
  hooksList,
  hooksSendAgain,
  hooksShow,
  hooksTry,
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

export const EVENT_HANDLERS: readonly Handler[] = [
  look(hooksAdd, async ({ language }, { service }) => {
    const command = ['npx passepartout hooks add', service].join(' ').trim();
    return { data: { command }, lines: [(await eventAnswers.in(language)).connect(command)] };
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
