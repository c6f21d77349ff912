import { globSync } from 'node:fs';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import manifest from '../../package.json' with { type: 'json' };

/** What runs without the packages of tests: the local stack, the command line, all functions. */
const ENTRIES = [
  'infra/local/start.ts',
  'infra/local/prebuild.ts',
  'infra/local/synth-template.ts',
  'infra/cli/passepartout.js',
];
/** Lambda has it; the local stack never calls it. */
const OF_LAMBDA = '@aws-sdk/client-s3';

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

describe('dependencies', () => {
  it('are all that a start needs: npm ci --omit=dev leaves out the others', async () => {
    const { metafile } = await build({
      absWorkingDir: ROOT,
      entryPoints: [...ENTRIES, ...globSync('functions/*/handler.ts', { cwd: ROOT })],
      packages: 'external',
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      outdir: 'unused',
    });
    const imported = Object.values(metafile.inputs).flatMap(({ imports }) =>
      imports.filter(({ path, external }) => external === true && !path.startsWith('node:')).map(({ path }) => path),
    );
    const missing = imported.map(packageOf).filter((name) => !(name in manifest.dependencies));
    expect([...new Set(missing)]).toStrictEqual([OF_LAMBDA]);
  });
});
