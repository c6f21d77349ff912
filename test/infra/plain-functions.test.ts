import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { DEPLOYED } from '../../infra/build-function.ts';
import { ROOT } from '../../infra/bundling.ts';
import { plainFunctions } from '../../infra/plain-functions.ts';
import * as canonical from '../../lib/base/canonical.ts';

it('plainFunctions leaves no arrow in our code, and all of it does what it did', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plain-functions-'));
  try {
    const entryPoints = { index: join(ROOT, 'lib/base/canonical.ts') };
    await build({ ...DEPLOYED, entryPoints, outdir: folder, plugins: [plainFunctions] });
    const file = join(folder, 'index.mjs');
    expect(readFileSync(join(ROOT, 'lib/base/canonical.ts'), 'utf8')).toContain('=>');
    expect(readFileSync(file, 'utf8')).not.toContain('=>');
    const built: typeof canonical = await import(/* @vite-ignore */ pathToFileURL(file).href);
    const value = { b: [1, 'é', null, { d: true }], a: -0 };
    expect(built.canonicalJson(value)).toBe(canonical.canonicalJson(value));
    expect(built.hashOf('action', value)).toBe(canonical.hashOf('action', value));
    expect(() => built.canonicalJson({ a: undefined })).toThrow();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
