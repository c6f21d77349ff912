/**
 * An order on its way, in one row. Act puts it once, the runner's function lets one claim take it
 * and keeps its result, Act ends it if its time is over. Every change names the state it starts
 * from, and a repeat whose first answer was lost finds its own change.
 *
 *   queued ──claim──► taken ──result──► ended
 *     │ │ └──refused by the machine or by a stop──► ended
 *     │ └──time over──► expired   taken ──time over──► lost
 */
import * as z from 'zod/mini';
import { ConditionError } from '../../core/base/errors.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../core/base/limits.ts';
import {
  above,
  absent,
  allOf,
  anyOf,
  type Condition,
  equals,
  IS_NEW,
  type ItemChange,
} from '../../core/store/condition.ts';
import { indexPartitions, type Key, runnerKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { parseStored } from '../../core/store/parse-stored.ts';
import { type Item, isItem, type Table } from '../../core/store/table.ts';
import { wasWritten } from '../../core/store/update-if.ts';
import { orderHashOf, RUNNER_GRACE_MS, RUNNER_RUN_MS_MAX, type SignedOrder } from './order.ts';
import type { SignedReceipt, SignedResult } from './result.ts';

/** A machine that is on takes an order sooner; after this the person is told that it waits. */
const RUNNER_TELL_MS = 15 * SECOND_MS;
/** A settled row answers late repeats of the runner so long; then the table drops it. */
const SETTLED_ROW_MS = DAY_MS;
/** Two looks of the heartbeat at an order that waits; each sends it again. */
const RUNNER_LOOK_MS = MINUTE_MS;

export const OrderRow = z.object({
  schemaVersion: z.literal(1),
  /** `<signal>#<n>`. */
  id: z.string(),
  runner: z.string(),
  /** Of the signal that is told about the end. */
  session: z.string(),
  jobHash: z.string(),
  state: z.enum(['queued', 'taken', 'ended', 'expired', 'lost']),
  /** JSON of the signed order; absent once the row is settled, as all words. */
  signed: z.optional(z.string()),
  issuedAt: z.int(),
  /** When somebody last said that it may be done. A stop since then refuses it. */
  consentedAt: z.int(),
  /** That was a person's yes to exactly this order. */
  isApproved: z.optional(z.literal(true)),
  /** It may not be taken at or after this. */
  waitsUntil: z.int(),
  /** Of the receipt. */
  claim: z.optional(z.string()),
  /** It is lost if no result came by then. */
  endsBy: z.optional(z.int()),
  /** JSON of the signed receipt. */
  receipt: z.optional(z.string()),
  /** JSON of the signed result; absent from an ended row if our own rules ended it. */
  result: z.optional(z.string()),
  /** The same bytes give the same signature: by it a repeat is known. */
  resultSignature: z.optional(z.string()),
  /** The output that goes up. */
  text: z.optional(z.string()),
  /** Why it was ended here and not by the machine. */
  why: z.optional(z.string()),
  sends: z.int(),
  toldAt: z.optional(z.int()),
  /** Act has settled its effect. */
  isSettled: z.optional(z.literal(true)),
});
export type OrderRow = z.infer<typeof OrderRow>;

/** @throws StoredItemError if this release cannot read it. */
export const parseOrderRowItem = (item: Item): OrderRow => parseStored(item, OrderRow, 'order to a runner');

/** @throws StoredItemError if this release cannot read it. */
export const loadOrderRow = async (
  table: Pick<Table, 'load'>,
  space: string,
  id: string,
): Promise<OrderRow | undefined> => {
  const item = await loadItem(table, runnerKeys.job(space, id));
  return item === undefined ? undefined : parseOrderRowItem(item);
};

const due = (space: string, at: number): Item => ({ unfinishedSpace: indexPartitions.jobs(space), unfinishedAt: at });

export const buildOrderRowItem = (
  signed: SignedOrder,
  { session, consentedAt, isApproved }: Pick<OrderRow, 'session' | 'consentedAt' | 'isApproved'>,
): Item => {
  const { id, runner, space, issuedAt, expiresAt } = signed.job;
  const row: OrderRow = {
    schemaVersion: 1,
    id,
    runner,
    session,
    jobHash: orderHashOf(signed.job),
    state: 'queued',
    signed: JSON.stringify(signed),
    issuedAt,
    consentedAt,
    ...(isApproved && { isApproved }),
    waitsUntil: expiresAt,
    sends: 0,
  };
  return { ...row, ...due(space, issuedAt + RUNNER_TELL_MS) };
};

/** Once, with its evidence. @returns undefined if it was there before and is gone */
export const putOrderRow = async (
  table: Pick<Table, 'load' | 'transact'>,
  space: string,
  row: Item,
  evidence: { readonly key: Key; readonly item: Item },
): Promise<OrderRow | undefined> => {
  const key = runnerKeys.job(space, parseOrderRowItem(row).id);
  const isNew = await wasWritten(
    table.transact([
      { kind: 'put', key, item: row, condition: IS_NEW },
      { kind: 'put', ...evidence, condition: IS_NEW },
    ]),
  );
  const item = isNew ? row : await loadItem(table, key);
  return item === undefined ? undefined : parseOrderRowItem(item);
};

type RowTable = Pick<Table, 'update'>;

/** @returns the row after the change; the row as it stands if the condition did not hold */
const change = async (
  table: RowTable,
  space: string,
  id: string,
  changed: ItemChange,
  condition: Condition,
): Promise<{ readonly row: OrderRow | undefined; readonly isOurs: boolean }> => {
  try {
    const item = await table.update(runnerKeys.job(space, id), changed, condition);
    return { row: parseOrderRowItem(item), isOurs: true };
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    return { row: isItem(error.current) ? parseOrderRowItem(error.current) : undefined, isOurs: false };
  }
};

/** @returns the row if this claim has the order now, whether by this call or an earlier one */
export const takeOrder = async (
  table: RowTable,
  space: string,
  id: string,
  signed: SignedReceipt,
  now: number,
): Promise<OrderRow | undefined> => {
  const { claim, runner, runMsMax } = signed.receipt;
  const endsBy = now + Math.min(runMsMax, RUNNER_RUN_MS_MAX) + RUNNER_GRACE_MS;
  const set = { state: 'taken', claim, endsBy, receipt: JSON.stringify(signed), ...due(space, endsBy) };
  const waits = {
    name: 'the order waits, for this runner, has not expired, and its effect is open',
    holds: allOf(equals('state', 'queued'), equals('runner', runner), above('waitsUntil', now), absent('isSettled')),
  };
  const { row, isOurs } = await change(table, space, id, { set }, waits);
  return isOurs || (row?.state === 'taken' && row.claim === claim) ? row : undefined;
};

/** @param claim of the order that was just taken and has not begun; absent for one that waits */
export const refuseOrder = async (
  table: RowTable,
  space: string,
  id: string,
  why: string,
  claim?: string,
): Promise<void> => {
  const from =
    claim === undefined ? equals('state', 'queued') : allOf(equals('state', 'taken'), equals('claim', claim));
  const condition = { name: 'the order waits, or its claim was not answered yet', holds: from };
  await change(table, space, id, { set: { state: 'ended', why } }, condition);
};

/**
 * Of the claim that has the order, or of one that did not run. @returns the row if it has it now
 */
export const endOrder = async (
  table: RowTable,
  space: string,
  id: string,
  {
    signed,
    text,
    receipt,
  }: { readonly signed: SignedResult; readonly text: string; readonly receipt?: SignedReceipt | undefined },
  now: number,
): Promise<OrderRow | undefined> => {
  const { claim, runner, state } = signed.result;
  const isTaken = allOf(anyOf(equals('state', 'taken'), equals('state', 'lost')), equals('claim', claim ?? ''));
  const didNotRun = state === 'refused' || state === 'unknown';
  const from = didNotRun ? anyOf(isTaken, equals('state', 'queued')) : isTaken;
  const set = {
    state: 'ended',
    result: JSON.stringify(signed),
    resultSignature: signed.signature,
    text,
    ...(receipt === undefined ? {} : { receipt: JSON.stringify(receipt) }),
    ...due(space, now),
  };
  const mayEnd = {
    name: 'the order is taken by this claim, or waits and was not run',
    holds: allOf(from, equals('runner', runner), absent('isSettled')),
  };
  const { row, isOurs } = await change(table, space, id, { set }, mayEnd);
  return isOurs || row?.resultSignature === signed.signature ? row : undefined;
};

/** Ends an order whose time is over. @returns the row as it stands */
export const endByTime = async (
  table: RowTable,
  space: string,
  row: OrderRow,
  now: number,
): Promise<OrderRow | undefined> => {
  if (!isOver(row, now) || !['queued', 'taken'].includes(row.state)) return row;
  const condition = { name: `the order is still ${row.state}`, holds: equals('state', row.state) };
  const state = row.state === 'queued' ? 'expired' : 'lost';
  return (await change(table, space, row.id, { set: { state } }, condition)).row;
};

/**
 * The table is an older copy: an order in it may have had its run. Its effect becomes `unknown`.
 */
export const loseOrder = async (table: RowTable, space: string, id: string, now: number): Promise<void> => {
  const holds = anyOf(equals('state', 'queued'), equals('state', 'taken'));
  const set = { state: 'lost', ...due(space, now) };
  await change(table, space, id, { set }, { name: 'the job waits or is taken', holds });
};

/** Whether its effect can be settled now. */
export const isOver = ({ state, waitsUntil, endsBy = 0 }: OrderRow, now: number): boolean => {
  if (state === 'queued') return now >= waitsUntil;
  return state === 'taken' ? now >= endsBy : true;
};

/** Notes that its effect is settled. Its words go; what late repeats are compared with stays. */
export const settleOrderRow = async (table: RowTable, space: string, id: string, now: number): Promise<void> => {
  const remove = ['signed', 'receipt', 'result', 'text', 'unfinishedSpace', 'unfinishedAt'];
  const set = { isSettled: true, expiresAt: Math.ceil((now + SETTLED_ROW_MS) / SECOND_MS) };
  await change(table, space, id, { set, remove }, { name: 'the job is not settled', holds: absent('isSettled') });
};

/** Notes a look of the heartbeat: it sent the order again, and perhaps told its person. */
export const noteLook = async (
  table: RowTable,
  space: string,
  row: OrderRow,
  now: number,
  isTold: boolean,
): Promise<void> => {
  const end = row.state === 'queued' ? row.waitsUntil : (row.endsBy ?? 0);
  const later = now + RUNNER_LOOK_MS;
  const next = end > now ? Math.min(later, end) : later;
  const told = isTold ? { toldAt: now } : {};
  const set = { sends: row.sends + 1, unfinishedAt: next, ...told };
  const isAsRead = {
    name: 'the job is as it was read',
    holds: allOf(equals('state', row.state), equals('sends', row.sends), absent('isSettled')),
  };
  await change(table, space, row.id, { set }, isAsRead);
};
