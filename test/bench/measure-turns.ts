/**
 * Turn overhead of the whole local stack with a model that takes no time, beside a bare skeleton of
 * three hops that makes the same requests to the same embedded servers and does nothing else (not
 * even the model call), and beside three services on Restate, where it is installed. All run at
 * once and are driven in turns, so that whatever else the machine does hits all; ratios are of
 * medians over the rounds. And how long many conversations wait for a slow model at the same time.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type StackChild, startModel, startStackChild } from './children.ts';
import { APPROVER_TOKEN, type DriveResult, driveTurns, quantile } from './drive.ts';
import type { Measure, MeasureContext } from './measure.ts';
import type { Row } from './report.ts';
import { INSTALL_RESTATE, type RestateChild, startRestate } from './restate.ts';

export const SKELETON = fileURLToPath(new URL('skeleton', import.meta.url));
const ROUNDS = 5;
const LOADS = [
  { sessions: 1, turns: 100, maxMs: 2_500 },
  { sessions: 50, turns: 1_000, maxMs: 8_000 },
] as const;
/**
 * Code is compiled, sessions have their full history: at less, the first rounds measure something
 * else.
 */
const WARM_UP = { sessions: 50, turns: 1_000, maxMs: 10_000 } as const;
const RATIO_MIN = 0.7;
/** Each conversation says one thing, and the model answers it after five seconds. */
const SLOW = { sessions: 50, turns: 50, name: 'slow', text: 'Take five seconds: did the backup run?' } as const;
const SLOW_MS_MAX = 10_000;
/** No tick falls into a measurement. */
export const NO_HEARTBEAT_S = 3_600;

export const modelSettings = (baseUrl: string): Readonly<Record<string, string>> => ({
  APPROVER_TOKEN,
  OPENAI_API_KEY: 'key-of-the-benchmark',
  OPENAI_BASE_URL: baseUrl,
  OPENAI_MODEL: 'bench',
  PROVIDER_NAMES: 'openai:bench',
});

interface Sides {
  readonly stack: StackChild;
  readonly skeleton: StackChild;
  readonly modelUrl: string;
}

/** Starts both; `use` drives them; both have ended afterwards. */
export const withSides = async <T>(context: MeasureContext, use: (sides: Sides) => Promise<T>): Promise<T> => {
  const model = await startModel();
  try {
    const options = (name: string) => ({
      dataDir: mkdtempSync(join(context.scratch, `${name}-`)),
      cacheDir: context.cacheDir,
      heartbeatIntervalSeconds: NO_HEARTBEAT_S,
      environment: modelSettings(model.baseUrl),
    });
    const stack = await startStackChild(options('stack'));
    try {
      const skeleton = await startStackChild({ ...options('skeleton'), functionsRoot: SKELETON });
      try {
        return await use({ stack, skeleton, modelUrl: model.baseUrl });
      } finally {
        await skeleton.close();
      }
    } finally {
      await stack.close();
    }
  } finally {
    await model.close();
  }
};

interface Summary {
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
}

const summarise = (rounds: readonly DriveResult[]): Summary => ({
  p50: quantile(
    rounds.map(({ turnMs }) => quantile(turnMs, 0.5)),
    0.5,
  ),
  p99: quantile(
    rounds.flatMap(({ turnMs }) => turnMs),
    0.99,
  ),
  perSecond: quantile(
    rounds.map(({ turnMs, wallMs }) => (turnMs.length / wallMs) * 1000),
    0.5,
  ),
});

const buildRows = (
  sessions: number,
  { stack, skeleton, restate }: { readonly stack: Summary; readonly skeleton: Summary; readonly restate?: Summary },
): readonly Row[] => {
  const group = `turns through the whole stack, ${sessions} session${sessions === 1 ? '' : 's'} (skeleton: the same requests, nothing else)`;
  const goal = { is: '≥', value: RATIO_MIN } as const;
  const note = (name: keyof Summary): string =>
    `skeleton ${skeleton[name].toFixed(1)}, Restate ${restate?.[name].toFixed(1) ?? 'is not installed'}`;
  const rows: Row[] = [
    { group, name: 'p50', value: stack.p50, unit: 'ms', note: note('p50') },
    { group, name: 'p99', value: stack.p99, unit: 'ms', note: note('p99') },
    { group, name: 'turns', value: stack.perSecond, unit: '/s', note: note('perSecond') },
    { group, name: 'p50: skeleton ÷ stack', value: skeleton.p50 / stack.p50, unit: '×', goal },
    { group, name: 'turns/s: stack ÷ skeleton', value: stack.perSecond / skeleton.perSecond, unit: '×', goal },
  ];
  if (restate === undefined) return rows;
  return [
    ...rows,
    { group, name: 'p50: Restate ÷ stack', value: restate.p50 / stack.p50, unit: '×' },
    { group, name: 'turns/s: stack ÷ Restate', value: stack.perSecond / restate.perSecond, unit: '×' },
  ];
};

const measureSlow = async (stack: StackChild): Promise<Row> => {
  const { turnMs } = await driveTurns({ stack, ...SLOW });
  return {
    group: `${SLOW.sessions} conversations at once, a model that takes 5 s`,
    name: 'until the last is answered',
    value: Math.max(...turnMs),
    unit: 'ms',
    goal: { is: '≤', value: SLOW_MS_MAX },
  };
};

const measureRounds = async (
  { progress }: MeasureContext,
  { stack, skeleton }: Sides,
  restate: RestateChild | undefined,
): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  progress('turns: warming up');
  await driveTurns({ stack, name: 'warm', ...WARM_UP });
  await driveTurns({ stack: skeleton, name: 'warm', ...WARM_UP });
  await restate?.drive({ name: 'warm', ...WARM_UP });
  for (const load of LOADS) {
    const results = { stack: [] as DriveResult[], skeleton: [] as DriveResult[], restate: [] as DriveResult[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      progress(`turns: ${load.sessions} sessions, round ${round + 1} of ${ROUNDS}`);
      results.stack.push(await driveTurns({ stack, name: 'warm', ...load }));
      results.skeleton.push(await driveTurns({ stack: skeleton, name: 'warm', ...load }));
      if (restate !== undefined) results.restate.push(await restate.drive({ name: 'warm', ...load }));
    }
    const summaries = { stack: summarise(results.stack), skeleton: summarise(results.skeleton) };
    const beside = restate === undefined ? {} : { restate: summarise(results.restate) };
    rows.push(...buildRows(load.sessions, { ...summaries, ...beside }));
  }
  return [...rows, await measureSlow(stack)];
};

export const measureTurns: Measure = (context) =>
  withSides(context, async (sides) => {
    const restate = await startRestate(context.scratch, sides.modelUrl);
    if (restate === undefined) context.progress(`turns: Restate is not installed (${INSTALL_RESTATE})`);
    try {
      return await measureRounds(context, sides, restate);
    } finally {
      await restate?.close();
    }
  });
