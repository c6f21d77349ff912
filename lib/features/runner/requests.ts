/**
 * The requests of a runner to its stack: `POST /runner/<op>`, canonical JSON, signed by its key in
 * the header `authorization`. To pair, a machine signs with the key that it asks to be known by.
 */
import * as z from 'zod/mini';
import { canonicalJson } from '../../core/base/canonical.ts';
import { MINUTE_MS } from '../../core/base/limits.ts';
import { MachineOffer } from '../mcp/offers.ts';
import { RUNNER_OUTPUT_CHARS_MAX, SignedReceipt, SignedResult } from './result.ts';
import { RunnerName } from './runner-name.ts';
import { AllowSummary } from './runners.ts';
import { isSignedBy, type Signer } from './sign.ts';

/** Clocks of two machines differ by less; a request with another time is refused. */
export const RUNNER_CLOCK_MS_MAX = 5 * MINUTE_MS;
/** Jobs that one machine runs at once: commands wait for disks more than for processors. */
export const ORDERS_AT_ONCE = 2;

const SCHEME = 'Ed25519 ';
const PublicKey = z.string().check(z.regex(/^[\w-]{43}$/));
/** 128 random bits, hex. */
const Start = z.string().check(z.regex(/^[0-9a-f]{32}$/));
const OrderId = z.string().check(z.maxLength(256));

/** In the header of its release, a program that fetches files of skills says so. */
export const TAKES_FILES = 'files=1';

export const RunnerOp = z.enum(['pair', 'open', 'offer', 'claim', 'file', 'beat', 'result', 'leave']);
export type RunnerOp = z.infer<typeof RunnerOp>;

export const RUNNER_BODIES = {
  /** `secret` and `fingerprint` are those of the pairing code, which knows the runner's name. */
  pair: z.strictObject({ secret: z.string(), fingerprint: z.string(), publicKey: PublicKey, allow: AllowSummary }),
  /** `start` is made anew at each start of the program; absent from older ones. */
  open: z.strictObject({ allow: AllowSummary, start: z.optional(Start) }),
  /** The tools of a server that this machine starts. */
  offer: MachineOffer,
  claim: z.strictObject({ id: OrderId, receipt: SignedReceipt }),
  /** A file that an order names, which this machine has taken. */
  file: z.strictObject({ id: OrderId, sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  beat: z.strictObject({ start: z.optional(Start), ids: z.array(OrderId).check(z.maxLength(ORDERS_AT_ONCE)) }),
  /** `receipt` is there if the runner took the job: its claim's answer may have been lost. */
  result: z.strictObject({
    id: OrderId,
    result: SignedResult,
    text: z.string().check(z.maxLength(RUNNER_OUTPUT_CHARS_MAX)),
    receipt: z.optional(SignedReceipt),
  }),
  /** Its owner ended it. */
  leave: z.strictObject({}),
} as const;
export type RunnerBody<Op extends RunnerOp> = z.infer<(typeof RUNNER_BODIES)[Op]>;

/** Credentials that can receive from and delete in one queue only. */
export const QueueAccess = z.object({
  queueUrl: z.string(),
  region: z.string(),
  /** Of the local stack's queues. */
  endpoint: z.optional(z.string()),
  credentials: z.object({ accessKeyId: z.string(), secretAccessKey: z.string(), sessionToken: z.string() }),
  /** Epoch milliseconds. */
  expiresAt: z.int(),
});
export type QueueAccess = z.infer<typeof QueueAccess>;

export const RUNNER_ANSWERS = {
  /** `actKey` is Act's public key, whose fingerprint the pairing code carries. */
  pair: z.object({ space: z.string(), runner: RunnerName, actKey: z.string() }),
  open: z.extend(QueueAccess, { isPaused: z.boolean() }),
  offer: z.object({}),
  /** `why` is a sentence for people; empty if the order is the runner's. */
  claim: z.object({ isYours: z.boolean(), why: z.string() }),
  file: z.object({ base64: z.string() }),
  /** Those that must end now. */
  beat: z.object({ stop: z.array(z.string()) }),
  result: z.object({ isKept: z.boolean() }),
  leave: z.object({}),
} as const;
export type RunnerAnswer<Op extends RunnerOp> = z.infer<(typeof RUNNER_ANSWERS)[Op]>;

export const RunnerRequest = z.strictObject({
  v: z.literal(1),
  op: RunnerOp,
  /** Its name; empty to pair. */
  runner: z.string().check(z.maxLength(32)),
  /** Epoch milliseconds. */
  at: z.int(),
  body: z.unknown(),
});
export type RunnerRequest = z.infer<typeof RunnerRequest>;

/** @returns the body's text and the header `authorization` */
export const signRequest = (signer: Signer, request: RunnerRequest) => ({
  text: canonicalJson(request),
  authorization: `${SCHEME}${signer.sign('runner-request', request)}`,
});

/** Tells by its head alone whether a request can be signed at all. */
export const carriesSignature = (authorization: string): boolean => authorization.startsWith(SCHEME);

export const isRequestOf = (publicKey: string, request: RunnerRequest, authorization: string): boolean =>
  carriesSignature(authorization) &&
  isSignedBy(publicKey, 'runner-request', request, authorization.slice(SCHEME.length));
