/**
 * A paired machine for tests, the key of its Act, and a stack that keeps one row for each job in
 * memory: it takes claims and results as the real one does, once each.
 */
import { hash, randomBytes } from 'node:crypto';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openJournal } from '../../../infra/runner/journal.ts';
import { buildMcpServers } from '../../../infra/runner/mcp-servers.ts';
import { type Machine, runOrder, settleBegun } from '../../../infra/runner/run-order.ts';
import { openRunnerFolder, writePairing } from '../../../infra/runner/runner-folder.ts';
import type { Sandbox } from '../../../infra/runner/sandbox.ts';
import { buildTurns } from '../../../infra/runner/take-turn.ts';
import type { Stack } from '../../../infra/runner/transport.ts';
import { buildUnsent } from '../../../infra/runner/unsent.ts';
import { ProtocolError } from '../../../lib/core/base/errors.ts';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import { actionHash } from '../../../lib/core/signal/action.ts';
import type { RunnerToolName } from '../../../lib/core/signal/runner-tools.ts';
import { type Order, signOrder } from '../../../lib/features/runner/order.ts';
import type { RunnerBody } from '../../../lib/features/runner/requests.ts';
import { isReceiptOf, isResultOf, isShown } from '../../../lib/features/runner/result.ts';
import { buildSigner } from '../../../lib/features/runner/sign.ts';
import type { TestMachine } from './machine.ts';

export const act = buildSigner(Buffer.alloc(32, 1));
export const NOW = 1_700_000_000_000;
const NAME = 'den';

export type Args = JsonObject;

/** A script as its card showed it. */
export const shown = (path: string, text: string) => ({
  path,
  sha256: hash('sha256', text),
  begins: text.slice(0, 20),
});

type Changes = Partial<Order> & { readonly hasConsent?: boolean };

/** A job as Act makes it. `changes` are made before it is signed. */
export const buildOrder = (
  tool: RunnerToolName,
  args: Args,
  { hasConsent = true, ...changes }: Changes = {},
): Order => {
  const action: Order['action'] = {
    target: 'tool',
    tool,
    args: { ...args, runner: NAME },
    explanation: 'because it was asked for',
    author: 'model',
  };
  return {
    v: 1,
    id: `tg-1-${randomBytes(4).toString('hex')}#0`,
    space: 'default',
    runner: NAME,
    action,
    actionHash: actionHash(action),
    decisionHash: '1'.repeat(64),
    traceHash: '2'.repeat(64),
    ...(hasConsent && { consent: { kind: 'approval', id: 'a-1' } }),
    issuedAt: NOW - 1_000,
    expiresAt: NOW + 60_000,
    nonce: randomBytes(16).toString('hex'),
    ...changes,
  };
};

type Answered = RunnerBody<'result'>;

export interface PairedMachine {
  readonly machine: Machine;
  readonly runnerKey: string;
  readonly test: ReturnType<typeof buildTestStack>;
  /** Claims by job id, and the results that the stack kept. */
  readonly claims: Map<string, string>;
  readonly results: readonly Answered[];
  readonly reports: readonly string[];
  readonly removed: () => number;
  /** Delivers a message and gives the stack's result for it, if there is one. */
  readonly deliver: (
    job: Order,
    signer?: typeof act,
  ) => Promise<(Answered['result']['result'] & { text: string }) | undefined>;
  readonly deliverText: (body: string) => Promise<void>;
  readonly folder: string;
}

export const buildTestStack = (runnerKey: string) => {
  const claims = new Map<string, string>();
  const results: Answered[] = [];
  const files = new Map<string, Uint8Array>();
  const offers: RunnerBody<'offer'>[] = [];
  const stack: Pick<Stack, 'claim' | 'result' | 'file' | 'offer'> = {
    offer: async (offer) => {
      offers.push(offer);
      return {};
    },
    claim: async ({ id, receipt }) => {
      if (!isReceiptOf(runnerKey, receipt)) return { isYours: false, why: 'bad signature' };
      const taken = claims.get(id) ?? receipt.receipt.claim;
      claims.set(id, taken);
      return { isYours: taken === receipt.receipt.claim, why: '' };
    },
    file: async ({ id, sha256 }) => {
      const bytes = files.get(sha256);
      if (bytes === undefined || !claims.has(id)) throw new ProtocolError('the stack refuses it (400): no such file');
      return { base64: Buffer.from(bytes).toString('base64') };
    },
    result: async (body) => {
      const { result } = body.result;
      if (!isResultOf(runnerKey, body.result) || !isShown(body.text, result)) return { isKept: false };
      results.push(body);
      return { isKept: true };
    },
  };
  return { claims, results, files, offers, stack };
};

/**
 * @param allowText of `runner.yaml`; `$HOME` stands for the machine's home
 * @param earlier an earlier life of it, whose stack it keeps
 */
export const pairMachine = async (
  sandbox: Sandbox,
  machine: TestMachine,
  allowText = 'folders: { read: [$HOME/notes], write: [$HOME/site] }\nmemory: 256MB\ntime: 120s\n',
  earlier?: Pick<PairedMachine, 'test'>,
): Promise<PairedMachine> => {
  const env = { PASSEPARTOUT_RUNNER_DIR: join(realpathSync(machine.root), 'runners') };
  const pairing = {
    v: 1,
    url: 'http://127.0.0.1:1',
    space: 'default',
    name: NAME,
    actKey: act.publicKey,
    pairedAt: NOW,
  } as const;
  const seed = Buffer.alloc(32, 2);
  const path = writePairing(env, pairing, seed, '');
  writeFileSync(join(path, 'runner.yaml'), allowText.replaceAll('$HOME', machine.home));
  const opened = openRunnerFolder(env, undefined);
  const folder = { ...opened, places: { ...opened.places, home: machine.home } };
  const test = earlier?.test ?? buildTestStack(folder.signer.publicKey);
  const { claims, results, stack } = test;
  const reports: string[] = [];
  const report = (line: string): void => void reports.push(line);
  const { journal, begun } = await openJournal(folder.journal);
  const unsent = buildUnsent(folder.unsent, stack, report);
  const whole: Machine = {
    ...{ folder, stack, sandbox, journal, unsent, report, now: () => NOW },
    ...{
      accepting: new Set<string>(),
      running: new Map(),
      trees: new Map(),
      takeTurn: buildTurns(),
      servers: buildMcpServers(),
    },
    signal: new AbortController().signal,
  };
  await settleBegun(whole, begun);
  let removed = 0;
  const deliverText = (body: string): Promise<void> =>
    runOrder(whole, {
      body,
      remove: async () => {
        removed += 1;
      },
    });
  const deliver: PairedMachine['deliver'] = async (job, signer = act) => {
    const before = results.length;
    await deliverText(JSON.stringify(signOrder(signer, job)));
    const [answer] = results.slice(before).filter(({ id }) => id === job.id);
    return answer && { ...answer.result.result, text: answer.text };
  };
  const { publicKey: runnerKey } = folder.signer;
  return {
    machine: whole,
    runnerKey,
    test,
    claims,
    results,
    reports,
    removed: () => removed,
    deliver,
    deliverText,
    folder: path,
  };
};
