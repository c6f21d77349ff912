/**
 * Compares the signals of a copy with its verified log: a decision's leaf vouches for the words,
 * sender and conversation of its signal, and decisions vouch for the answers that later turns see.
 * A signal that differs from its leaf is a problem; one without a leaf is told, and counts as text
 * from outside (`settle-unproven.ts`). Sums up the spending that the records of a day prove.
 */
import { StoredItemError } from '../../../lib/core/base/errors.ts';
import { textHash } from '../../../lib/core/base/text-hash.ts';
import { parseRecord } from '../../../lib/core/ledger/ledger.ts';
import type { SignalRecord, TurnReply, TurnToolCall } from '../../../lib/core/ledger/record.ts';
import { type CollectedSignal, loadSignalRecords } from '../../../lib/core/log/collect.ts';
import { findDueLeaves, type SignalRecords } from '../../../lib/core/log/due-leaves.ts';
import { dayOf } from '../../../lib/core/money/day-spend.ts';
import { type Action, actionHash } from '../../../lib/core/signal/action.ts';
import type { Effect } from '../../../lib/core/signal/decision.ts';
import { rootOf } from '../../../lib/core/signal/ids.ts';
import { describeTurn } from '../../../lib/core/stages/act/describe-turn.ts';
import { eraseAction } from '../../../lib/core/stages/act/erase-replies.ts';
import { indexPartitions, signalKeys } from '../../../lib/core/store/keys.ts';
import { loadIndexed } from '../../../lib/core/store/load-named.ts';
import type { FullReadTable } from '../../../lib/core/store/table.ts';

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

/** Words that were forgotten fit no hash any more. */
const isOther = (action: Action, hash: string): boolean =>
  actionHash(action) !== hash && actionHash(action) !== actionHash(eraseAction(action));

/** An export shows neither the actions of cards nor those of approvals: only their hashes. */
const findOther = ({ signal: { id }, decision, approvals }: SignalRecords): readonly string[] => [
  ...(decision?.actions ?? []).flatMap(({ action, hash }, n) =>
    isOther(action, hash) ? [`decision ${id}: its action ${n} is not the one that its hash names`] : [],
  ),
  ...approvals.flatMap(({ action, actionHash: hash }) =>
    isOther(action, hash) ? [`an approval of ${id}: its action is not the one that its hash names`] : [],
  ),
];

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

const addHeld = (held: Set<string>, { decision, effects }: SignalRecords): void => {
  for (const effect of effects) {
    const { replies, toolCalls } = describeTurn(decision?.actions ?? [], [effect]);
    for (const reply of replies) held.add(hashOfReply(reply));
    for (const call of toolCalls.flatMap((one) => statesOf(one, effect))) held.add(hashOfCall(call));
  }
};

/** A second try of a call counts with its last price alone: the counter has each. */
const addSpent = (spent: Map<string, Spent>, session: string, rows: SignalRecords, now: number): void => {
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
const compare = ({ signal, forgottenAt }: SignalRecord, found: string, logged: string | undefined) => {
  if (logged === found) return undefined;
  const isKnown = logged === undefined || forgottenAt !== undefined || signal.source === UNPROVEN_SOURCE;
  return isKnown ? null : `signal ${signal.id}: it is not what its decision's leaf in the log says`;
};

/** The writer's notes of a signal: a wrong one would give a record a second leaf. */
const findUnmarked = ({ record, records, marks }: CollectedSignal): readonly string[] => {
  const [due] = record.unfinishedSpace === undefined ? findDueLeaves(records, marks) : [];
  return due === undefined ? [] : [`${due.leaf.kind} ${due.leaf.id}: its mark is not that of its leaf`];
};

/** A tick that made a job, which has its own leaf: it brought no words, and nothing comes of it. */
const isSpentTick = ({ signal: { payload }, state }: SignalRecord): boolean =>
  payload.sensor === 'heartbeat' && state === 'dropped';

interface Proving extends ProvenSignals {
  readonly problems: string[];
  readonly unproven: string[];
  readonly turns: Map<string, Turn>;
  readonly spent: Map<string, Spent>;
}

const proveSignal = async (
  table: FullReadTable,
  record: SignalRecord,
  logged: string | undefined,
  now: number,
  { problems, unproven, turns, spent }: Proving,
): Promise<void> => {
  const { id, session } = record.signal;
  const collected = await loadSignalRecords(table, record);
  const { records: rows } = collected;
  const found = compare(record, rows.envelope, logged);
  if (typeof found === 'string') problems.push(found);
  if (found === null && !isSpentTick(record)) unproven.push(id);
  problems.push(...findOther(rows), ...findUnmarked(collected));
  const { said, held } = turns.get(rootOf(id)) ?? { said: [], held: new Set() };
  addHeld(held, rows);
  turns.set(rootOf(id), { said: id === rootOf(id) ? saidIn(record) : said, held });
  addSpent(spent, session, rows, now);
};

/**
 * @param envelopes hash of the signal in each decision's leaf, of a verified log
 * @param now the moment of the restore
 */
export const proveSignals = async (
  table: FullReadTable,
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
        const record = parseRecord(id, item);
        if (item.feedAt !== record.signal.receivedAt)
          proving.problems.push(`signal ${id}: it stands elsewhere in the list of messages`);
        await proveSignal(table, record, envelopes.get(id), now, proving);
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
