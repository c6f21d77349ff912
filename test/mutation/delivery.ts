/**
 * `npm run mutation:delivery`: changes code in small ways, a sample drawn from a seed, and tells
 * who finds each change: the types, the simulator, or a test. A run without changes notes first in
 * which schedules each change would matter; it is played only in those, and tried by the tests that
 * import its file, the nearest first. A second run goes on from `.stryker/delivery.json`.
 */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { ROOT } from '../../infra/bundling.ts';
import { once } from '../../lib/core/base/once.ts';
import type { Product } from '../simulate/bundle.ts';
import type { Strike } from '../simulate/world/faults.ts';
import { buildRandom } from '../simulate/world/random.ts';
import { buildStory } from '../simulate/world/story.ts';
import { importsOf } from '../support/imports-of.ts';
import { applyMutant, findMutants, KINDS, type Mutant, noteMutants } from './mutants.ts';

const ROOMS =
  'ledger,stages,log,money,approvals,jobs,features/jobs,features/runbooks,runner,edge,channels,features/policy';
const FILES = globSync([`lib/{${ROOMS}}/**/*.ts`, 'infra/{witness,runner}/*.ts'], { cwd: ROOT })
  .filter((file) => !/german|texts|\/page\//.test(file))
  .sort();

const options = {
  /** Changes drawn. */
  count: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
  schedules: { type: 'string', default: '1000' },
  /** Most schedules that one change is played in. */
  plays: { type: 'string', default: '400' },
  workers: { type: 'string', default: '2' },
  /** Test files that one change is tried by. */
  tests: { type: 'string', default: '40' },
  /** Numbers of changes to take in place of a sample, after something was mended. */
  only: { type: 'string', default: '' },
  worker: { type: 'boolean', default: false },
} as const;
const { values } = parseArgs({ options });
const RESULTS = join(ROOT, '.stryker/delivery.json');
const THIS_FILE = fileURLToPath(import.meta.url);

/** Stands for a day of jobs, which no story has. */
const DAY_SEED = 0;

interface Weather {
  readonly strike?: Strike;
  readonly isQuiet?: boolean;
}

/**
 * In turns nothing goes wrong, so that nothing is mended that should not be needed; what the
 * schedule says goes wrong; or a fault strikes where the change is: what is left half done shows.
 */
const WEATHERS: readonly Weather[] = [
  { isQuiet: true },
  {},
  ...[0, 1, 2].flatMap((skip) => [
    { strike: { kind: 'death', skip } } as const,
    { strike: { kind: 'silence', skip } } as const,
  ]),
];

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
  const ofKind = Map.groupBy(numbered, ({ mutant }) => mutant.kind);
  return Array.from({ length: Number(values.count) }, () => {
    const left = ofKind.get(random.pick(KINDS)) ?? [];
    return left.splice(random.below(left.length), 1);
  }).flat();
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
  const { judgeYear, DAY } = await import('../simulate/year/judge-year.ts');
  const setup = await (await import('../simulate/setup.ts')).buildSetup();
  await fillClients();
  const tell = (answer: Answer): void => void process.send?.(answer);
  // Nobody waited for it. It would end the process of a function.
  let unhandled: unknown;
  process.on('unhandledRejection', (error) => {
    unhandled ??= error;
  });
  const switched = await loadProduct(
    notedFiles(sample).map(({ file, source, noted }) => ({ file, find: source, put: noted, isOptional: true })),
  );
  const loadChanged = (changed: Mutant): Promise<Product> => {
    if (!changed.isStatic && changed.kind !== 'order') return Promise.resolve(switched);
    const { file, kind } = changed;
    const put = `${kind === 'order' ? 'globalThis.strikeHere?.();\n' : ''}${changed.put}`;
    const source = applyMutant(sourceOf(file), { ...changed, put });
    return loadProduct([{ file, find: sourceOf(file), put: source, isOptional: true }]);
  };
  const judge = async (product: Product, seed: number, weather: Weather = {}): Promise<Found | undefined> => {
    unhandled = undefined;
    const { violations } =
      seed === DAY_SEED
        ? await judgeYear(product, setup, 1, DAY)
        : await runSchedule({ product, setup, seed, ...weather });
    const [first] = violations;
    if (first !== undefined) return { by: first.rule, sentence: `seed ${seed}: ${first.sentence}` };
    return unhandled === undefined ? undefined : { by: 'unhandled', sentence: `seed ${seed}: ${unhandled}` };
  };
  const play = async ({ mutant, seeds }: Task): Promise<Found | undefined> => {
    const changed = numbered[mutant ?? -1]?.mutant;
    const product = changed === undefined ? switched : await loadChanged(changed);
    for (const [turn, seed] of seeds.entries()) {
      const noted = new Set<number>();
      const weather = mutant === undefined ? undefined : WEATHERS[turn % WEATHERS.length];
      const noteMutant = (n: number) => noted.add(n);
      Object.assign(globalThis, { activeMutant: mutant, struckMutant: mutant, noteMutant });
      const found = await judge(product, seed, weather);
      if (found === undefined) {
        tell({ kind: 'played', seed, noted: [...noted] });
        continue;
      }
      // The code without the change keeps its promises in the same schedule.
      Object.assign(globalThis, { activeMutant: undefined });
      const whole = mutant === undefined ? undefined : await judge(switched, seed, weather);
      if (whole === undefined) return found;
      console.error(`without a change, with ${JSON.stringify(weather)}: ${whole.by}: ${whole.sentence}`);
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
  /** The first error; empty if none. */
  types?: string;
  /** The simulator's rule; empty if none. */
  simulator?: string;
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

/** What runs while the product is loaded matters in any schedule. */
const isAlways = ({ isStatic, file }: Mutant): boolean => isStatic && file.startsWith('lib/');

/** 2. Notes in which schedules each change matters. */
const noteSchedules = async (sample: readonly Numbered[], results: Results): Promise<void> => {
  if (sample.every(({ n }) => results[n]?.seeds !== undefined)) return;
  const all = [DAY_SEED, ...Array.from({ length: Number(values.schedules) }, (_, n) => n + 1)];
  const tasks = Array.from({ length: Number(values.workers) }, (_, n) => ({
    mutant: undefined,
    seeds: all.filter((seed) => seed % Number(values.workers) === n),
  }));
  const seeds = new Map(sample.map(({ n, mutant }) => [n, isAlways(mutant) ? all : ([] as number[])]));
  let played = 0;
  await shareOut(
    tasks,
    (_, seed, noted) => {
      for (const n of noted) seeds.get(n)?.push(seed);
      played += 1;
      if (played % 50 === 0) console.log(`${played} schedules without a change`);
    },
    (_, found) => {
      if (found !== undefined) throw new Error(`the code without a change fails: ${found.by}: ${found.sentence}`);
    },
  );
  for (const { n } of sample)
    Object.assign(results[n] ?? {}, { seeds: (seeds.get(n) ?? []).toSorted((a, b) => a - b) });
  saveResults(results);
};

/** By turns a short story, which takes less time, and any, which may need what short ones lack. */
const inTurns = (seeds: readonly number[]): readonly number[] => {
  const steps = new Map(seeds.map((seed) => [seed, buildStory(buildRandom(seed, 'story')).length]));
  const short = seeds.toSorted((a, b) => (steps.get(a) ?? 0) - (steps.get(b) ?? 0));
  return [...new Set(short.flatMap((seed, n) => [seed, seeds[n] ?? seed]))];
};

/** 3. Plays each change where it matters, until a rule finds it. */
const playAll = async (sample: readonly Numbered[], results: Results): Promise<void> => {
  const tasks = sample
    .filter(({ n }) => results[n]?.simulator === undefined)
    .map(({ n }) => {
      const seeds = results[n]?.seeds ?? [];
      // A day takes as long as ten others.
      const [days = [], others = []] = [true, false].map((isDay) =>
        seeds.filter((seed) => (seed === DAY_SEED) === isDay),
      );
      return { mutant: n, seeds: [...inTurns(others).slice(0, Number(values.plays)), ...days] };
    });
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

const write = (folder: string, { mutant }: Numbered): void =>
  writeFileSync(join(folder, mutant.file), applyMutant(sourceOf(mutant.file), mutant));
const restore = (folder: string, { mutant: { file } }: Numbered): void =>
  writeFileSync(join(folder, file), sourceOf(file));

/** 1. One change of each file at a time: an error in that file is the change's. */
const checkTypes = async (folder: string, sample: readonly Numbered[], results: Results): Promise<void> => {
  for (const one of sample) results[one.n] ??= describeMutant(one);
  let left = sample.filter(({ n }) => results[n]?.types === undefined);
  while (left.length > 0) {
    const round = [...Map.groupBy(left, ({ mutant }) => mutant.file).values()].flatMap(([first]) => first ?? []);
    for (const one of round) write(folder, one);
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    const ended: unknown = await run(tsc, ['--pretty', 'false'], { cwd: folder, maxBuffer: 1 << 28 }).catch(
      (error: unknown) => error,
    );
    const lines = String(Reflect.get(Object(ended), 'stdout')).split('\n');
    for (const one of round) {
      restore(folder, one);
      const error = lines.find((line) => line.startsWith(`${one.mutant.file}(`)) ?? '';
      Object.assign(results[one.n] ?? {}, { types: error });
    }
    left = left.filter((one) => !round.includes(one));
    saveResults(results);
  }
};

interface TestRun {
  readonly testResults: readonly { name: string; status: string }[];
}

/** @returns the file that failed; empty if none did */
const runTests = async (folder: string, files: readonly string[]): Promise<string> => {
  if (files.length === 0) return '';
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const vitest = 'node_modules/vitest/vitest.mjs';
  const args = [vitest, 'run', '--config', 'test/vitest.config.ts', '--reporter=json', `--outputFile=${report}`];
  const ended = await run(process.execPath, [...args, `--maxWorkers=${values.workers}`, '--bail=1', ...files], {
    cwd: folder,
    maxBuffer: 1 << 28,
    timeout: SILENCE_MS_MAX,
  }).catch((error: Error) => error);
  if (!(ended instanceof Error)) return '';
  const { testResults }: TestRun = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { testResults: [] };
  const failed = testResults.find(({ status }) => status === 'failed')?.name;
  return failed === undefined ? 'a test run that does not end' : relative(folder, failed);
};

/** Code that is run by its address, not by an import. */
const HANDLERS = globSync('functions/*/handler.ts', { cwd: ROOT });
const nextTo = (file: string): readonly string[] => (file === 'infra/functions.ts' ? HANDLERS : importsOf(file));

/** How many imports lead from a test to each file that it reaches. */
const distances = (test: string): ReadonlyMap<string, number> => {
  const reached = new Map([[test, 0]]);
  for (const [one, far] of reached) for (const next of nextTo(one)) if (!reached.has(next)) reached.set(next, far + 1);
  return reached;
};

const allTests = once(() =>
  globSync('test/**/*.test.ts', { cwd: ROOT, exclude: ['test/simulate/**', 'test/bench/**'] }).map((file) => ({
    file,
    reached: distances(file),
  })),
);

/** The tests that reach a file: first those whose path has its words, then by imports. */
const testsOf = (file: string): readonly string[] => {
  const words = file.match(/[a-z]{3,}/g) ?? [];
  const strange = (test: string): number => words.filter((word) => !test.includes(word.replace(/s$/, ''))).length;
  return allTests()
    .filter(({ reached }) => reached.has(file))
    .map((test) => ({ test: test.file, rank: strange(test.file) * 100 + (test.reached.get(file) ?? 0) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ test }) => test)
    .slice(0, Number(values.tests));
};

/** Tests that are started first, by themselves. */
const NEAR = 4;

/** 4. Tries each change that no rule found. */
const testAll = async (folder: string, sample: readonly Numbered[], results: Results): Promise<void> => {
  for (const one of sample) {
    const result = results[one.n];
    if (result?.simulator !== '' || result.test !== undefined) continue;
    const tests = testsOf(one.mutant.file);
    write(folder, one);
    result.test = (await runTests(folder, tests.slice(0, NEAR))) || (await runTests(folder, tests.slice(NEAR)));
    restore(folder, one);
    saveResults(results);
    console.log(`${one.n} ${result.where} ${result.kind}: ${result.test || `not found by ${tests.length} test files`}`);
  }
};

const tell = (sample: readonly Numbered[], results: Results): void => {
  const all = sample.flatMap(({ n }) => (results[n] === undefined ? [] : [{ n, ...results[n] }]));
  const reached = all.filter(({ types, seeds = [] }) => types === '' && seeds.length > 0);
  const by = (name: 'types' | 'simulator' | 'test'): number => all.filter((one) => (one[name] ?? '') !== '').length;
  console.log(
    `${all.length} of ${numbered.length} changes: types find ${by('types')}, the simulator ${by('simulator')} of the ` +
      `${reached.length} that matter in a schedule, tests ${by('test')} of the others`,
  );
  for (const { n, where, kind, change, seeds = [] } of all.filter(({ test }) => test === ''))
    console.log(`${n} ${where} ${kind}, found by nobody (it matters in ${seeds.length} schedules)\n  ${change}`);
};

const sample = drawSample();
if (values.worker) await work(sample);
else {
  const results = values.only === '' ? loadResults() : {};
  const folder = copyRepository();
  try {
    await checkTypes(folder, sample, results);
    const typed = sample.filter(({ n }) => results[n]?.types === '');
    await noteSchedules(typed, results);
    await playAll(typed, results);
    await testAll(folder, typed, results);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  tell(sample, results);
}
