/**
 * Vitest's settings. `pure` runs first and takes a minute; `parts` runs against servers. A process
 * runs many files one after the other, so that code is loaded and compiled once: a file leaves
 * nothing behind. The simulator's replace Node's clock: each has a process of its own (`alone`).
 * Node loads the files itself, as it loads them for `npm start`: nothing is transformed.
 */
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { needsParts } from './support/needs-parts.ts';
import { TAKES_MORE } from './support/sample.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Ways and cases whose parts are held by other files. */
const REST = /\/rest\//;
const FILES = globSync('test/**/*.test.ts', { cwd: ROOT }).filter((file) => TAKES_MORE || !REST.test(file));
const ALONE = /^test\/simulate\//;
const PARTS = FILES.filter((file) => needsParts(ROOT, file));

export default defineConfig({
  root: ROOT,
  test: {
    reporters: ['default', './test/support/tell-skipped.ts', './test/support/tell-cost.ts'],
    setupFiles: ['load-directly', 'usual-waits', 'note-cost'].map((name) => `./test/support/${name}.ts`),
    // These end a test that hangs, not one that is slow: a busy machine may pause for seconds.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 200_000 } },
    pool: 'forks',
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
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
      // Some of these mostly wait: two more processes use the two cores meanwhile.
      {
        extends: true,
        test: {
          name: 'parts',
          include: PARTS.filter((file) => !ALONE.test(file)),
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: PARTS.filter((file) => ALONE.test(file)),
          isolate: true,
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
