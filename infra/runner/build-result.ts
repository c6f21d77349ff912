/** The words of a result, before they are signed. Pure. */
import { createHash } from 'node:crypto';
import { orderHashOf, type SignedOrder } from '../../lib/features/runner/order.ts';
import { buildShown, type RunnerResult, type SignedReceipt } from '../../lib/features/runner/result.ts';
import type { Performed } from './perform.ts';

/** Of no bytes at all. */
export const EMPTY_SHA256 = createHash('sha256').digest('hex');

/** How an order ended; without a receipt it was never taken. */
export interface Ending {
  readonly signed: SignedOrder;
  readonly receipt?: SignedReceipt;
  readonly allowHash: string;
  readonly state: RunnerResult['state'];
  readonly reason: string;
  readonly startedAt?: number;
  readonly performed?: Performed;
}

/** Reasons stand in it: they may name paths, and only what is output can be forgotten. */
const textOf = ({ signed, reason, performed }: Ending): string => {
  const isFailure = signed.job.action.tool === 'shell' && (performed?.exitCode ?? 0) !== 0;
  const parts = [reason, isFailure ? `exit code ${performed?.exitCode}` : '', performed?.shown.text ?? ''];
  return parts
    .filter((part) => part !== '')
    .join('\n')
    .toWellFormed();
};

export const buildResult = (ending: Ending, runner: string, now: number): { result: RunnerResult; text: string } => {
  const { signed, receipt, performed, startedAt } = ending;
  const text = textOf(ending);
  const result: RunnerResult = {
    v: 1,
    jobHash: orderHashOf(signed.job),
    runner,
    ...(receipt !== undefined && { claim: receipt.receipt.claim }),
    state: ending.state,
    reason: ending.reason,
    ...(performed?.exitCode !== undefined && { exitCode: performed.exitCode }),
    ...(startedAt !== undefined && { startedAt }),
    endedAt: now,
    output: performed?.output ?? { sha256: EMPTY_SHA256, bytes: 0 },
    shown: buildShown(text, performed?.shown.isWhole ?? true),
    changed: [...(performed?.changed ?? [])],
    moreChanged: performed?.more ?? 0,
    allowHash: ending.allowHash,
  };
  return { result, text };
};
