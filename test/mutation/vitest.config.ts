/**
 * Vitest as the mutation run uses it: only tests that judge `lib/gates` and `lib/approvals` by what they do. Tests that
 * read the source text (`purity`, `versions`) would see Stryker's rewriting and are left out, so none of them helps the score.
 */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['test/{gates,approvals}/**/*.test.ts'],
    exclude: ['test/gates/{purity,versions}.test.ts'],
    setupFiles: ['test/mutation/setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
