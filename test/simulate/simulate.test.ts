import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** `<seed> <hash>` of each seed, played in this order in a process of its own. */
const hashesOf = async (seeds: readonly number[]): Promise<readonly string[]> => {
  const { stdout } = await run(process.execPath, [pathOf('print-hashes.ts'), ...seeds.map(String)]);
  return stdout.trim().split('\n');
};

const SEEDS = Array.from({ length: 20 }, (_, n) => n + 1);

describe('runSchedule', () => {
  it('gives a seed the same trace twice, after any other seeds, and in another process', async () => {
    const [twice, backwards, alone] = await Promise.all([
      hashesOf([...SEEDS, ...SEEDS]),
      hashesOf(SEEDS.toReversed()),
      hashesOf([20]),
    ]);
    const once = twice.slice(0, SEEDS.length);
    expect(twice).toStrictEqual([...once, ...once]);
    expect(backwards).toStrictEqual(once.toReversed());
    expect(alone).toStrictEqual(once.slice(-1));
    expect(new Set(once.map((line) => line.split(' ')[1])).size).toBe(SEEDS.length);
  });
});
