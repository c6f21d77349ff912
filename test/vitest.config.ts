/**
 * Vitest's settings. Two projects: `pure` runs first, in two processes, and takes a minute; `parts`
 * runs against servers, each file in a process of its own.
 */
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { needsParts } from './support/needs-parts.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILES = globSync('test/**/*.test.ts', { cwd: ROOT });
const PARTS = FILES.filter((file) => needsParts(ROOT, file));

export default defineConfig({
  root: ROOT,
  test: {
    reporters: ['default', './test/support/tell-skipped.ts'],
    // These end a test that hangs, not one that is slow: a busy machine may pause for seconds.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 200_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: FILES.filter((file) => !PARTS.includes(file)),
          pool: 'forks',
          maxWorkers: 2,
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'parts', include: PARTS, pool: 'forks', maxWorkers: 3, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
