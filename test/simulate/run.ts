/**
 * One run: a story is played in a simulated world, faults end, everything comes to rest, and the
 * checker judges what was seen from outside.
 */
import type { Product } from './bundle.ts';
import { check, SENTENCES_MAX } from './check/check.ts';
import { readEvidence } from './check/evidence.ts';
import { checkForm } from './check/forms.ts';
import { checkRow, type RowChange } from './check/rows.ts';
import { dynamoClient, releaseClients } from './machine/clients.ts';
import { CONFIG, CONFIGURED, PAIRED_CHAT } from './outside/config.ts';
import { buildOutside } from './outside/outside.ts';
import { witnessSetting } from './outside/witness.ts';
import type { Setup } from './setup.ts';
import { markEnds } from './sometimes.ts';
import type { Observed, Queued, Step, Violation } from './types.ts';
import { type Clients, startClients } from './world/clients.ts';
import type { Strike } from './world/faults.ts';
import { buildNewsStory } from './world/news-story.ts';
import { buildRandom } from './world/random.ts';
import { buildFiles, buildOrders, buildPictures, buildStory, buildVoice } from './world/story.ts';
import { buildWorld, START, type World } from './world/world.ts';

export interface RunOptions {
  readonly product: Product;
  readonly setup: Setup;
  readonly seed: number;
  /** Steps of the seed's story that are played; all without it. */
  readonly onlySteps?: ReadonlySet<number>;
  readonly onlyFaults?: ReadonlySet<number>;
  /** Happens where code of the product calls `strikeHere`. */
  readonly strike?: Strike | undefined;
  /** The story is a busy hour of news, whatever the seed says. */
  readonly isNews?: boolean;
  /** Nothing goes wrong, whatever the seed says. */
  readonly isQuiet?: boolean;
  /** Takes each line of the trace. */
  readonly onLine?: (line: string, at: number) => void;
  readonly mark?: (what: string) => void;
}

export interface RunResult {
  readonly seed: number;
  readonly story: readonly Step[];
  readonly observed: Observed;
  readonly violations: readonly Violation[];
  /** Of all lines of the trace: the same for the same seed. */
  readonly traceHash: string;
  /** Numbers of the faults that happened. */
  readonly faults: readonly number[];
}

/** Two sums over the lines, 53 bits: for telling runs apart, not against an attacker. */
const buildTraceHash = () => {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  return {
    add: (line: string): void => {
      for (let n = 0; n < line.length; n += 1) {
        const letter = line.charCodeAt(n);
        a = Math.imul(a ^ letter, 2654435761);
        b = Math.imul(b ^ letter, 1597334677);
      }
    },
    text: () => (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0'),
  };
};

/** One run in so many goes through the SDK whole. */
const SDK_RUN_ONE_IN = 10;
/** One log in so many has a witness. */
const WITNESS_ONE_IN = 8;
/** In one run of so many nothing goes wrong. */
const QUIET_ONE_IN = 9;
const MINUTE_MS = 60_000;
/** Faults end so long after the last step: in some runs when cards have expired. */
const HEAL_AFTER_MS = [5 * MINUTE_MS, 5 * MINUTE_MS, 5 * MINUTE_MS, 75 * MINUTE_MS] as const;
/** Ticks after the faults, each when something is due. More mean a message that never ends. */
const REST_TICKS_MAX = 80;

/** A tick writes the log twice, which is most of the work of a run. */
const TICK_PROBABILITY = 0.15;
/** A digest is sent and edited by ticks. */
const NEWS_TICK_PROBABILITY = 0.5;

/** Some ticks of the schedule; the others are missing. */
const planTicks = (world: World, spanMs: number, probability: number): void => {
  const { clock, random, now, tick } = world;
  for (let ms = MINUTE_MS; ms < spanMs; ms += MINUTE_MS)
    if (random.chance(probability))
      clock.after(ms - (now() % MINUTE_MS), () => tick(Math.floor(now() / MINUTE_MS) * MINUTE_MS));
};

/** Ticks at the next full minute from `due` on, and lets all work end. */
const tickNext = async ({ clock, now, tick }: World, due = 0): Promise<void> => {
  const tickAt = Math.ceil(Math.max(due, now() + 1) / MINUTE_MS) * MINUTE_MS;
  clock.after(tickAt - now(), () => tick(tickAt));
  await clock.runUntil(Number.POSITIVE_INFINITY);
};

/** Lets all work end: the clock jumps to the next time something is due, and a tick comes. */
const rest = async (world: World): Promise<boolean> => {
  await world.clock.runUntil(Number.POSITIVE_INFINITY);
  for (let ticks = 0; ticks < REST_TICKS_MAX; ticks += 1) {
    const due = world.nextDue();
    if (due === undefined) return world.messagesLeft() === 0 && world.lambda.runningCount() === 0;
    await tickNext(world, due);
  }
  return false;
};

/** Conversations that are asked once more at the end of a run. */
const ASKED_AGAIN_MAX = 3;
/** Longer than a person allows a call for. */
const DAY_MS = 25 * 60 * MINUTE_MS;
/** Markers of a story are smaller. */
const FIRST_MARKER_AT_END = 900;

/** A last message in each conversation, after a resume: no tick helps it. */
const askAgain = async ({ clock }: World, { play }: Clients, story: readonly Step[]): Promise<void> => {
  const marker = (n: number): string => `m${FIRST_MARKER_AT_END + n}`;
  const resume = { kind: 'command', afterMs: 0, conversation: 'main', command: 'resume', marker: marker(0) } as const;
  if (story.some(({ kind }) => kind === 'command')) play({ ...resume, via: 'control' });
  await clock.runUntil(Number.POSITIVE_INFINITY);
  const messages = story.filter((step) => step.kind === 'message');
  const allowed = messages.find(({ card }) => card?.answer === 'similar');
  if (allowed !== undefined) {
    // Nothing is allowed any more: a person is asked again.
    clock.after(DAY_MS, () =>
      play({ ...allowed, afterMs: 0, marker: marker(99), card: { answer: 'ignore', afterMs: 0 } }),
    );
    await clock.runUntil(Number.POSITIVE_INFINITY);
  }
  const last = new Map(messages.map((step) => [`${step.via} ${step.conversation}`, step]));
  for (const [n, { via, conversation }] of [...last.values()].slice(0, ASKED_AGAIN_MAX).entries())
    play({ kind: 'message', afterMs: 0, via, conversation, verb: 'say', marker: marker(n + 1) });
  await clock.runUntil(Number.POSITIVE_INFINITY);
};

interface Exported {
  readonly text: string;
  /** Why it is not whole. */
  readonly problems: readonly string[];
}

/** Some seeds have a busy hour, or orders: streams of their own, which change no story. */
const NEWS_PROBABILITY = 0.04;
/** In an outage each of its many events is sent again for an hour. */
const NEWS_INVOCATIONS_MAX = 10_000;

const drawStory = ({ seed, isNews: isAsked = false }: RunOptions) => {
  const random = buildRandom(seed, 'news');
  const isNews = random.chance(NEWS_PROBABILITY) || isAsked;
  const whole: readonly Step[] = isNews
    ? buildNewsStory(random)
    : [
        ...buildStory(buildRandom(seed, 'story')),
        ...buildOrders(buildRandom(seed, 'orders')),
        ...buildFiles(buildRandom(seed, 'files')),
        ...buildVoice(buildRandom(seed, 'voice')),
        ...buildPictures(buildRandom(seed, 'pictures')),
      ];
  return { whole, isNews };
};

const exportOnce = async ({ product, setup }: RunOptions, world: World): Promise<Exported> => {
  const problems: string[] = [];
  const parts = await product.collectExport({
    source: product.buildTableSource(product.buildTable(dynamoClient(), setup.tableName), setup.space, world.now),
    gateSets: [product.gateSetContent(product.GATE_SET)],
    onProgress: () => undefined,
    onProblem: (problem) => problems.push(problem),
  });
  return { text: [...product.buildExportLines(parts)].join('\n'), problems };
};

/** Ticks after which the log must have everything. */
const LOG_TICKS_MAX = 4;

const exportEvidence = async (options: RunOptions, world: World): Promise<Exported> => {
  for (let ticks = 0; ; ticks += 1) {
    const exported = await exportOnce(options, world);
    if (exported.problems.length === 0 || ticks >= LOG_TICKS_MAX) return exported;
    await tickNext(world);
  }
};

/** An answer of the console's API. */
const askConsole = async ({ send, clock }: World, path: string) => {
  const headers = { authorization: `Bearer ${CONFIG.secrets.APPROVER_TOKEN}` };
  const asked = send('console', { method: 'GET', url: `https://agent.example/api/${path}`, headers, body: '' });
  await clock.runUntil(Number.POSITIVE_INFINITY);
  const answer = await asked;
  if (answer?.status !== 200) throw new Error(`the console does not tell ${path}: ${answer?.status} ${answer?.body}`);
  return JSON.parse(answer.body);
};

/** Actions of a run whose receipts are asked for; of the last one without its words. */
const RECEIPTS_MAX = 3;

/** The first actions that a person approved, and the last of all. */
const chooseDeeds = (exported: string): readonly string[] => {
  const { effects } = readEvidence(exported);
  const ended = [...effects.values()].filter(({ settledAt }) => settledAt > 0);
  const approved = ended.filter(({ fixed }) => fixed.approval !== undefined);
  return [...new Set([...approved.slice(0, RECEIPTS_MAX - 1), ...ended.slice(-1)].map(({ id }) => id))];
};

const askReceipts = async (world: World, exported: string): Promise<NonNullable<Observed['receipts']>> => {
  const asked: NonNullable<Observed['receipts']>[number][] = [];
  const ids = chooseDeeds(exported);
  for (const [n, id] of ids.entries()) {
    const isHidden = n === ids.length - 1;
    const query = new URLSearchParams({ action: id, ...(isHidden ? { hideContent: 'true' } : {}) });
    asked.push({ id, isHidden, receipt: (await askConsole(world, `receipt?${query}`)).receipt });
  }
  return asked;
};

/** Set in each run: an environment keeps what the run before it set. */
const NO_WITNESS = '{}';

const withWitness = (functions: Setup['functions'], witnesses: string): Setup['functions'] =>
  new Map(
    [...functions].map(([name, one]) => {
      const variables = name === 'log' ? { ...one.variables, WITNESSES: witnesses } : one.variables;
      return [name, { ...one, variables }];
    }),
  );

export const runSchedule = async (options: RunOptions): Promise<RunResult> => {
  const { product, setup, seed, onlySteps, onlyFaults, onLine, mark = () => undefined } = options;
  Object.assign(globalThis, { reached: mark });
  const hash = buildTraceHash();
  releaseClients(seed % SDK_RUN_ONE_IN !== 0);
  const { whole, isNews } = drawStory(options);
  const isQuiet = options.isQuiet ?? (options.strike === undefined && seed % QUIET_ONE_IN === 0);
  const [rowProblems, formProblems]: [string[], string[]] = [[], []];
  const [left, complaints]: [string[], string[]] = [[], []];
  const queued: Queued[] = [];
  const rows: Record<string, NonNullable<RowChange['after']>> = {};
  const world = buildWorld({
    seed,
    product,
    wiring: setup.wiring,
    space: setup.space,
    functions: withWitness(setup.functions, seed % WITNESS_ONE_IN === 1 ? witnessSetting() : NO_WITNESS),
    onlyFaults,
    strike: options.strike,
    isQuiet,
    onComplaint: (line) => void complaints.push(line),
    onQueued: (message) => void queued.push(message),
    invocationsMax: isNews ? NEWS_INVOCATIONS_MAX : undefined,
    mark,
    onLeft: (request) => void left.push(request),
    onChange: (change) => {
      rowProblems.push(...checkRow(change, world.now() + world.skewMs));
      formProblems.push(...checkForm(change, START, world.now() + world.skewMs));
      rows[`${change.pk} ${change.sk}`] = change.after ?? {};
    },
    note: (line, at) => {
      hash.add(line);
      onLine?.(line, at);
    },
    buildOutside,
  });
  const { clock, now, random } = world;
  if (whole.some(({ kind }) => kind === 'order'))
    world.put({
      ...{ pk: `pairing#${setup.space}`, sk: `chat#${PAIRED_CHAT}` },
      schemaVersion: 1,
      pairedAt: now(),
      by: 'x',
    });
  const story = whole.filter((_, n) => onlySteps === undefined || onlySteps.has(n));
  const clients = startClients({
    story,
    outside: world.outside,
    now,
    after: clock.after,
    send: world.send,
    random: buildRandom(seed, 'clients'),
    config: CONFIG,
  });
  const spanMs =
    Math.max(0, ...story.map(({ afterMs }) => afterMs)) +
    Math.max(random.pick(HEAL_AFTER_MS), world.faults.outageMs + MINUTE_MS);
  planTicks(world, spanMs, isNews ? NEWS_TICK_PROBABILITY : TICK_PROBABILITY);
  clock.after(spanMs, world.faults.heal);
  await clock.runUntil(now() + spanMs);
  if (random.chance(0.1)) world.expire();
  const isAtRest = await rest(world);
  const restedAt = now();
  if (isAtRest) {
    await askAgain(world, clients, story);
    await rest(world);
    // The log is written by ticks.
    await tickNext(world);
  }
  const exported = await exportEvidence(options, world);
  if (options.mark !== undefined) markEnds(exported.text, mark);
  const observed: Observed = {
    sent: clients.sent,
    restedAt,
    received: world.outside.received,
    exported: exported.text,
    publicKey: setup.publicKey,
    // In micro-dollars.
    spentMicros: Number((await askConsole(world, 'budget')).committed),
    ...(exported.problems.length === 0 ? { receipts: await askReceipts(world, exported.text) } : {}),
    ...(isNews ? { news: await askConsole(world, 'news') } : {}),
    isUnfinished: !isAtRest || world.lambda.isEndless(),
    troubles: world.troubles,
    skewMs: world.skewMs,
    stepMs: world.stepMs,
    configured: CONFIGURED,
    left,
    ...(isQuiet ? { quiet: { complaints, queued } } : {}),
    rows,
  };
  return {
    seed,
    story,
    observed,
    violations: [
      ...exported.problems.map((sentence) => ({ rule: 'whole-export', sentence })),
      ...rowProblems.slice(0, SENTENCES_MAX).map((sentence) => ({ rule: 'rows', sentence })),
      ...formProblems.slice(0, SENTENCES_MAX).map((sentence) => ({ rule: 'forms', sentence })),
      ...check(observed),
    ],
    traceHash: hash.text(),
    faults: world.faults.happened,
  };
};
