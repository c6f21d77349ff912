/**
 * A machine of the owner's without a sandbox: it pairs, opens its queue, takes jobs and gives
 * results over real HTTP and SQS, each step when a test wants it.
 */
import { randomBytes } from 'node:crypto';
import { buildStack, type Stack as RunnerStack } from '../../infra/runner/transport.ts';
import { buildReceiver, type ReceivedMessage } from '../../lib/core/store/receive.ts';
import { isOrderOf, orderHashOf, SignedOrder } from '../../lib/features/runner/order.ts';
import { parsePairingCode } from '../../lib/features/runner/pairing-code.ts';
import { signRequest } from '../../lib/features/runner/requests.ts';
import {
  buildShown,
  type RunnerResult,
  type SignedReceipt,
  signReceipt,
  signResult,
} from '../../lib/features/runner/result.ts';
import type { AllowSummary } from '../../lib/features/runner/runners.ts';
import { buildSigner, type Signer } from '../../lib/features/runner/sign.ts';
import { runCli } from '../cli/cli-world.ts';
import { APPROVER_TOKEN, type TestStack } from './stack.ts';

export const ALLOWED: AllowSummary = {
  hash: 'a'.repeat(64),
  home: '/home/owner',
  read: ['/home/owner/docs'],
  write: ['/home/owner/site'],
  programs: [],
  hasNetwork: false,
};

export interface TakenJob {
  readonly signed: SignedOrder;
  readonly message: ReceivedMessage;
  readonly receipt: SignedReceipt;
}

export interface RunnerClient {
  readonly name: string;
  readonly signer: Signer;
  readonly stack: RunnerStack;
  /** Waits for the next job, checks its signature, and makes a receipt. */
  readonly next: () => Promise<TakenJob>;
  readonly claim: (job: TakenJob) => ReturnType<RunnerStack['claim']>;
  readonly end: (
    job: TakenJob,
    text: string,
    changes?: Partial<RunnerResult>,
    isTaken?: boolean,
  ) => ReturnType<RunnerStack['result']>;
  /** Posts any request, signed by any key. */
  readonly post: (op: string, request: object, by?: Signer, headers?: Record<string, string>) => Promise<Response>;
  readonly close: () => void;
}

/** The code that the owner's terminal prints. */
export const makeCode = async (world: TestStack, name: string) => {
  const { out, err } = await runCli(['runners', 'pair', name], world.dataDir, { env: { APPROVER_TOKEN } });
  const code = parsePairingCode(out.trim().split(' ').at(-1) ?? '');
  if (code === undefined) throw new Error(`no code: ${out} ${err}`);
  return code;
};

export const pairClient = async (world: TestStack, name: string): Promise<RunnerClient> => {
  const signer = buildSigner(randomBytes(32));
  const code = await makeCode(world, name);
  const options = { url: world.stack.url, signer, now: Date.now };
  const { actKey } = await buildStack({ ...options, runner: '' }).pair({
    ...code,
    publicKey: signer.publicKey,
    allow: ALLOWED,
  });
  const stack = buildStack({ ...options, runner: name });
  const receiver = buildReceiver(await stack.open({ allow: ALLOWED }));
  const next = async (): Promise<TakenJob> => {
    for (;;) {
      const message = await receiver.receive();
      if (message === undefined) continue;
      const signed = SignedOrder.parse(JSON.parse(message.body));
      if (!isOrderOf(actKey, signed)) throw new Error('the job is not signed by Act');
      const receipt = signReceipt(signer, {
        v: 1,
        jobHash: orderHashOf(signed.job),
        runner: name,
        takenAt: Date.now(),
        claim: randomBytes(16).toString('hex'),
        runMsMax: 60_000,
      });
      return { signed, message, receipt };
    }
  };
  return {
    name,
    signer,
    stack,
    next,
    claim: ({ signed, receipt }) => stack.claim({ id: signed.job.id, receipt }),
    end: (job, text, changes = {}, isTaken = true) => {
      const { signed, receipt } = job;
      const result: RunnerResult = {
        v: 1,
        jobHash: orderHashOf(signed.job),
        runner: name,
        ...(isTaken ? { claim: receipt.receipt.claim } : {}),
        state: 'done',
        reason: '',
        endedAt: Date.now(),
        output: { sha256: '0'.repeat(64), bytes: text.length },
        shown: buildShown(text, true),
        changed: [],
        moreChanged: 0,
        allowHash: ALLOWED.hash,
        ...changes,
      };
      return stack.result({
        id: signed.job.id,
        result: signResult(signer, result),
        text,
        ...(isTaken ? { receipt } : {}),
      });
    },
    post: (op, request, by = signer, headers = {}) => {
      const full = { v: 1 as const, op: 'open' as const, runner: name, at: Date.now(), body: {}, ...request };
      const { text, authorization } = signRequest(by, full);
      const given = { 'content-type': 'application/json', authorization, ...headers };
      return fetch(`${world.stack.url}/runner/${op}`, { method: 'POST', headers: given, body: text });
    },
    close: receiver.close,
  };
};
