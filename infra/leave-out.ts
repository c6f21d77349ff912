/**
 * Leaves out of a bundle what the `openai` client brings to name each endpoint of its API: three
 * quarters of it. Its own imports of them lead to `lib/llm/left-out-of-openai.ts` instead. A build
 * in which the package has a part unknown there fails. And of each AWS client's `package.json` all
 * but its version, which is what the client reads there (5 KB a function).
 */
import { readFileSync, realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { installed, ROOT } from './bundling.ts';

/** Its files, by their paths in the package. */
export const LEFT_OUT = /^resources\//;
export const LEFT_OUT_INSTEAD = 'lib/llm/left-out-of-openai.ts';

/** What esbuild asks about: as few of the thousands of imports of a bundle as a pattern can name. */
const ASKED = /^\.\.?\/.*resources\//;

export const leaveOut: Plugin = {
  name: 'leave-out',
  setup: ({ onResolve, onLoad }) => {
    // As esbuild names files: by where they really are.
    const openai = realpathSync(installed('openai'));
    onResolve({ filter: ASKED }, ({ path, resolveDir }) => {
      const file = relative(openai, resolve(resolveDir, path));
      return LEFT_OUT.test(file) ? { path: `${ROOT}${LEFT_OUT_INSTEAD}`, sideEffects: false } : undefined;
    });
    onLoad({ filter: /\/@aws-sdk\/client-[a-z0-9-]+\/package\.json$/ }, ({ path }) => {
      const { version }: { readonly version?: unknown } = JSON.parse(readFileSync(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};
