/**
 * The rows that Act writes beside a signal as evidence of a runner's work. They hold hashes, ids
 * and signatures, so forgetting leaves them as they are. Written once.
 */
import * as z from 'zod/mini';
import type { FixedOrder, FixedRunnerReceipt, FixedRunnerResult } from '../../core/evidence/runner-records.ts';
import { parseStored } from '../../core/store/parse-stored.ts';
import type { Item } from '../../core/store/table.ts';
import { Order, type SignedOrder, signedFormOfOrder } from './order.ts';
import { RunnerReceipt, RunnerResult, type SignedReceipt, type SignedResult, signedFormOfResult } from './result.ts';
import type { Runner } from './runners.ts';

const common = { schemaVersion: z.literal(1), v: z.literal(1), signature: z.string() };
const ended = { ...common, effect: z.string(), at: z.int() };

const LoggedOrderRow = z.object({
  ...common,
  at: z.int(),
  job: z.omit(Order, { action: true }),
  pairing: z.strictObject({ publicKey: z.string(), actKey: z.string(), pairedAt: z.int(), pairedBy: z.string() }),
});
const RunnerReceiptRow = z.object({ ...ended, receipt: RunnerReceipt });
const RunnerResultRow = z.object({
  ...ended,
  result: z.extend(z.omit(RunnerResult, { reason: true, changed: true }), { reason: z.string(), changed: z.string() }),
});

/** @param actKey the public key that the runner knows Act by */
export const buildOrderRow = (
  { job, signature }: SignedOrder,
  { publicKey, pairedAt, pairedBy }: Pick<Runner, 'publicKey' | 'pairedAt' | 'pairedBy'>,
  actKey: string,
): Item => {
  const pairing = { publicKey, actKey, pairedAt, pairedBy };
  const row: FixedOrder = { v: 1, at: job.issuedAt, job: signedFormOfOrder(job), signature, pairing };
  return { schemaVersion: 1, ...row };
};

/** @param effect id of the order @param at when it is written down, epoch milliseconds */
export const buildReceiptRow = (effect: string, { receipt, signature }: SignedReceipt, at: number): Item => {
  const row: FixedRunnerReceipt = { v: 1, effect, at, receipt, signature };
  return { schemaVersion: 1, ...row };
};

export const buildResultRow = (effect: string, { result, signature }: SignedResult, at: number): Item => {
  const row: FixedRunnerResult = { v: 1, effect, at, result: signedFormOfResult(result), signature };
  return { schemaVersion: 1, ...row };
};

const withoutVersion = <T extends object>({ schemaVersion: _, ...row }: T & { schemaVersion: 1 }) => row;

export const parseOrderRow = (item: Item): FixedOrder =>
  withoutVersion(parseStored(item, LoggedOrderRow, 'order to a runner'));
export const parseReceiptRow = (item: Item): FixedRunnerReceipt =>
  withoutVersion(parseStored(item, RunnerReceiptRow, 'receipt of a runner'));
export const parseResultRow = (item: Item): FixedRunnerResult =>
  withoutVersion(parseStored(item, RunnerResultRow, 'result of a runner'));
