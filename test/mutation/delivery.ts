/**
 * `npm run mutation:delivery`: changes the code that delivers once in small ways, a sample drawn
 * from a seed, and tells who finds each change: the simulator, or a test. A run without changes
 * notes first where each change would matter; it is then played only in such schedules, and tried
 * by such tests. Results are kept in `.stryker/delivery.json`, and a second run goes on from there.
 */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { ROOT } from '../../infra/bundling.ts';
import type { Product } from '../simulate/bundle.ts';
import { buildRandom } from '../simulate/world/random.ts';
import { buildStory } from '../simulate/world/story.ts';
import { applyMutant, findMutants, type Mutant, noteMutants } from './mutants.ts';

const FILES = [
  ...['accept', 'kill-switch', 'ledger', 'session'].map((name) => `ledger/${name}`),
  ...['claim', 'finish', 'perform', 'suspend'].map((name) => `stages/act/${name}`),
  ...['dead-letter', 'expire-approvals', 'sweep'].map((name) => `stages/upkeep/${name}`),
  ...['day-spend', 'plan-reservation', 'reserve'].map((name) => `money/${name}`),
  ...['approval', 'grant', 'grants', 'open-cards'].map((name) => `approvals/${name}`),
].map((name) => `lib/${name}.ts`);

/** Test folders that may find a change: those of the rooms, and the whole pipeline. */
const FOLDERS = ['approvals', 'ledger', 'money', 'stages', 'flow', 'actuators', 'edge', 'log'].join(',');

const options = {
  /** Changes drawn. */
  count: { type: 'string', default: '150' },
  seed: { type: 'string', default: '1' },
  schedules: { type: 'string', default: '2000' },
  /** Most schedules that one change is played in. */
  plays: { type: 'string', default: '100' },
  workers: { type: 'string', default: '2' },
  folders: { type: 'string', default: FOLDERS },
  /** Seconds of tests that one change is tried by, as they took without it. */
  testSeconds: { type: 'string', default: '120' },
  /** Numbers of changes to take in place of a sample, after something was mended. */
  only: { type: 'string', default: '' },
  worker: { type: 'boolean', default: false },
} as const;
const { values } = parseArgs({ options });
const RESULTS = join(ROOT, '.stryker/delivery.json');
const THIS_FILE = fileURLToPath(import.meta.url);

/** Ends a worker that says nothing: its code waits in a loop, which counts as found. */
const SILENCE_MS_MAX = 600_000;
/** Some changes leave a copy of the product in its process. */
const TASKS_OF_A_WORKER = 60;

const sourceOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const numbered = FILES.flatMap((file) => findMutants(file, sourceOf(file))).map((mutant, n) => ({ n, mutant }));
type Numbered = (typeof numbered)[number];

const drawSample = (): readonly Numbered[] => {
  if (values.only !== '') return values.only.split(',').flatMap((n) => numbered[Number(n)] ?? []);
  const random = buildRandom(Number(values.seed), 'mutants');
  const left = [...numbered];
  return Array.from({ length: Math.min(Number(values.count), left.length) }, () =>
    left.splice(random.below(left.length), 1),
  ).flat();
};

/** The files of a sample, each with notes on its changes. */
const notedFiles = (sample: readonly Numbered[]) =>
  [...Map.groupBy(sample, ({ mutant }) => mutant.file)].map(([file, group]) => {
    const inOrder = group.toSorted((a, b) => a.n - b.n).map(({ n, mutant }) => [n, mutant] as const);
    return { file, source: sourceOf(file), noted: noteMutants(sourceOf(file), inOrder) };
  });

/** Work of one process. Without `mutant` it plays the noted files, and tells what matters when. */
interface Task {
  readonly mutant: number | undefined;
  readonly seeds: readonly number[];
}
interface Found {
  readonly by: string;
  readonly sentence: string;
}
type Answer =
  | { readonly kind: 'played'; readonly seed: number; readonly noted: readonly number[] }
  | { readonly kind: 'over'; readonly found?: Found | undefined };

const work = async (sample: readonly Numbered[]): Promise<void> => {
  const { loadProduct } = await import('../simulate/bundle.ts');
  const { fillClients } = await import('../simulate/machine/clients.ts');
  const { runSchedule } = await import('../simulate/run.ts');
  const setup = await (await import('../simulate/setup.ts')).buildSetup();
  await fillClients();
  const tell = (answer: Answer): void => void process.send?.(answer);
  // Nobody waits for a write any more: what it throws goes nowhere.
  process.on('unhandledRejection', () => undefined);
  const switched = await loadProduct(
    notedFiles(sample).map(({ file, source, noted }) => ({ file, find: source, put: noted })),
  );
  const loadChanged = (changed: Mutant): Promise<Product> => {
    if (!changed.isStatic && changed.kind !== 'order') return Promise.resolve(switched);
    const { file } = changed;
    return loadProduct([{ file, find: sourceOf(file), put: applyMutant(sourceOf(file), changed) }]);
  };
  const play = async ({ mutant, seeds }: Task): Promise<Found | undefined> => {
    const changed = numbered[mutant ?? -1]?.mutant;
    const product = changed === undefined ? switched : await loadChanged(changed);
    for (const seed of seeds) {
      const noted = new Set<number>();
      Object.assign(globalThis, { activeMutant: mutant, noteMutant: (n: number) => noted.add(n) });
      const { violations } = await runSchedule({ product, setup, seed });
      const [first] = violations;
      if (first !== undefined) return { by: first.rule, sentence: `seed ${seed}: ${first.sentence}` };
      tell({ kind: 'played', seed, noted: [...noted] });
    }
    return undefined;
  };
  process.on('message', (task: Task) => {
    const failed = (error: unknown): Found => ({ by: 'crash', sentence: String(error) });
    void play(task)
      .catch(failed)
      .then((found) => tell({ kind: 'over', found }));
  });
};

/** Has processes do all tasks. @param onPlayed each schedule @param onOver each task */
const shareOut = async (
  tasks: readonly Task[],
  onPlayed: (task: Task, seed: number, noted: readonly number[]) => void,
  onOver: (task: Task, found: Found | undefined) => void,
): Promise<void> => {
  const queue = [...tasks];
  const doOne = (child: ChildProcess, task: Task): Promise<boolean> =>
    new Promise((resolve) => {
      const end = (found: Found | undefined, isAlive: boolean): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        onOver(task, found);
        resolve(isAlive);
      };
      const hang = (): void => {
        child.kill('SIGKILL');
        end({ by: 'hang', sentence: 'a schedule does not end' }, false);
      };
      let timer = setTimeout(hang, SILENCE_MS_MAX);
      child.on('message', (answer: Answer) => {
        clearTimeout(timer);
        if (answer.kind === 'over') return end(answer.found, true);
        timer = setTimeout(hang, SILENCE_MS_MAX);
        onPlayed(task, answer.seed, answer.noted);
      });
      child.on('exit', () => end({ by: 'crash', sentence: 'the process ended' }, false));
      child.send(task);
    });
  const loop = async (): Promise<void> => {
    let child: ChildProcess | undefined;
    for (let done = 1; ; done += 1) {
      const task = queue.shift();
      if (task === undefined) break;
      child ??= fork(THIS_FILE, [...process.argv.slice(2), '--worker'], { serialization: 'advanced' });
      const isAlive = await doOne(child, task);
      if (isAlive && done % TASKS_OF_A_WORKER !== 0) continue;
      child.kill();
      child = undefined;
    }
    child?.kill();
  };
  await Promise.all(Array.from({ length: Number(values.workers) }, loop));
};

/** What is known of each change, by its number. */
interface Result {
  readonly where: string;
  readonly kind: string;
  readonly change: string;
  /** Schedules in which it matters; of a change of what is loaded first, all. */
  seeds?: number[];
  plays?: number;
  /** The simulator's rule; empty if none. */
  simulator?: string;
  tests?: readonly string[];
  /** The test file; empty if none. */
  test?: string;
  sentence?: string;
}
type Results = Record<string, Result>;

const describeMutant = ({ mutant: { file, line, kind, start, end, put } }: Numbered): Result => ({
  where: `${file}:${line}`,
  kind,
  change: `${sourceOf(file).slice(start, end)}  =>  ${put}`,
});

const loadResults = (): Results => (existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {});
const saveResults = (results: Results): void => {
  mkdirSync(join(ROOT, '.stryker'), { recursive: true });
  writeFileSync(RESULTS, JSON.stringify(results, null, 1));
};

/** 1. Notes in which schedules each change matters. */
const noteSchedules = async (sample: readonly Numbered[], results: Results): Promise<void> => {
  if (sample.every(({ n }) => results[n]?.seeds !== undefined)) return;
  const all = Array.from({ length: Number(values.schedules) }, (_, n) => n + 1);
  const tasks = Array.from({ length: Number(values.workers) }, (_, n) => ({
    mutant: undefined,
    seeds: all.filter((seed) => seed % Number(values.workers) === n),
  }));
  const seeds = new Map(sample.map(({ n, mutant }) => [n, mutant.isStatic ? all : ([] as number[])]));
  let played = 0;
  await shareOut(
    tasks,
    (_, seed, noted) => {
      for (const n of noted) seeds.get(n)?.push(seed);
      played += 1;
      if (played % 100 === 0) console.log(`${played} schedules without a change`);
    },
    (_, found) => {
      if (found !== undefined) throw new Error(`the code without a change fails: ${found.by}: ${found.sentence}`);
    },
  );
  for (const one of sample)
    results[one.n] = { ...describeMutant(one), seeds: (seeds.get(one.n) ?? []).toSorted((a, b) => a - b) };
  saveResults(results);
};

/** By turns a short story, which takes less time, and any, which may need what short ones lack. */
const inTurns = (seeds: readonly number[]): readonly number[] => {
  const steps = new Map(seeds.map((seed) => [seed, buildStory(buildRandom(seed, 'story')).length]));
  const short = seeds.toSorted((a, b) => (steps.get(a) ?? 0) - (steps.get(b) ?? 0));
  return [...new Set(short.flatMap((seed, n) => [seed, seeds[n] ?? seed]))];
};

/** 2. Plays each change where it matters, until a rule finds it. */
const playAll = async (sample: readonly Numbered[], results: Results): Promise<void> => {
  const tasks = sample
    .filter(({ n }) => results[n]?.simulator === undefined)
    .map(({ n }) => ({ mutant: n, seeds: inTurns(results[n]?.seeds ?? []).slice(0, Number(values.plays)) }));
  await shareOut(
    tasks,
    ({ mutant }) => {
      const result = results[mutant ?? -1];
      if (result !== undefined) result.plays = (result.plays ?? 0) + 1;
    },
    ({ mutant, seeds }, found) => {
      const result = results[mutant ?? -1];
      if (result === undefined) return;
      result.simulator = found?.by ?? '';
      if (found !== undefined) result.sentence = found.sentence;
      saveResults(results);
      console.log(`${mutant} ${result.where} ${result.kind}: ${found?.by ?? `not found in ${seeds.length}`}`);
    },
  );
};

const run = promisify(execFile);
const LEFT_OUT = /^(?:\.git|node_modules|\.stryker|cdk\.out|\.passepartout)(?:\/|$)/;

/** A copy of the repository, so that nobody sees the changes. */
const copyRepository = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'passepartout-mutants-'));
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !LEFT_OUT.test(relative(ROOT, path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
};

interface TestRun {
  readonly testResults: readonly { name: string; status: string; startTime: number; endTime: number }[];
}

/** @returns how each test file ended */
const runTests = async (folder: string, files: readonly string[], bail: boolean, noted?: string) => {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const vitest = 'node_modules/vitest/vitest.mjs';
  const args = [vitest, 'run', '--config', 'test/vitest.config.ts', '--reporter=json', `--outputFile=${report}`];
  const env = { ...process.env, ...(noted === undefined ? {} : { NOTED_MUTANTS: noted }) };
  const most = { cwd: folder, env, maxBuffer: 1 << 28, timeout: bail ? 600_000 : 0 };
  const workers = `--maxWorkers=${values.workers}`;
  const ended = await run(process.execPath, [...args, workers, ...(bail ? ['--bail=1'] : []), ...files], most).catch(
    (error: Error) => error,
  );
  const isRead = existsSync(report);
  const { testResults }: TestRun = isRead ? JSON.parse(readFileSync(report, 'utf8')) : { testResults: [] };
  return { testResults, hasFailed: ended instanceof Error };
};

/** 3. Tries each change that no rule found by the tests in which it matters, the quickest first. */
const testAll = async (sample: readonly Numbered[], results: Results): Promise<void> => {
  const left = sample.filter(({ n }) => results[n]?.simulator === '' && results[n]?.test === undefined);
  if (left.length === 0) return;
  const folder = copyRepository();
  const notes = join(folder, 'noted.txt');
  const folders = values.folders.split(',').map((name) => `test/${name}`);
  try {
    writeFileSync(notes, '');
    for (const { file, noted } of notedFiles(left)) writeFileSync(join(folder, file), noted);
    const { testResults } = await runTests(folder, folders, false, notes);
    for (const { file, source } of notedFiles(left)) writeFileSync(join(folder, file), source);
    const secondsOf = new Map(
      testResults
        .filter(({ status }) => status === 'passed')
        .map(({ name, startTime, endTime }) => [relative(folder, name), (endTime - startTime) / 1000]),
    );
    console.log(`${secondsOf.size} of ${testResults.length} test files pass without a change`);
    const lines = readFileSync(notes, 'utf8').split('\n');
    for (const { n, mutant } of left) {
      const result = results[n];
      if (result === undefined) continue;
      const noting = lines.flatMap((line) =>
        line.startsWith(`${n} `) ? relative(folder, line.slice(`${n} `.length)) : [],
      );
      const files = mutant.isStatic
        ? [...secondsOf.keys()]
        : [...new Set(noting)].filter((file) => secondsOf.has(file));
      const inOrder = files.toSorted((a, b) => (secondsOf.get(a) ?? 0) - (secondsOf.get(b) ?? 0));
      let seconds = 0;
      const chosen = inOrder.filter((file) => {
        seconds += secondsOf.get(file) ?? 0;
        return seconds <= Number(values.testSeconds);
      });
      result.tests = inOrder;
      result.test = '';
      writeFileSync(join(folder, mutant.file), applyMutant(sourceOf(mutant.file), mutant));
      if (chosen.length > 0) {
        const { testResults: ends, hasFailed } = await runTests(folder, chosen, true);
        const failed = ends.find(({ status }) => status === 'failed')?.name;
        if (hasFailed) result.test = failed === undefined ? 'a test run that does not end' : relative(folder, failed);
      }
      writeFileSync(join(folder, mutant.file), sourceOf(mutant.file));
      saveResults(results);
      console.log(
        `${n} ${result.where} ${result.kind}: ${result.test || `not found by ${chosen.length} of ${files.length}`}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const tell = (sample: readonly Numbered[], results: Results): void => {
  const all = sample.flatMap(({ n }) => (results[n] === undefined ? [] : [{ n, ...results[n] }]));
  const bySimulator = all.filter(({ simulator }) => simulator !== undefined && simulator !== '');
  const byTests = all.filter(({ test }) => test !== undefined && test !== '');
  const share = (count: number): string => `${count} (${Math.round((100 * count) / all.length)} %)`;
  const found = bySimulator.length + byTests.length;
  console.log(
    `${all.length} of ${numbered.length} changes: ${share(bySimulator.length)} found by the simulator, ` +
      `${share(byTests.length)} more by tests, ${share(found)} in all`,
  );
  for (const { n, where, kind, change, seeds = [], tests = [], test } of all.filter((one) => one.test === ''))
    console.log(`${n} ${where} ${kind}${test} (${seeds.length} schedules, ${tests.length} test files)\n  ${change}`);
};

const sample = drawSample();
if (values.worker) await work(sample);
else {
  const results = values.only === '' ? loadResults() : {};
  await noteSchedules(sample, results);
  await playAll(sample, results);
  await testAll(sample, results);
  tell(sample, results);
}
