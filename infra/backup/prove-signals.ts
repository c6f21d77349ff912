/**
 * Compares the signals of a copy with its verified log: a decision's leaf vouches for the words,
 * sender and conversation of its signal, and decisions vouch for the answers that later turns see.
 * A signal that differs from its leaf is a problem; one without a leaf is told, and counts as text
 * from outside (`settle-unproven.ts`). Sums up the spending that the records of a day prove.
 */
import { StoredItemError } from '../../lib/base/errors.ts';
import { textHash } from '../../lib/base/text-hash.ts';
import { envelopeHash } from '../../lib/evidence/record-hash.ts';
import { loadPartition, parseDecision, parseEffect, parseRecord } from '../../lib/ledger/ledger.ts';
import type { SignalRecord, TurnReply, TurnToolCall } from '../../lib/ledger/record.ts';
import { dayOf } from '../../lib/money/day-spend.ts';
import { Attempt, type Decision, type Effect } from '../../lib/signal/decision.ts';
import { rootOf } from '../../lib/signal/ids.ts';
import { describeTurn } from '../../lib/stages/act/describe-turn.ts';
import { indexPartitions, signalKeys } from '../../lib/store/keys.ts';
import { loadIndexed } from '../../lib/store/load-named.ts';
import { parseStored } from '../../lib/store/parse-stored.ts';
import type { Item, Table } from '../../lib/store/table.ts';

/** Signals read at once: one batch of the table. */
const SIGNALS_AT_ONCE = 50;

/** The source of a signal that a restore could not prove: nobody of rights speaks there. */
export const UNPROVEN_SOURCE = 'backup';

export interface Spent {
  usd: number;
  tokens: number;
}

export interface ProvenSignals {
  /** Sentences; nothing may be restored. */
  readonly problems: readonly string[];
  /** Ids of signals that no leaf vouches for. */
  readonly unproven: readonly string[];
  /** Roots with an answer or a call that no decision of their turn holds. */
  readonly unheld: readonly string[];
  /** By conversation: micro-dollars and tokens of the day of the restore. */
  readonly spent: ReadonlyMap<string, Spent>;
}

type ReadTable = Pick<Table, 'load' | 'query' | 'queryIndex'>;

interface Rows {
  readonly decision: Decision | undefined;
  readonly effects: readonly Effect[];
  readonly attempts: readonly Attempt[];
}

const readRows = async (table: ReadTable, space: string, id: string): Promise<Rows> => {
  const items = await loadPartition(table, space, id, Number.POSITIVE_INFINITY);
  const starting = (prefix: string) => items.filter(({ sk }) => String(sk).startsWith(prefix));
  const [decision] = starting('decision').map((item) => parseDecision(id, item));
  return {
    decision,
    effects: starting('effect#').map((item) => parseEffect(id, item)),
    attempts: starting('attempt#').map(({ pk: _pk, sk: _sk, ...rest }) =>
      parseStored(rest, Attempt, `attempt of ${id}`),
    ),
  };
};

interface Turn {
  /** Hashes of what later turns see of it, as its root says and as its decisions do. */
  readonly said: readonly string[];
  readonly held: Set<string>;
}

const hashOfReply = ({ text, origin }: TurnReply): string => textHash(`${origin} ${text}`);
const hashOfCall = ({ tool, state }: TurnToolCall): string => textHash(`call ${state} ${tool}`);

const saidIn = ({ replies = [], toolCalls = [] }: SignalRecord): readonly string[] => [
  ...replies.map(hashOfReply),
  ...toolCalls.map(hashOfCall),
];

/** With the states that a call may have had before the one it ended in. */
const statesOf = ({ tool, state }: TurnToolCall, effect: Effect): readonly TurnToolCall[] => {
  const { approvalId, actuator, resolution } = effect;
  const hasWaited = approvalId !== undefined || actuator === 'runner';
  const before = [...(hasWaited ? ['suspended'] : []), ...(resolution === undefined ? [] : ['unknown', 'failed'])];
  return [state, ...before].map((one) => ({ tool, state: one }));
};

const addHeld = (held: Set<string>, { decision, effects }: Rows): void => {
  for (const effect of effects) {
    const { replies, toolCalls } = describeTurn(decision?.actions ?? [], [effect]);
    for (const reply of replies) held.add(hashOfReply(reply));
    for (const call of toolCalls.flatMap((one) => statesOf(one, effect))) held.add(hashOfCall(call));
  }
};

/** A second try of a call counts with its last price alone: the counter has each. */
const addSpent = (spent: Map<string, Spent>, session: string, rows: Rows, now: number): void => {
  const sum = spent.get(session) ?? { usd: 0, tokens: 0 };
  const { decision, attempts, effects } = rows;
  const asked = [
    ...attempts.filter(({ n }) => n !== decision?.attempt?.n),
    ...(decision?.attempt ? [decision.attempt] : []),
  ];
  for (const { cost } of asked.filter(({ at }) => dayOf(at) === dayOf(now))) {
    sum.usd += cost?.usd ?? 0;
    sum.tokens += cost?.tokens ?? 0;
  }
  for (const { costUsd = 0, claimedAt = 0 } of effects) if (dayOf(claimedAt) === dayOf(now)) sum.usd += costUsd;
  if (sum.usd > 0 || sum.tokens > 0) spent.set(session, sum);
};

/** @returns the problem; undefined if its leaf vouches for it; null if none does */
const compare = ({ signal, forgottenAt }: SignalRecord, item: Item, envelope: string | undefined) => {
  if (item.feedAt !== signal.receivedAt) return `signal ${signal.id}: it stands elsewhere in the list of messages`;
  if (envelope === envelopeHash(String(item.signal))) return undefined;
  const isKnown = envelope === undefined || forgottenAt !== undefined || signal.source === UNPROVEN_SOURCE;
  return isKnown ? null : `signal ${signal.id}: it is not what its decision's leaf in the log says`;
};

interface Proving extends ProvenSignals {
  readonly problems: string[];
  readonly unproven: string[];
  readonly turns: Map<string, Turn>;
  readonly spent: Map<string, Spent>;
}

const proveSignal = async (
  table: ReadTable,
  record: SignalRecord,
  item: Item,
  envelope: string | undefined,
  now: number,
  proving: Proving,
): Promise<void> => {
  const { id, space, session } = record.signal;
  const { problems, unproven, turns, spent } = proving;
  const found = compare(record, item, envelope);
  if (typeof found === 'string') problems.push(found);
  if (found === null) unproven.push(id);
  const rows = await readRows(table, space, id);
  const { said, held } = turns.get(rootOf(id)) ?? { said: [], held: new Set() };
  addHeld(held, rows);
  turns.set(rootOf(id), { said: id === rootOf(id) ? saidIn(record) : said, held });
  addSpent(spent, session, rows, now);
};

/** @param envelopes hash of the signal in each decision's leaf, of a verified log @param now the moment of the restore */
export const proveSignals = async (
  table: ReadTable,
  space: string,
  envelopes: ReadonlyMap<string, string>,
  now: number,
): Promise<ProvenSignals> => {
  const proving: Proving = { problems: [], unproven: [], unheld: [], spent: new Map(), turns: new Map() };
  let cursor: string | undefined;
  do {
    const query = { index: 'feed', partition: indexPartitions.feed(space), limit: SIGNALS_AT_ONCE, cursor } as const;
    const page = await loadIndexed(table, query);
    for (const item of page.items) {
      const id = String(item.pk).slice(signalKeys.partition(space, '').length);
      try {
        await proveSignal(table, parseRecord(id, item), item, envelopes.get(id), now, proving);
      } catch (error) {
        if (!(error instanceof StoredItemError)) throw error;
        proving.problems.push(error.message);
      }
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  const unheld = [...proving.turns].flatMap(([id, { said, held }]) => (said.every((one) => held.has(one)) ? [] : [id]));
  return { ...proving, unheld };
};
