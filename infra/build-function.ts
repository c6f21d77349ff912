/**
 * Builds one function's folder as it is deployed: `index.mjs`, the chunks it imports at once, the chunks it imports only when
 * something needs them (an `import()` in the code), and what stands beside the bundle. Chunks share what they have in common, so
 * that there is one zod and one class of each error however much is loaded. Says what is loaded at the start and what may be.
 * Synchronous, because CDK asks for it inside a constructor. Throws with esbuild's messages.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';
import {
  BUNDLE_ALIAS,
  BUNDLE_BANNER,
  BUNDLE_EXTERNAL,
  BUNDLE_TARGET,
  buildParts,
  copyPackages,
  FUNCTIONS_WITH_PACKAGES,
  MAIN_FIELDS,
  ROOT,
  withoutBanner,
} from './bundling.ts';
import { entryOf, type FunctionName } from './functions.ts';

/** What esbuild is told for whatever is deployed. The AWS SDK is bundled: Lambda's own is not the one the tests ran with. */
export const DEPLOYED: BuildOptions & { readonly metafile: true } = {
  absWorkingDir: ROOT,
  bundle: true,
  splitting: true,
  minify: true,
  sourcemap: true,
  sourcesContent: false,
  platform: 'node',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  target: BUNDLE_TARGET,
  mainFields: [...MAIN_FIELDS],
  external: [...BUNDLE_EXTERNAL],
  alias: { ...BUNDLE_ALIAS },
  banner: { js: BUNDLE_BANNER },
  metafile: true,
  logLevel: 'warning',
};

export interface BuiltFunction {
  /** Bytes of the entry and of every chunk it imports at once. */
  readonly startBytes: number;
  /** Bytes of all chunks, without source maps and without what stands beside. */
  readonly allBytes: number;
  /** Files that went into it, from the repository's root. */
  readonly inputs: readonly string[];
}

/** The entry and all that is imported before its first line runs. */
const loadedAtStart = ({ outputs }: Metafile, entry: string): ReadonlySet<string> => {
  const loaded = new Set([entry]);
  for (const file of loaded)
    for (const { path, kind } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && path in outputs) loaded.add(path);
  return loaded;
};

/** Builds the code alone. @param outdir an empty folder, absolute */
export const buildCode = (name: FunctionName, outdir: string): BuiltFunction => {
  const { metafile } = buildSync({ ...DEPLOYED, entryPoints: { index: join(ROOT, entryOf(name)) }, outdir });
  const files = Object.keys(metafile.outputs).filter((file) => file.endsWith('.mjs'));
  for (const file of files) writeFileSync(join(ROOT, file), withoutBanner(readFileSync(join(ROOT, file), 'utf8')));
  const bytes = (paths: Iterable<string>): number =>
    [...paths].reduce((sum, path) => sum + statSync(join(ROOT, path)).size, 0);
  return {
    startBytes: bytes(loadedAtStart(metafile, relative(ROOT, join(outdir, 'index.mjs')))),
    allBytes: bytes(files),
    inputs: Object.keys(metafile.inputs),
  };
};

/** Builds the whole folder. @param outdir an empty folder, absolute */
export const buildFunction = (name: FunctionName, outdir: string): BuiltFunction => {
  const built = buildCode(name, outdir);
  const commands = [
    ...(FUNCTIONS_WITH_PACKAGES.includes(name) ? copyPackages(outdir) : []),
    ...buildParts(name, outdir),
  ];
  for (const command of commands) execFileSync('sh', ['-c', command], { cwd: ROOT, stdio: 'inherit' });
  return built;
};
