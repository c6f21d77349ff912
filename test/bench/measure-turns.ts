/**
 * Turn overhead of the whole local stack with a model that takes no time, beside a bare skeleton of three hops that makes the
 * same requests to the same embedded servers and does nothing else (not even the model call). Both run at once and are driven
 * in turns, so that whatever else the machine does hits both; ratios are of medians over the rounds.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type StackChild, startModel, startStackChild } from './children.ts';
import { APPROVER_TOKEN, CONSOLE_TOKEN, type DriveResult, driveTurns, quantile } from './drive.ts';
import type { Measure, MeasureContext } from './measure.ts';
import type { Row } from './report.ts';

export const SKELETON = fileURLToPath(new URL('skeleton', import.meta.url));
const ROUNDS = 5;
const LOADS = [
  { sessions: 1, turns: 100, maxMs: 2_500 },
  { sessions: 50, turns: 400, maxMs: 4_000 },
] as const;
/** Code is compiled, sessions have their full history: at less, the first rounds measure something else. */
const WARM_UP = { sessions: 50, turns: 1_000, maxMs: 10_000 } as const;
const RATIO_MIN = 0.7;
/** No tick falls into a measurement. */
export const NO_HEARTBEAT_S = 3_600;

export const modelSettings = (baseUrl: string): Readonly<Record<string, string>> => ({
  CONSOLE_TOKEN,
  APPROVER_TOKEN,
  OPENAI_API_KEY: 'key-of-the-benchmark',
  OPENAI_BASE_URL: baseUrl,
  OPENAI_MODEL: 'bench',
  PROVIDER_NAMES: 'openai:bench',
});

interface Sides {
  readonly stack: StackChild;
  readonly skeleton: StackChild;
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
        return await use({ stack, skeleton });
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

const buildRows = (sessions: number, stack: Summary, skeleton: Summary): readonly Row[] => {
  const group = `turns through the whole stack, ${sessions} session${sessions === 1 ? '' : 's'} (skeleton: the same requests, nothing else)`;
  const goal = { is: '≥', value: RATIO_MIN } as const;
  const perSecondRatio = stack.perSecond / skeleton.perSecond;
  return [
    { group, name: 'p50', value: stack.p50, unit: 'ms', note: `skeleton ${skeleton.p50.toFixed(1)}` },
    { group, name: 'p99', value: stack.p99, unit: 'ms', note: `skeleton ${skeleton.p99.toFixed(1)}` },
    { group, name: 'turns', value: stack.perSecond, unit: '/s', note: `skeleton ${skeleton.perSecond.toFixed(1)}` },
    { group, name: 'p50: skeleton ÷ stack', value: skeleton.p50 / stack.p50, unit: '×', goal },
    { group, name: 'turns/s: stack ÷ skeleton', value: perSecondRatio, unit: '×', goal },
  ];
};

export const measureTurns: Measure = (context) =>
  withSides(context, async ({ stack, skeleton }) => {
    const rows: Row[] = [];
    context.progress('turns: warming up');
    await driveTurns({ stack, name: 'warm', ...WARM_UP });
    await driveTurns({ stack: skeleton, name: 'warm', ...WARM_UP });
    for (const load of LOADS) {
      const results = { stack: [] as DriveResult[], skeleton: [] as DriveResult[] };
      for (let round = 0; round < ROUNDS; round += 1) {
        context.progress(`turns: ${load.sessions} sessions, round ${round + 1} of ${ROUNDS}`);
        results.stack.push(await driveTurns({ stack, name: 'warm', ...load }));
        results.skeleton.push(await driveTurns({ stack: skeleton, name: 'warm', ...load }));
      }
      rows.push(...buildRows(load.sessions, summarise(results.stack), summarise(results.skeleton)));
    }
    return rows;
  });
