/**
 * Vitest's settings: tests run from the repository's root, in forked processes, so that servers of
 * one file never meet another's.
 */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // What ends a test that hangs, not one that is slow: a busy machine may take three times as
    // long and pause for seconds.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
