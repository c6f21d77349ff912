/**
 * A test runner for Stryker that loads tests once and runs them in the same process: a mutant costs
 * milliseconds where a start of Vitest for each would cost half a second, eight thousand times.
 * Mutants of code that runs while a module is loaded (tables, patterns) get modules of their own,
 * under addresses that were never loaded before. Gives Stryker what it asks of any runner; a mutant
 * is killed by the first test that fails.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core';
import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import type { Suite } from './stand-in.ts';

/** Variables that the instrumented code reads and writes. */
interface Instruments {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

/**
 * `MUTATION_SAMPLE=2/6`: of six equal parts only the second is run, which is enough to estimate a
 * score; the rest counts as not run.
 */
const [PART = 1, PARTS = 1] = (process.env.MUTATION_SAMPLE ?? '1/1').split('/').map(Number);
const isInSample = (mutantId: string): boolean => (Number(mutantId) * 7919) % PARTS === PART - 1;

const FOLDERS = ['test/core/gates', 'test/core/approvals'];
/** They read the source text, which Stryker rewrites: they would prove nothing here. */
const LEFT_OUT = /(?:^|\/)(?:purity|versions)\.test\.ts$/;
const TEST_FILES = 'test-files.json';
/**
 * Mutants of code that runs at load are shown to so many test files: further ones notice next to
 * nothing, and each has to be loaded.
 */
const STATIC_TEST_FILES_MAX = 5;

const isOurs = (url: string): boolean => !url.includes('/node_modules/') && /\/(?:lib|test)\/.*\.ts$/.test(url);
const bare = (url: string): string => url.replace(/\?.*$/, '');
const nameOf = (url: string): string => relative(process.cwd(), fileURLToPath(bare(url)));

/** Importers of each file, by name: these can notice its mutants. */
const importers = new Map<string, Set<string>>();
const sources = new Map<string, string>();
const STAND_IN = new URL('./stand-in.ts', import.meta.url).href;

const installHooks = (): void => {
  registerHooks({
    resolve: (specifier, context, next) => {
      const parent = context.parentURL ?? '';
      if (specifier === 'vitest' && parent !== STAND_IN) return { url: STAND_IN, shortCircuit: true };
      const found = next(specifier, context);
      if (!isOurs(bare(found.url)) || bare(found.url) === STAND_IN || !isOurs(bare(parent))) return found;
      const known = importers.get(nameOf(found.url)) ?? new Set();
      importers.set(nameOf(found.url), known.add(nameOf(parent)));
      return found.url.includes('?') ? found : { ...found, url: `${found.url}${/\?.*$/.exec(parent)?.[0] ?? ''}` };
    },
    load: (url, context, next) => {
      if (!isOurs(bare(url))) return next(url, context);
      const path = fileURLToPath(bare(url));
      const source = sources.get(path) ?? stripTypeScriptTypes(readFileSync(path, 'utf8'));
      sources.set(path, source);
      return { format: 'module', source, shortCircuit: true };
    },
  });
};

const testFiles = (): readonly string[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.test.ts') && !LEFT_OUT.test(name))
      .map((name) => join(folder, name)),
  );

/**
 * Test files from which the source file is reached, nearest first, and no more than are worth the
 * time.
 */
const reaching = (source: string): readonly string[] => {
  const seen = new Set([source]);
  for (const file of seen) for (const importer of importers.get(file) ?? []) seen.add(importer);
  return [...seen].filter((file) => file.endsWith('.test.ts')).slice(0, STATIC_TEST_FILES_MAX);
};

interface LoadedTest {
  readonly id: string;
  readonly name: string;
  readonly position: { readonly line: number; readonly column: number };
  readonly body: () => unknown;
  /** Suites around it, outermost first. */
  readonly suites: readonly Suite[];
}

const flatten = (file: string, suite: Suite, around: readonly Suite[]): readonly LoadedTest[] => {
  const suites = [...around, suite];
  const prefix = suites.map(({ name }) => name).filter((name) => name !== '');
  return [
    ...suite.tests.map(({ name, body, position }) => {
      const whole = [...prefix, name].join(' > ');
      return { id: `${file}#${whole}`, name: whole, position, body, suites };
    }),
    ...suite.suites.flatMap((inner) => flatten(file, inner, suites)),
  ];
};

const withUniqueIds = (tests: readonly LoadedTest[]): readonly LoadedTest[] => {
  const counts = new Map<string, number>();
  return tests.map((test) => {
    const count = counts.get(test.id) ?? 0;
    counts.set(test.id, count + 1);
    return count === 0 ? test : { ...test, id: `${test.id} (${count})` };
  });
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500);

const buildRunner = (): TestRunner => {
  const instruments: Instruments = {};
  Reflect.set(globalThis, INSTRUMENTER_CONSTANTS.NAMESPACE, instruments);
  const loaded = new Map<string, readonly LoadedTest[]>();
  let loads = 0;

  const load = async (file: string, version: number): Promise<readonly LoadedTest[]> => {
    const { collect } = await import(STAND_IN);
    const suite: Suite = await collect(
      () => import(`${pathToFileURL(file).href}${version === 0 ? '' : `?v=${version}`}`),
    );
    return withUniqueIds(flatten(file, suite, []));
  };
  const loadOnce = async (file: string): Promise<readonly LoadedTest[]> => {
    const tests = loaded.get(file) ?? (await load(file, 0));
    loaded.set(file, tests);
    return tests;
  };

  const runOne = async (test: LoadedTest): Promise<TestResult> => {
    const start = performance.now();
    const { id, name } = test;
    const common = () => ({
      id,
      name,
      fileName: join(process.cwd(), id.slice(0, id.indexOf('#'))),
      startPosition: test.position,
      timeSpentMs: performance.now() - start,
    });
    instruments.currentTestId = id;
    try {
      for (const suite of test.suites) for (const hook of suite.beforeEach) await hook();
      await test.body();
      return { ...common(), status: TestStatus.Success };
    } catch (error) {
      return { ...common(), status: TestStatus.Failed, failureMessage: messageOf(error) };
    } finally {
      instruments.currentTestId = undefined;
    }
  };

  /**
   * Runs tests of one file until the first fails; what their suites start is ended whatever
   * happens.
   */
  const runFile = async (tests: readonly LoadedTest[], bails: boolean): Promise<readonly TestResult[]> => {
    const started = new Set<Suite>();
    const results: TestResult[] = [];
    try {
      for (const test of tests) {
        for (const suite of test.suites) {
          if (!started.has(suite)) for (const hook of suite.before) await hook();
          started.add(suite);
        }
        const result = await runOne(test);
        results.push(result);
        if (bails && result.status === TestStatus.Failed) break;
      }
    } finally {
      for (const suite of started) for (const hook of suite.after) await hook();
    }
    return results;
  };

  const hasFailed = (results: readonly TestResult[]): boolean =>
    results.some(({ status }) => status === TestStatus.Failed);

  const runStatic = async ({ activeMutant, sandboxFileName }: MutantRunOptions): Promise<readonly TestResult[]> => {
    loads += 1;
    const order: Readonly<Record<string, readonly string[]>> = JSON.parse(readFileSync(TEST_FILES, 'utf8'));
    const results: TestResult[] = [];
    instruments.activeMutant = activeMutant.id;
    for (const file of order[relative(process.cwd(), sandboxFileName)] ?? testFiles()) {
      const tests = await load(file, loads).catch((error: unknown) => messageOf(error));
      if (typeof tests === 'string') {
        const failed = { status: TestStatus.Failed, failureMessage: tests, timeSpentMs: 0 } as const;
        return [...results, { ...failed, id: file, name: `${file} cannot be loaded` }];
      }
      results.push(...(await runFile(tests, true)));
      if (hasFailed(results)) return results;
    }
    return results;
  };

  const runFiltered = async (filter: readonly string[], activeMutant: string): Promise<readonly TestResult[]> => {
    const wanted = new Set(filter);
    const results: TestResult[] = [];
    for (const file of new Set(filter.map((id) => id.slice(0, id.indexOf('#'))))) {
      instruments.activeMutant = undefined;
      const tests = await loadOnce(file);
      instruments.activeMutant = activeMutant;
      results.push(
        ...(await runFile(
          tests.filter(({ id }) => wanted.has(id)),
          true,
        )),
      );
      if (hasFailed(results)) return results;
    }
    return results;
  };

  return {
    capabilities: () => ({ reloadEnvironment: true }),
    init: async () => {
      installHooks();
      await import(new URL('./setup.ts', import.meta.url).href);
    },
    dryRun: async () => {
      instruments.activeMutant = undefined;
      instruments.mutantCoverage = { static: {}, perTest: {} };
      const tests: TestResult[] = [];
      for (const file of testFiles()) tests.push(...(await runFile(await loadOnce(file), false)));
      const order = Object.fromEntries([...importers.keys()].map((file) => [file, reaching(file)]));
      writeFileSync(TEST_FILES, JSON.stringify(order));
      return { status: DryRunStatus.Complete, tests, mutantCoverage: instruments.mutantCoverage };
    },
    mutantRun: async (options): Promise<MutantRunResult> => {
      if (!isInSample(options.activeMutant.id))
        return { status: MutantRunStatus.Error, errorMessage: 'it is not part of the sample' };
      instruments.hitCount = 0;
      instruments.hitLimit = options.hitLimit;
      const { testFilter, mutantActivation } = options;
      const tests =
        mutantActivation === 'static' || testFilter === undefined
          ? await runStatic(options)
          : await runFiltered(testFilter, options.activeMutant.id);
      const limit = determineHitLimitReached(instruments.hitCount, options.hitLimit);
      instruments.activeMutant = undefined;
      return toMutantRunResult(limit ?? { status: DryRunStatus.Complete, tests: [...tests] });
    },
  };
};

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'in-process', buildRunner)];
