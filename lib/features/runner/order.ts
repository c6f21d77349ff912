/**
 * The order that Act hands to a runner, with Act's signature over all of it: the runner performs
 * exactly these bytes. The action is covered by its hash, so that the signature can be checked when
 * the words are forgotten. Stored and signed forms call it `job`.
 */
import * as z from 'zod/mini';
import { hashOf } from '../../core/base/canonical.ts';
import { MINUTE_MS } from '../../core/base/limits.ts';
import { Action, actionHash } from '../../core/signal/action.ts';
import { isSignedBy, type Signer } from './sign.ts';

/** The longest an order may run, whatever the machine's own file says. */
export const RUNNER_RUN_MS_MAX = 30 * MINUTE_MS;
/** After its time limit, an order that nobody heard of since is lost. */
export const RUNNER_GRACE_MS = MINUTE_MS;

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const Order = z.strictObject({
  v: z.literal(1),
  /** `<signal>#<n>`: one order for each effect, however often Act is asked. */
  id: z.string(),
  space: z.string(),
  runner: z.string(),
  action: Action,
  actionHash: sha256,
  /** Of a call of a server of tools: the tool as an approver accepted it. It must still be so. */
  expects: z.optional(
    z.strictObject({ remote: z.string(), name: z.string(), hash: sha256, passes: z.optional(z.literal(true)) }),
  ),
  /** Of the stored decision: `jobDecisionHash` in `lib/core/log`. */
  decisionHash: sha256,
  /** Of the last mile's trace: `jobTraceHash` in `lib/core/log`. */
  traceHash: sha256,
  /** An approval by its reference, because its id is a capability (I5); a grant by its id. */
  consent: z.optional(z.strictObject({ kind: z.enum(['approval', 'grant']), id: z.string() })),
  /** Epoch milliseconds. */
  issuedAt: z.int(),
  /** It may not begin at or after this. */
  expiresAt: z.int(),
  /** 128 random bits, hex. */
  nonce: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
});
export type Order = z.infer<typeof Order>;

export const SignedOrder = z.strictObject({ job: Order, signature: z.string() });
export type SignedOrder = z.infer<typeof SignedOrder>;

/** The signed part: all but the action, whose hash is in it. */
export const signedFormOfOrder = ({ action: _action, ...form }: Order): Omit<Order, 'action'> => form;

/** Names the order in receipts and results. */
export const orderHashOf = (job: Order): string => hashOf('runner-job', signedFormOfOrder(job));

export const signOrder = (signer: Signer, job: Order): SignedOrder => ({
  job,
  signature: signer.sign('runner-job', signedFormOfOrder(job)),
});

/** Whether Act signed it, and it holds the very action that was signed. Never throws. */
export const isOrderOf = (actKey: string, { job, signature }: SignedOrder): boolean => {
  try {
    return (
      job.actionHash === actionHash(job.action) && isSignedBy(actKey, 'runner-job', signedFormOfOrder(job), signature)
    );
  } catch {
    // Nothing that Act hashed is nested so deep, or holds half a character.
    return false;
  }
};
