/**
 * Whether a message is an order for this runner: signed by the key of Act that was pinned when the
 * machine was paired, for this space and this name, whole, in time, and never seen before. Pure.
 */
import { readJson } from '../../lib/base/json.ts';
import { isOrderOf, type Order, SignedOrder } from '../../lib/runner/order.ts';
import { RUNNER_CLOCK_MS_MAX } from '../../lib/runner/requests.ts';
import { isRunnerTool } from '../../lib/signal/runner-tools.ts';
import type { Pairing } from './runner-folder.ts';

export type VerifiedOrder =
  | { readonly kind: 'job'; readonly signed: SignedOrder }
  /** Nothing answers it: it is not for this runner, not from Act, or was answered before. */
  | { readonly kind: 'ignored'; readonly why: string };

const parse = (body: string): SignedOrder | undefined => SignedOrder.safeParse(readJson(body)).data;

const problemOf = (job: Order, { space, name }: Pairing, now: number): string => {
  if (job.space !== space || job.runner !== name) return 'it is for another runner';
  if (now >= job.expiresAt) return 'it expired';
  // A clock that is wrong by hours would make expired orders valid.
  if (job.issuedAt > now + RUNNER_CLOCK_MS_MAX) return "it was made in the future: check this machine's clock";
  const { target, tool, args } = job.action;
  if (target !== 'tool' || !isRunnerTool(tool) || args?.runner !== name)
    return 'it is no call of a tool for this runner';
  return '';
};

/** @param knows whether the journal has it */
export const verifyOrder = (
  body: string,
  pairing: Pairing,
  now: number,
  knows: (signed: SignedOrder) => boolean,
): VerifiedOrder => {
  const signed = parse(body);
  if (signed === undefined) return { kind: 'ignored', why: 'it is no order' };
  if (!isOrderOf(pairing.actKey, signed))
    return { kind: 'ignored', why: 'its signature is not that of the paired stack' };
  const problem = problemOf(signed.job, pairing, now);
  if (problem !== '') return { kind: 'ignored', why: problem };
  return knows(signed) ? { kind: 'ignored', why: 'it was accepted before' } : { kind: 'job', signed };
};
