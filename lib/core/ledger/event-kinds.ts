/**
 * Kinds of events that came when no job waited for them. The owner is asked about each kind once,
 * and about one kind of a source at a time: events of kinds without an answer wait for it. A source
 * has one item a kind, one for its open question, and one that counts new kinds of a day.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { ConditionError, ContendedError } from '../base/errors.ts';
import { CONFLICT_TRIES_MAX, DAY_MS, SWEEP_BACKOFF_MS } from '../base/limits.ts';
import { dayOf } from '../money/day-spend.ts';
import { webhookSignalId } from '../signal/ids.ts';
import type { PerceiveMessage } from '../signal/messages.ts';
import type { Signal } from '../signal/signal.ts';
import { absent, allOf, anyOf, atMost, below, contains, equals, IS_NEW, not, shorterThan } from '../store/condition.ts';
import { type Key, signalKeys } from '../store/keys.ts';
import { loadItem, loadNamed } from '../store/load-named.ts';
import { readOrSkip } from '../store/parse-stored.ts';
import { putOnce } from '../store/put-once.ts';
import type { Publish } from '../store/queue.ts';
import type { Item, Table } from '../store/table.ts';
import { updateIf } from '../store/update-if.ts';
import { kindOf } from '../text/event-word.ts';
import { perceiveMessage } from './accept.ts';
import { parseRecord } from './ledger.ts';
import { buildRecordItem } from './record.ts';

/** New kinds of one source in a day: those of a busy organisation. */
export const KINDS_A_DAY_MAX = 100;
/** Events of one source that wait for an answer; further ones are only recorded. */
const WAITING_MAX = 100;
/** A question without an answer may have been overlooked: then a further event asks. */
const QUESTION_MS = DAY_MS;
/** An item is kept past the end of its day. */
const DAY_S = DAY_MS / 1000;

export interface EventKind {
  readonly space: string;
  readonly source: string;
  readonly event: string;
}

const partition = ({ space, source }: Omit<EventKind, 'event'>): string => `quota#${space}#kinds#${source}`;
const kindKey = (one: EventKind): Key => ({ pk: partition(one), sk: `kind#${kindOf(one.event)}` });
const questionKey = (one: Omit<EventKind, 'event'>): Key => ({ pk: partition(one), sk: 'question' });
const dayKey = (one: EventKind, now: number): Key => ({ pk: partition(one), sk: `day#${dayOf(now)}` });

/** `asked` is the event that the question shows; an entry of `waiting` is `<signal> <kind>`. */
const Question = z.object({
  asked: z.optional(z.string()),
  kind: z.optional(z.string()),
  waiting: z._default(z.array(z.string()), []),
  round: z._default(z.int(), 0),
  isSilent: z.optional(z.boolean()),
});

type KindTable = Pick<Table, 'load' | 'put' | 'update' | 'transact'>;

/** Earlier releases noted one kind for each of 256 numbers, with the first signal of it. */
const wasToldBefore = async (table: KindTable, one: EventKind): Promise<boolean> => {
  const item = await loadItem(table, { pk: partition(one), sk: 'all' });
  const number = createHash('sha256').update(one.event).digest().readUInt16BE() % 256;
  const id = item?.[`kind_${number}`];
  if (typeof id !== 'string') return false;
  const record = readOrSkip(await loadItem(table, signalKeys.record(one.space, id)), (found) => parseRecord(id, found));
  const payload = record?.signal.payload;
  return payload?.sensor === 'webhook' && payload.event === one.event;
};

const HAS_ROOM = 'the source has room for a new kind today';

/** Stores a kind that came for the first time. @returns false if the source had too many today */
const addKind = async (table: KindTable, one: EventKind, now: number): Promise<boolean> => {
  try {
    await table.transact([
      { kind: 'put', key: kindKey(one), item: { schemaVersion: 1 }, condition: IS_NEW },
      {
        kind: 'update',
        key: dayKey(one, now),
        change: { set: { schemaVersion: 1, expiresAt: Math.ceil(now / 1000) + 2 * DAY_S }, add: { kinds: 1 } },
        condition: { name: HAS_ROOM, holds: anyOf(absent('kinds'), atMost('kinds', KINDS_A_DAY_MAX - 1)) },
      },
    ]);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    return error.condition !== HAS_ROOM;
  }
};

/**
 * `ask`: this event shows the question. `waits`: another question of its source is open. `many`:
 * the source makes up names, which is told once a day. A repeat gets the same answer.
 */
export type EventFate = 'ask' | 'waits' | 'known' | 'many';

export const noteEvent = async (table: KindTable, id: string, one: EventKind, now: number): Promise<EventFate> => {
  const { kind, question } = await loadNamed(table, { kind: kindKey(one), question: questionKey(one) });
  if (kind?.isAnswered === true || question?.isSilent === true) return 'known';
  if (kind === undefined) {
    if (await wasToldBefore(table, one)) {
      await markAnswered(table, one);
      return 'known';
    }
    if (!(await addKind(table, one, now))) {
      const day = await table.update(dayKey(one, now), { setOnce: { told: id } });
      return day.told === id ? 'many' : 'known';
    }
  }
  const name = kindOf(one.event);
  const isFree = anyOf(absent('asked'), equals('asked', id), below('askedAt', now - QUESTION_MS));
  const asks = { set: { schemaVersion: 1, asked: id, kind: name, askedAt: now } };
  if (await updateIf(table, questionKey(one), asks, { name: 'no question is open', holds: isFree })) return 'ask';
  const entry = `${id} ${name}`;
  const hasRoom = allOf(shorterThan('waiting', WAITING_MAX), not(contains('waiting', entry)));
  await updateIf(
    table,
    questionKey(one),
    { append: { waiting: [entry] } },
    { name: 'the event may wait', holds: anyOf(absent('waiting'), hasRoom) },
  );
  return 'waits';
};

/** Notes that a service said hello. @returns whether it is the first time */
export const noteConnected = async (table: KindTable, id: string, one: EventKind): Promise<boolean> => {
  const item = await table.update(kindKey(one), {
    set: { schemaVersion: 1, isAnswered: true },
    setOnce: { first: id },
  });
  return item.first === id;
};

/** Nobody is asked about the kind again. */
export const markAnswered = async (table: Pick<Table, 'update'>, one: EventKind): Promise<void> => {
  await table.update(kindKey(one), { set: { schemaVersion: 1, isAnswered: true } });
};

/** Nobody is asked about any kind of the source again. */
export const silenceSource = async (table: Pick<Table, 'update'>, one: Omit<EventKind, 'event'>): Promise<void> => {
  const set = { schemaVersion: 1, isSilent: true, waiting: [] };
  await table.update(questionKey(one), { set, remove: ['asked', 'kind', 'askedAt'], add: { round: 1 } });
};

export interface ReleaseDeps {
  readonly table: Pick<Table, 'load' | 'put' | 'update'>;
  /** The sweep publishes in its place if absent. */
  readonly publish?: Publish<PerceiveMessage> | undefined;
  readonly now: number;
}

export interface AnsweredKinds {
  readonly space: string;
  readonly source: string;
  /** All kinds of the source if absent. */
  readonly kind?: string | undefined;
  /** The event that the question showed comes again too. */
  readonly withAsked?: boolean;
}

/** Stores waiting events as if they came now; a repeat stores none twice. */
const storeAgain = async (
  { table, now }: ReleaseDeps,
  { space, source }: AnsweredKinds,
  entries: readonly string[],
): Promise<readonly Signal[]> => {
  const ids = entries.map((entry) => entry.slice(0, entry.indexOf(' ')));
  const items = await table.load(ids.map((id) => signalKeys.record(space, id)));
  const signals: Signal[] = [];
  for (const [n, id] of ids.entries()) {
    const record = readOrSkip(items[n], (item) => parseRecord(id, item));
    if (record === undefined || record.forgottenAt !== undefined) continue;
    const again = webhookSignalId(source, `later-${createHash('sha256').update(id).digest('hex').slice(0, 20)}`);
    const signal: Signal = { ...record.signal, id: again, root: again, receivedAt: now };
    const stored = buildRecordItem(signal, 'received', now + SWEEP_BACKOFF_MS[0]);
    await putOnce(table, signalKeys.record(space, again), stored);
    signals.push(signal);
  }
  return signals;
};

/** The events that an answer lets go, and the question as it is then. */
const planRelease = (item: Item, { kind, withAsked = false }: AnsweredKinds) => {
  const question = Question.parse(item);
  const { asked, kind: askedKind, waiting } = question;
  const isOf = (entry: string): boolean => kind === undefined || entry.slice(entry.indexOf(' ') + 1) === kind;
  const isClosed = asked === undefined || kind === undefined || askedKind === kind;
  const others = waiting.filter((entry) => !isOf(entry));
  // The first of another kind shows the next question.
  const next = isClosed ? others.slice(0, 1) : [];
  const shown = withAsked && isClosed && asked !== undefined ? [`${asked} ${askedKind}`] : [];
  return { question, isClosed, due: [...shown, ...waiting.filter(isOf), ...next], rest: others.slice(next.length) };
};

/** Lets the events come again that waited for an answer. @throws ContendedError */
export const releaseEvents = async (deps: ReleaseDeps, answered: AnsweredKinds): Promise<void> => {
  const key = questionKey(answered);
  for (let tries = 0; tries < CONFLICT_TRIES_MAX; tries += 1) {
    const item = await loadItem(deps.table, key);
    if (item === undefined) return;
    const { question, isClosed, due, rest } = planRelease(item, answered);
    const signals = await storeAgain(deps, answered, due);
    const { asked, waiting, round } = question;
    const holds = allOf(
      asked === undefined ? absent('asked') : equals('asked', asked),
      anyOf(absent('waiting'), shorterThan('waiting', waiting.length + 1)),
      round === 0 ? absent('round') : equals('round', round),
    );
    const change = {
      set: { waiting: rest },
      add: { round: 1 },
      ...(isClosed ? { remove: ['asked', 'kind', 'askedAt'] } : {}),
    };
    if (!(await updateIf(deps.table, key, change, { name: 'the question is as it was read', holds }))) continue;
    for (const signal of signals) await deps.publish?.(perceiveMessage(signal), 'perceive:0');
    return;
  }
  throw new ContendedError(`the question about ${answered.source}`, CONFLICT_TRIES_MAX);
};
