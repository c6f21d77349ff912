/** The rows of an order, its receipt and its result, as `/why` says them. */
import { utcMinute } from '../../core/base/utc-minute.ts';
import type { RowLine } from '../../core/operations/feature-views.ts';
import type { Item } from '../../core/store/table.ts';
import { fingerprintOf } from './pairing-code.ts';
import { parseOrderRow, parseReceiptRow, parseResultRow } from './signed-rows.ts';

const HASH_SHOWN_CHARS = 12;

const jobLine = (item: Item): string => {
  const { job, pairing } = parseOrderRow(item);
  const consent = job.consent === undefined ? '' : `, by ${job.consent.kind}`;
  const key = fingerprintOf(pairing.publicKey).slice(0, HASH_SHOWN_CHARS);
  return `Machine ${job.runner} (key ${key}): job ${job.id} handed over ${utcMinute(job.issuedAt)}${consent}, to begin before ${utcMinute(job.expiresAt)}`;
};

const receiptLine = (item: Item): string => {
  const { receipt, effect } = parseReceiptRow(item);
  return `Machine ${receipt.runner}: took ${effect} ${utcMinute(receipt.takenAt)} (claim ${receipt.claim.slice(0, HASH_SHOWN_CHARS)})`;
};

const resultLine = (item: Item): string => {
  const { result, effect } = parseResultRow(item);
  const exit = result.exitCode === undefined ? '' : `, exit code ${result.exitCode}`;
  const took = result.startedAt === undefined ? '' : ` after ${(result.endedAt - result.startedAt) / 1000} s`;
  return `Machine ${result.runner}: says that ${effect} ended ${utcMinute(result.endedAt)}: ${result.state}${exit}${took}, ${result.output.bytes} bytes of output, allow-file ${result.allowHash.slice(0, HASH_SHOWN_CHARS)}`;
};

const LINES: Readonly<Record<string, (item: Item) => string>> = {
  job: jobLine,
  receipt: receiptLine,
  result: resultLine,
};

/** @param item of the key `runner#<n>#<kind>` @throws StoredItemError */
export const runnerLine: RowLine = {
  prefix: 'runner#',
  describe: (item) => LINES[String(item.sk).split('#')[2] ?? '']?.(item),
};
