/**
 * `npm test`: runs Vitest, and each file that failed once more by itself. One that then passes is
 * named as unsteady; it has failed all the same. Words go to Vitest: `npm test -- jobs` runs the
 * files with "jobs" in their path, as `npm run test:all` takes them. `--ci` goes on with the files
 * that take more there, if they reach what changed lately: an unsteady one counts as passed.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod/mini';
import { ROOT } from '../infra/bundling.ts';
import { findRest } from './support/find-rest.ts';
import { SEED } from './support/seed.ts';

const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'];
const TELLING = ['default', './test/support/tell-skipped.ts', './test/support/tell-cost.ts'];

const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.optional(z.string()),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.optional(z.array(z.string())) }),
      ),
    }),
  ),
});

interface Ran {
  readonly passed: number;
  readonly failed: number;
  readonly failedFiles: readonly string[];
  /** A line for each test that failed. */
  readonly failures: readonly string[];
}

/** Of a message of failure, enough to tell which it was. */
const MESSAGE_CHARS_MAX = 300;

const sayFailure = (test: string, message = ''): string =>
  `  ${test}: ${stripVTControlCharacters(message).split('\n    at ')[0]?.replace(/\s+/g, ' ').slice(0, MESSAGE_CHARS_MAX)}`;

const failuresOf = ({ name, message, assertionResults }: z.infer<typeof Report>['testResults'][number]) => {
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  const file = relative(ROOT, name);
  return failed.length === 0
    ? [sayFailure(file, message)]
    : failed.map(({ fullName, failureMessages }) => sayFailure(`${file} > ${fullName}`, failureMessages?.[0]));
};

/** @throws if Vitest gives no report */
const runVitest = (words: readonly string[], reporters: readonly string[], takesMore: boolean): Ran => {
  const folder = mkdtempSync(join(tmpdir(), 'passepartout-run-'));
  try {
    const report = join(folder, 'report.json');
    const all = [...reporters, 'json'].map((name) => `--reporter=${name}`);
    spawnSync(process.execPath, [...VITEST, ...all, `--outputFile.json=${report}`, ...words], {
      cwd: ROOT,
      env: takesMore ? { ...process.env, TESTS: 'all' } : process.env,
      stdio: 'inherit',
    });
    const { testResults, numPassedTests, numFailedTests } = Report.parse(JSON.parse(readFileSync(report, 'utf8')));
    const red = testResults.filter(({ status }) => status === 'failed');
    return {
      passed: numPassedTests,
      // A file that cannot be loaded has no test that failed.
      failed: Math.max(numFailedTests, red.length),
      failedFiles: red.map(({ name }) => relative(ROOT, name)).sort(),
      failures: red.flatMap(failuresOf),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Told at the very end: a log of CI may be cut. */
const failures: string[] = [];

const runTwice = (words: readonly string[], takesMore = false): Ran & { readonly isSteady: boolean } => {
  const ran = runVitest(words, TELLING, takesMore);
  const load = loadavg().map((one) => one.toFixed(1));
  failures.push(...ran.failures);
  const again = ran.failedFiles.map((file) => ({ file, ...runVitest([file], ['dot'], takesMore) }));
  for (const { file, failed } of again)
    process.stdout.write(
      failed > 0
        ? `failed: ${file}\n`
        : `unsteady: ${file} failed and passes by itself; TEST_SEED=${SEED}, load ${load.join(' ')}\n`,
    );
  return { ...ran, isSteady: again.some(({ failed }) => failed > 0) };
};

const words = process.argv.slice(2);
const isCi = words.includes('--ci');
const named = words.filter((word) => word !== '--ci');
const main = runTwice(named, named.length > 0);
let { passed, failed } = main;
if (isCi) {
  const rest = findRest();
  process.stdout.write(`The rest that reaches what changed lately: ${rest.join(' ') || 'nothing'}\n`);
  const ran = rest.length === 0 ? undefined : runTwice(rest, true);
  passed += ran?.passed ?? 0;
  if (ran?.isSteady) failed += ran.failed;
}
if (failures.length > 0) process.stdout.write(`What failed:\n${failures.join('\n')}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
