import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { TAKES_ALL, TAKES_MORE } from '../support/sample.ts';

const run = promisify(execFile);
const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** `<seed> <hash>` of each seed, played in this order in a process of its own. */
const hashesOf = async (seeds: readonly number[]): Promise<readonly string[]> => {
  const { stdout } = await run(process.execPath, [pathOf('print-hashes.ts'), ...seeds.map(String)]);
  return stdout.trim().split('\n');
};

const SEEDS = Array.from({ length: TAKES_ALL ? 8 : 3 }, (_, n) => n + 1);

describe('runSchedule', () => {
  it('gives a seed the same trace twice, after any other seeds, and in another process', async () => {
    const [twice, backwards] = await Promise.all([hashesOf([...SEEDS, ...SEEDS]), hashesOf(SEEDS.toReversed())]);
    const once = twice.slice(0, SEEDS.length);
    expect(twice).toStrictEqual([...once, ...once]);
    expect(backwards).toStrictEqual(once.toReversed());
    expect(new Set(once.map((line) => line.split(' ')[1])).size).toBe(SEEDS.length);
  });
});

/** What a test run has time for. `npm run simulate` plays 2,000, and looks at what was reached. */
const SCHEDULES: readonly (readonly [number, readonly string[]])[] = [
  [TAKES_ALL ? 150 : TAKES_MORE ? 26 : 13, []],
  [TAKES_ALL ? 40 : TAKES_MORE ? 6 : 3, ['--news']],
];

describe('npm run simulate', () => {
  it.each(SCHEDULES)('plays %d schedules without a broken promise %j', async (count, words) => {
    const args = [pathOf('simulate.ts'), `--schedules=${count}`, '--workers=2', ...words];
    const { stdout } = await run(process.execPath, args);
    expect(stdout).toMatch(new RegExp(`^${count} schedules in .*, 0 schedules with a broken promise$`, 'm'));
  });

  it('says how to use it, and fails, when a number is none', async () => {
    await expect(run(process.execPath, [pathOf('simulate.ts'), '--seed=x'])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--schedules'),
    });
  });
});
