/**
 * One order from its message to its signed result. The journal has it before anything runs, so a
 * crash at any step never runs it twice; what was begun and not ended becomes `unknown`.
 */
import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRetryable, ProtocolError } from '../../lib/core/base/errors.ts';
import { readJson } from '../../lib/core/base/json.ts';
import { KIB, SECOND_MS } from '../../lib/core/base/limits.ts';
import { isMcpTool } from '../../lib/core/signal/mcp-name.ts';
import { isRunnerTool, machineOf } from '../../lib/core/signal/runner-tools.ts';
import type { ReceivedMessage } from '../../lib/core/store/receive.ts';
import type { MachineOffer } from '../../lib/features/mcp/offers.ts';
import { isOrderOf, type Order, orderHashOf, SignedOrder } from '../../lib/features/runner/order.ts';
import { RUNNER_CLOCK_MS_MAX } from '../../lib/features/runner/requests.ts';
import { type SignedReceipt, signReceipt, signResult } from '../../lib/features/runner/result.ts';
import { type Allowed, type ReadAllowed, readAllowFile } from './allow-file.ts';
import { buildResult, EMPTY_SHA256, type Ending } from './build-result.ts';
import type { Tree } from './folder-tree.ts';
import type { Begun, Journal } from './journal.ts';
import { judgeOrder } from './judge-order.ts';
import type { McpServers } from './mcp-servers.ts';
import { type Performed, type Permitted, perform, timeMsOf } from './perform.ts';
import { judgeCall, type PermittedCall, performCall } from './perform-call.ts';
import type { Stop } from './run-contained.ts';
import type { Pairing, RunnerFolder } from './runner-folder.ts';
import type { Sandbox } from './sandbox.ts';
import { takeSkillFiles } from './skill-files.ts';
import type { TakeTurn } from './take-turn.ts';
import type { Stack } from './transport.ts';
import type { Unsent } from './unsent.ts';

type VerifiedOrder =
  | { readonly kind: 'job'; readonly signed: SignedOrder }
  /** Nothing answers it: it is not for this runner, not from Act, or was answered before. */
  | { readonly kind: 'ignored'; readonly why: string };

const parse = (body: string): SignedOrder | undefined => SignedOrder.safeParse(readJson(body)).data;

const problemOf = (job: Order, { space, name }: Pairing, now: number): string => {
  if (job.space !== space || job.runner !== name) return 'it is for another runner';
  if (now >= job.expiresAt) return 'it expired';
  // A clock that is wrong by hours would make expired orders valid.
  if (job.issuedAt > now + RUNNER_CLOCK_MS_MAX) return "it was made in the future: check this machine's clock";
  const { target, tool, args, url } = job.action;
  const isForTool = target === 'tool' && isRunnerTool(tool) && args?.runner === name;
  const isForServer = target === 'webhook' && isMcpTool(tool) && machineOf(url) === name;
  if (!isForTool && !isForServer) return 'it is no call of a tool for this runner';
  return '';
};

/** Whether it is signed by the pinned key of Act, for this runner, whole, in time, and new. */
const verifyOrder = (
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

/** An order taken on a full disk is lost: its lines, result and output cannot be written. */
const ROOM_BYTES_MIN = 16 * 1024 * KIB;

const firstProblem = (read: Extract<ReadAllowed, { kind: 'problems' }>): string => {
  const [first] = read.problems;
  return `runner.yaml has a fault${first === undefined ? '' : ` in line ${first.line}`}`;
};

type JudgedNow =
  | { readonly kind: 'refused'; readonly why: string; readonly allowHash: string }
  | { readonly kind: 'permitted'; readonly permitted: Permitted | PermittedCall; readonly allowed: Allowed };

/** Judges an order by the allow-file and the disk as they are now: each is read again. */
const judgeNow = (folder: RunnerFolder, job: Order, now: number): JudgedNow => {
  const { bavail, bsize } = statfsSync(folder.path);
  if (bavail * bsize < ROOM_BYTES_MIN)
    return { kind: 'refused', why: 'the disk of this machine is full: make room', allowHash: EMPTY_SHA256 };
  const read = readAllowFile(folder.places);
  if (read.kind === 'problems') return { kind: 'refused', why: firstProblem(read), allowHash: EMPTY_SHA256 };
  const { allowed } = read;
  try {
    const judged = isMcpTool(job.action.tool) ? judgeCall(job, allowed) : judgeOrder(job, allowed, now);
    if (judged.kind === 'permitted') return { kind: 'permitted', permitted: judged, allowed };
    return { ...judged, allowHash: allowed.hash };
  } catch (error) {
    return {
      kind: 'refused',
      why: `it could not be judged: ${error instanceof Error ? error.message : ''}`,
      allowHash: allowed.hash,
    };
  }
};

/** Between tries of a request whose answer did not come. */
const ASK_AGAIN_MS = 2 * SECOND_MS;
const CLAIM_BYTES = 16;
/** Of a line about an order, for the person at the machine. */
const LINE_CHARS_MAX = 200;

export const ENDED = 'the runner was ended';

export interface Machine {
  readonly folder: RunnerFolder;
  readonly stack: Pick<Stack, 'claim' | 'result' | 'file' | 'offer'>;
  readonly sandbox: Sandbox;
  readonly journal: Journal;
  readonly unsent: Unsent;
  /** Ids of orders between their message and their end: a second message of one is ignored. */
  readonly accepting: Set<string>;
  /** Running orders by their ids. */
  readonly running: Map<string, Stop>;
  readonly trees: Map<string, Tree>;
  /** The servers of tools at work. */
  readonly servers: McpServers;
  readonly takeTurn: TakeTurn;
  /** Aborted to end: nothing begins after that. */
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly report: (line: string) => void;
}

/** The result is on the disk, for posting and in the journal, before anybody hears of it. */
const finish = async (machine: Machine, ending: Ending): Promise<void> => {
  const { folder, journal, unsent, now, report } = machine;
  const { id } = ending.signed.job;
  const { result, text } = buildResult(ending, folder.pairing.name, now());
  const signed = signResult(folder.signer, result);
  unsent.keep({ id, result: signed, text, ...(ending.receipt !== undefined && { receipt: ending.receipt }) });
  journal.append({ kind: 'result', at: now(), signed });
  report(`${id}: ${result.state}${result.reason === '' ? '' : `, ${result.reason}`}`);
  await unsent.post();
};

const describe = (error: unknown): string => (error instanceof Error ? error.message : 'it failed');

/**
 * Asks until there is an answer: the same question is answered alike each time.
 * @throws ProtocolError once no answer can help any more
 */
const askUntilAnswered = async <T>({ signal, now }: Machine, job: Order, ask: () => Promise<T>): Promise<T> => {
  for (;;) {
    if (signal.aborted) throw new ProtocolError(ENDED);
    try {
      return await ask();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      if (now() >= job.expiresAt) throw new ProtocolError('it expired before it could be taken');
      await sleep(ASK_AGAIN_MS);
    }
  }
};

const claim = async (machine: Machine, { job }: SignedOrder, receipt: SignedReceipt) => {
  try {
    return await askUntilAnswered(machine, job, () => machine.stack.claim({ id: job.id, receipt }));
  } catch (error) {
    return { isYours: false, why: describe(error) };
  }
};

const run = async (
  machine: Machine,
  { job }: SignedOrder,
  permitted: Permitted | PermittedCall,
  allowed: Allowed,
): Promise<Performed> => {
  const { folder, stack, sandbox, trees, servers, running, signal } = machine;
  const skillFiles = await takeSkillFiles(folder.skillFiles, job, (asked) =>
    askUntilAnswered(machine, job, () => stack.file(asked)),
  );
  // Its claim was answered after the others were ended.
  if (signal.aborted) throw new ProtocolError(ENDED);
  const outputFile = folder.outputFile(job.id);
  const keepVersion = (name: string, bytes: Uint8Array): void => folder.keepVersion(job.id, name, bytes);
  const place = { sandbox, allowed, outputFile, trees };
  const tell = (offer: MachineOffer): void => void stack.offer(offer).catch(() => {});
  const performing =
    'server' in permitted
      ? performCall(permitted, { ...place, folder, servers, tell }, allowed.limits.timeMs)
      : perform(permitted, { ...place, keepVersion, skillFiles });
  running.set(job.id, performing.stop);
  try {
    return await performing.performed;
  } finally {
    if (!permitted.isReading && !('server' in permitted)) servers.noteChange(allowed.write);
    running.delete(job.id);
  }
};

const take = async (
  machine: Machine,
  signed: SignedOrder,
  permitted: Permitted | PermittedCall,
  allowed: Allowed,
  remove: () => Promise<void>,
): Promise<void> => {
  const { folder, journal, now, report } = machine;
  const { job } = signed;
  const receipt = signReceipt(folder.signer, {
    v: 1,
    jobHash: orderHashOf(job),
    runner: folder.pairing.name,
    takenAt: now(),
    claim: randomBytes(CLAIM_BYTES).toString('hex'),
    runMsMax: 'server' in permitted ? allowed.limits.timeMs : timeMsOf(permitted, allowed),
  });
  const { isYours, why } = await claim(machine, signed, receipt);
  if (!isYours) return report(`${job.id}: not taken, ${why}`);
  journal.append({ kind: 'job', at: now(), signed }, { kind: 'receipt', at: now(), signed: receipt });
  // If this fails, the message comes again and the journal knows it.
  void remove().catch(() => {});
  const { cmd, path } = 'server' in permitted ? {} : permitted.args;
  report(`${job.id}: ${permitted.tool} ${cmd ?? path ?? ''}`.slice(0, LINE_CHARS_MAX));
  const begun = { signed, receipt, allowHash: allowed.hash, startedAt: now() };
  try {
    const performed = await run(machine, signed, permitted, allowed);
    const { problem = '', state = problem === '' ? 'done' : 'failed' } = performed;
    await finish(machine, { ...begun, performed, state, reason: problem });
  } catch (error) {
    if (journal.hasResult(orderHashOf(job))) throw error;
    await finish(machine, { ...begun, state: 'failed', reason: describe(error) });
  }
};

const refuse = async (machine: Machine, signed: SignedOrder, why: string, allowHash: string): Promise<void> => {
  machine.journal.append({ kind: 'job', at: machine.now(), signed });
  await finish(machine, { signed, allowHash, state: 'refused', reason: why });
};

const answer = async (machine: Machine, signed: SignedOrder, remove: () => Promise<void>): Promise<void> => {
  const first = judgeNow(machine.folder, signed.job, machine.now());
  if (first.kind === 'refused') return refuse(machine, signed, first.why, first.allowHash);
  return machine.takeTurn(!first.permitted.isReading, () => {
    // While it waited, an order may have changed where its paths lead.
    const judged = judgeNow(machine.folder, signed.job, machine.now());
    if (judged.kind === 'refused') return refuse(machine, signed, judged.why, judged.allowHash);
    return take(machine, signed, judged.permitted, judged.allowed, remove);
  });
};

/** @throws the disk's or the queue's error; nothing that a message holds makes it throw */
export const runOrder = async (machine: Machine, { body, remove }: ReceivedMessage): Promise<void> => {
  const { folder, journal, now, report, accepting } = machine;
  const isKnown = (signed: SignedOrder): boolean => accepting.has(signed.job.id) || journal.knows(signed);
  const verified = verifyOrder(body, folder.pairing, now(), isKnown);
  if (verified.kind === 'ignored') {
    report(`a message was ignored: ${verified.why}`);
    return remove();
  }
  const { id } = verified.signed.job;
  accepting.add(id);
  try {
    await answer(machine, verified.signed, remove);
    await remove();
  } finally {
    accepting.delete(id);
  }
};

/** Jobs that were begun when this runner ended the last time: what they did is unknown. */
export const settleBegun = async (machine: Machine, begun: readonly Begun[]): Promise<void> => {
  const { journal, unsent, now } = machine;
  for (const { id, result } of unsent.list()) {
    if (journal.hasResult(result.result.jobHash)) continue;
    journal.append({ kind: 'result', at: now(), signed: result });
    machine.report(`${id}: ${result.result.state}`);
  }
  for (const { signed, receipt } of begun) {
    if (journal.hasResult(orderHashOf(signed.job))) continue;
    const reason = 'the runner ended while it ran: look at what it did before you ask for it again';
    await finish(machine, { signed, receipt, allowHash: EMPTY_SHA256, state: 'unknown', reason });
  }
};
