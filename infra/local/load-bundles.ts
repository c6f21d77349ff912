/**
 * The functions' code as the workers run it: bundled with the settings of the deployment (not minified, so that stacks stay
 * readable) and kept by the hash of the sources. Bundles, because eight workers that each strip types and resolve hundreds of
 * files take 1.2 s and 414 MB to start, and 0.5 s and 244 MB from bundles.
 */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUNDLE_ALIAS, BUNDLE_BANNER, BUNDLE_TARGET, MAIN_FIELDS, ROOT } from '../bundling.ts';
import { entryOf, FUNCTION_NAMES } from '../functions.ts';
import { hashContent } from './content-hash.ts';

export interface BundleRequest {
  readonly cacheFolder: string;
  /** Folder the entries are found in; the repository, except in tests. */
  readonly functionsRoot: string;
}

const bundle = async (request: BundleRequest, outdir: string): Promise<void> => {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: ROOT,
    entryPoints: Object.fromEntries(FUNCTION_NAMES.map((name) => [name, join(request.functionsRoot, entryOf(name))])),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: BUNDLE_TARGET,
    mainFields: [...MAIN_FIELDS],
    keepNames: true,
    alias: { ...BUNDLE_ALIAS },
    banner: { js: BUNDLE_BANNER },
    logLevel: 'silent',
  });
};

/** File URL of each function's bundle, by its entry as the template names it. @throws with esbuild's messages when the code does not build */
export const loadBundles = async (request: BundleRequest): Promise<ReadonlyMap<string, string>> => {
  const { cacheFolder, functionsRoot } = request;
  const sources = [join(functionsRoot, 'functions'), join(ROOT, 'lib'), join(ROOT, 'package-lock.json')];
  const settings = [functionsRoot, JSON.stringify([BUNDLE_ALIAS, BUNDLE_BANNER, BUNDLE_TARGET, MAIN_FIELDS])];
  const name = `functions-${hashContent(ROOT, sources, settings)}`;
  const folder = join(cacheFolder, name);
  if (!existsSync(folder)) {
    const draft = join(cacheFolder, `draft-${process.pid}`);
    rmSync(draft, { recursive: true, force: true });
    await bundle(request, draft);
    const old = readdirSync(cacheFolder).filter((file) => file.startsWith('functions-'));
    renameSync(draft, folder);
    for (const file of old) rmSync(join(cacheFolder, file), { recursive: true, force: true });
  }
  return new Map(FUNCTION_NAMES.map((one) => [entryOf(one), pathToFileURL(join(folder, `${one}.mjs`)).href]));
};
