/**
 * The job that Act hands to a runner: one action, the decision and the consent behind it, until
 * when it may begin, and Act's signature over all of it. The runner performs exactly these bytes,
 * and nothing without this signature.
 */
import * as z from 'zod/mini';
import { HOUR_MS, MINUTE_MS } from '../base/limits.ts';
import { Action } from '../signal/action.ts';
import { isSignedBy, type Signer } from './sign.ts';

/** How long a job waits for its machine: as long as an approval waits for its person. */
export const RUNNER_WAIT_MS = HOUR_MS;
/** The longest a job may run, whatever the machine's own file says. */
export const RUNNER_RUN_MS_MAX = 30 * MINUTE_MS;
/** After its time limit, a job that nobody heard of since is lost. */
export const RUNNER_GRACE_MS = MINUTE_MS;

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const RunnerJob = z.strictObject({
  v: z.literal(1),
  /** `<signal>#<n>`: one job for each effect, however often Act is asked. */
  id: z.string(),
  space: z.string(),
  runner: z.string(),
  action: Action,
  actionHash: sha256,
  /** Of the stored decision. */
  decisionHash: sha256,
  /** `hashOf('trace', …)` of the last mile's trace. */
  traceHash: sha256,
  consent: z.optional(z.strictObject({ kind: z.enum(['approval', 'grant']), id: z.string() })),
  /** Epoch milliseconds. */
  issuedAt: z.int(),
  /** It may not begin at or after this. */
  expiresAt: z.int(),
  /** 128 random bits, hex. */
  nonce: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
});
export type RunnerJob = z.infer<typeof RunnerJob>;

export const SignedJob = z.strictObject({ job: RunnerJob, signature: z.string() });
export type SignedJob = z.infer<typeof SignedJob>;

export const signJob = (signer: Signer, job: RunnerJob): SignedJob => ({
  job,
  signature: signer.sign('runner-job', job),
});

export const isJobOf = (actKey: string, { job, signature }: SignedJob): boolean =>
  isSignedBy(actKey, 'runner-job', job, signature);
