/**
 * Vitest's settings. Two projects: `pure` runs first and takes a minute; `parts` runs against
 * servers. A process runs many files one after the other, so that code is loaded and compiled once:
 * a file leaves nothing behind.
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
    pool: 'forks',
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: FILES.filter((file) => !PARTS.includes(file)),
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      // Some of these mostly wait: a third process uses the two cores meanwhile.
      { extends: true, test: { name: 'parts', include: PARTS, maxWorkers: 3, sequence: { groupOrder: 1 } } },
    ],
  },
});
