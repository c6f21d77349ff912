/**
 * Builds one function's folder as it is deployed: `index.mjs` with all that is loaded at once, the chunks it imports only when
 * something needs them (an `import()` in the code), and what stands beside the bundle. Chunks share what they have in common, so
 * that there is one zod and one class of each error however much is loaded. Says what is loaded at the start and what may be.
 * Throws with esbuild's messages.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
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
import { leaveOut } from './leave-out.ts';
import { mergeStart, readSplitCode } from './merge-start.ts';
import { plainFunctions } from './plain-functions.ts';

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
  /** Bytes of all that is loaded before the first line runs. */
  readonly startBytes: number;
  /** Bytes of that and of all chunks for later, without source maps and without what stands beside. */
  readonly allBytes: number;
  /** Files that went into it, from the repository's root; and those of them that went into what is loaded at the start. */
  readonly inputs: readonly string[];
  readonly startInputs: readonly string[];
}

/** Builds the code alone. @param outdir an empty folder, absolute */
export const buildCode = async (name: FunctionName, outdir: string): Promise<BuiltFunction> => {
  // Under the given one: where it lies is told in source maps, and CDK names what was built by its bytes.
  const folder = join(outdir, 'split');
  try {
    const entryPoints = { index: join(ROOT, entryOf(name)) };
    const plugins = [leaveOut, plainFunctions];
    const { metafile } = await build({ ...DEPLOYED, banner: {}, entryPoints, outdir: folder, plugins });
    const code = readSplitCode(metafile, folder);
    await mergeStart(code, DEPLOYED, outdir);
    const files = readdirSync(outdir).filter((file) => file.endsWith('.mjs'));
    for (const file of files)
      writeFileSync(join(outdir, file), withoutBanner(readFileSync(join(outdir, file), 'utf8')));
    const bytesOf = (file: string): number => statSync(join(outdir, file)).size;
    return {
      startBytes: bytesOf('index.mjs'),
      allBytes: files.reduce((sum, file) => sum + bytesOf(file), 0),
      inputs: Object.keys(metafile.inputs),
      startInputs: code.startInputs,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const CHILD = fileURLToPath(new URL('build-code.ts', import.meta.url));

/** Builds the whole folder, at once: CDK asks for it inside a constructor. @param outdir an empty folder, absolute */
export const buildFunction = (name: FunctionName, outdir: string): void => {
  execFileSync(process.execPath, [CHILD, name, outdir], { cwd: ROOT, stdio: 'inherit' });
  const commands = [
    ...(FUNCTIONS_WITH_PACKAGES.includes(name) ? copyPackages(outdir) : []),
    ...buildParts(name, outdir),
  ];
  for (const command of commands) execFileSync('sh', ['-c', command], { cwd: ROOT, stdio: 'inherit' });
};
