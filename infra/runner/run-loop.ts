/**
 * The runner at work. Waits out whatever the network does; only its owner ends it. At the end,
 * running commands are ended and reported as failed.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Reach, sayReach, UNDER_POLICY } from '../../lib/core/approvals/say-reach.ts';
import { defined } from '../../lib/core/base/defined.ts';
import { isRetryable, KeyRefusedError, ProtocolError } from '../../lib/core/base/errors.ts';
import { problemWords } from '../../lib/core/base/file-problem.ts';
import { MINUTE_MS, SECOND_MS } from '../../lib/core/base/limits.ts';
import { buildReceiver, type Receiver } from '../../lib/core/store/receive.ts';
import { ORDERS_AT_ONCE, type RunnerAnswer } from '../../lib/features/runner/requests.ts';
import { runnerReach } from '../../lib/features/runner/runner-reach.ts';
import { type Allowed, readAllowFile, summaryOf } from './allow-file.ts';
import { openJournal } from './journal.ts';
import { buildMcpServers, listServer } from './mcp-servers.ts';
import { readTrees } from './perform.ts';
import type { Stop } from './run-contained.ts';
import { ENDED, type Machine, runOrder, settleBegun } from './run-order.ts';
import type { RunnerFolder } from './runner-folder.ts';
import type { Sandbox } from './sandbox.ts';
import { buildTurns } from './take-turn.ts';
import type { Stack } from './transport.ts';
import { buildUnsent } from './unsent.ts';

/** Credentials are made anew so often. */
const OPEN_EVERY_MS = 15 * MINUTE_MS;
/** An idle machine says so often that it is there. */
const IDLE_BEAT_MS = 2 * MINUTE_MS;
/** Before the credentials end. */
const OPEN_EARLY_MS = MINUTE_MS;
const BEAT_MS = SECOND_MS;
/** 128 random bits: no two starts are alike. */
const START_BYTES = 16;
/** Doubled with each failure. */
const WAIT_MS_MIN = SECOND_MS;
const WAIT_MS_MAX = MINUTE_MS;
/** Results that could not be posted are tried again. */
const POST_AGAIN_MS = 5 * SECOND_MS;

export interface LoopOptions {
  readonly folder: RunnerFolder;
  readonly stack: Stack;
  readonly sandbox: Sandbox;
  readonly now: () => number;
  readonly report: (line: string) => void;
  /** Aborted to end. */
  readonly signal: AbortSignal;
}

interface Opened {
  readonly receiver: Receiver;
  readonly until: number;
  /** Of the allow-file that the stack was told. */
  readonly allowHash: string;
}

/** Names this start of the program, once the stack has heard of it. */
interface Started {
  start?: string;
  /** The offer of each server, as the stack was told it last. */
  readonly offers: Map<string, string>;
  /** The kinds of action that the allow-file made possible, as the stack was told it last. */
  reach?: Reach;
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Nobody signs where the queue is: a stack elsewhere cannot make this machine ask others. */
const checkQueue = ({ queueUrl, endpoint }: RunnerAnswer<'open'>, stackUrl: string): void => {
  const isOfAws = endpoint === undefined && /^https:\/\/sqs\.[\w-]+\.amazonaws\.com(?:\.cn)?\//.test(queueUrl);
  if (stackUrl.startsWith('https:') && !isOfAws) throw new ProtocolError('the stack names a queue outside AWS');
};

/** Lists each server of tools, and tells the stack of those whose offer changed. */
const tellOffers = async (
  { folder, sandbox, stack, report }: LoopOptions,
  allowed: Allowed,
  { offers }: Started,
): Promise<void> => {
  for (const server of allowed.servers) {
    const offer = await listServer(server, { sandbox, folder, allowed, trees: new Map() });
    const text = JSON.stringify(offer);
    if (offers.get(server.name) === text) continue;
    offers.set(server.name, text);
    report(`${server.name}: ${offer.problem ?? `${offer.tools.length} tools`}`);
    await stack.offer(offer).catch((error: unknown) => {
      offers.delete(server.name);
      report(describe(error));
    });
  }
};

/** @throws UnavailableError, ProtocolError */
const openQueue = async (options: LoopOptions, started: Started): Promise<Opened | undefined> => {
  const { folder, stack, now, report } = options;
  const read = readAllowFile(folder.places);
  if (read.kind === 'problems') {
    for (const problem of read.problems) report(problemWords(problem));
    return undefined;
  }
  const reach = runnerReach(read.allowed);
  if (started.reach !== undefined && !isDeepStrictEqual(started.reach, reach))
    for (const line of [...sayReach(started.reach, reach), UNDER_POLICY]) report(line);
  started.reach = reach;
  // A copy of this folder makes another one: so the stack knows that there are two.
  const start = started.start ?? randomBytes(START_BYTES).toString('hex');
  const answer: RunnerAnswer<'open'> = await stack.open({ allow: summaryOf(read.allowed), start });
  started.start = start;
  checkQueue(answer, folder.pairing.url);
  void tellOffers(options, read.allowed, started);
  const { name } = folder.pairing;
  report(
    answer.isPaused ? `paused: /runners resume ${name} lets it take orders` : `ready: waiting for orders as ${name}`,
  );
  const until = Math.min(answer.expiresAt - OPEN_EARLY_MS, now() + OPEN_EVERY_MS);
  return { receiver: buildReceiver(answer), until, allowHash: read.allowed.hash };
};

const isCurrent = ({ until, allowHash }: Opened, { folder, now }: LoopOptions): boolean => {
  const read = readAllowFile(folder.places);
  return now() < until && (read.kind === 'problems' || read.allowed.hash === allowHash);
};

/** Ends with the signal, without a fault. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).then(
    () => {},
    () => {},
  );

/** Tells which orders run, and ends those that shall stop. Without an answer they go on. */
const startBeats = (
  running: ReadonlyMap<string, Stop>,
  stack: Stack,
  now: () => number,
  started: Started,
): (() => void) => {
  let isAsking = false;
  let askedAt = now();
  const beat = async (): Promise<void> => {
    if (isAsking || (running.size === 0 && now() - askedAt < IDLE_BEAT_MS)) return;
    isAsking = true;
    askedAt = now();
    try {
      const { start } = started;
      const { stop } = await stack.beat({ ...defined({ start }), ids: [...running.keys()] });
      for (const id of stop) running.get(id)?.('it was stopped');
    } catch (error) {
      // A command that still runs then runs for nobody.
      if (error instanceof KeyRefusedError)
        for (const stop of running.values()) stop('the stack does not know this machine any more');
    } finally {
      isAsking = false;
    }
  };
  const timer = setInterval(() => void beat(), BEAT_MS);
  return () => clearInterval(timer);
};

const startPosting = (machine: Machine): (() => void) => {
  let isPosting = false;
  const timer = setInterval(() => {
    if (isPosting || machine.unsent.list().length === 0) return;
    isPosting = true;
    void machine.unsent.post().finally(() => {
      isPosting = false;
    });
  }, POST_AGAIN_MS);
  return () => clearInterval(timer);
};

const takeOrders = async (
  options: LoopOptions,
  machine: Machine,
  active: Set<Promise<void>>,
  started: Started,
): Promise<void> => {
  const { signal, report } = options;
  let opened: Opened | undefined;
  let waitMs = WAIT_MS_MIN;
  const close = (): void => opened?.receiver.close();
  signal.addEventListener('abort', close, { once: true });
  while (!signal.aborted) {
    try {
      if (opened === undefined || !isCurrent(opened, options)) {
        opened?.receiver.close();
        opened = undefined;
        opened = await openQueue(options, started);
        if (opened === undefined) await pause(POST_AGAIN_MS, signal);
        continue;
      }
      if (active.size >= ORDERS_AT_ONCE) {
        await Promise.race(active);
        continue;
      }
      const message = await opened.receiver.receive();
      waitMs = WAIT_MS_MIN;
      if (message === undefined) continue;
      const job = runOrder(machine, message)
        .catch((error: unknown) => report(describe(error)))
        .finally(() => active.delete(job));
      active.add(job);
    } catch (error) {
      if (signal.aborted) break;
      opened = undefined;
      if (!isRetryable(error)) waitMs = WAIT_MS_MAX;
      report(`${describe(error).replace(/\.$/, '')}. Trying again in ${Math.round(waitMs / SECOND_MS)} s.`);
      await pause(waitMs, signal);
      waitMs = Math.min(2 * waitMs, WAIT_MS_MAX);
    }
  }
  close();
};

/** The first search for secrets takes longest, so it does not wait for the first order. */
const searchAhead = ({ folder, trees }: Machine): void => {
  const read = readAllowFile(folder.places);
  if (read.kind === 'problems') return;
  try {
    readTrees([...read.allowed.read, ...read.allowed.write], trees);
  } catch {
    // The order that needs it says why.
  }
};

/** Tells the stack once, so that its lists say so. @returns the last line for the owner */
const leave = ({ stack }: LoopOptions): Promise<string> =>
  stack.leave({}).then(
    () => 'stopped',
    () => 'stopped; the stack did not hear of it, and may call this machine ready for five minutes',
  );

/** Ends when the signal aborts. */
export const runLoop = async (options: LoopOptions): Promise<void> => {
  const { folder, stack, sandbox, now, report, signal } = options;
  const { journal, begun } = await openJournal(folder.journal);
  const unsent = buildUnsent(folder.unsent, stack, report);
  const running = new Map<string, Stop>();
  const started: Started = { offers: new Map() };
  const servers = buildMcpServers();
  const machine: Machine = {
    ...{ folder, stack, sandbox, journal, unsent, running, signal, now, report },
    ...{ accepting: new Set<string>(), trees: new Map(), takeTurn: buildTurns(), servers },
  };
  await settleBegun(machine, begun);
  searchAhead(machine);
  const endings = [startBeats(running, stack, now, started), startPosting(machine)];
  const active = new Set<Promise<void>>();
  const stopAll = (): void => {
    for (const stop of running.values()) stop(ENDED);
  };
  signal.addEventListener('abort', stopAll, { once: true });
  await takeOrders(options, machine, active, started);
  stopAll();
  const [last] = await Promise.all([leave(options), ...active]);
  report(last);
  for (const end of endings) end();
  servers.endAll();
  journal.close();
};
