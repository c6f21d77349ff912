/**
 * The functions' code as the workers run it, and the worker around it: bundled with the settings of the deployment (not
 * minified, so that stacks stay readable) and kept by the hash of the sources. Bundles, because eight workers that each strip
 * types and resolve hundreds of files take 1.2 s and 414 MB to start, and 0.5 s and 244 MB from bundles; one file of types that
 * is left makes each of them load the stripper, 8 MB.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';
import { FUNCTION_NAMES } from '../../lib/store/settings.ts';
import { BUNDLE_OPTIONS, PACKAGE_URLS, PARTS_BESIDE, partFiles, ROOT } from '../bundling.ts';
import { entryOf } from '../functions.ts';
import { type ContentCache, hashContent, loadEntry } from './content-cache.ts';

/** What runs a bundle, found among the bundles by its path from the root. */
export const WORKER_ENTRY = 'infra/local/worker.ts';

const bundle = async (functionsRoot: string, outdir: string): Promise<void> => {
  await build({
    ...BUNDLE_OPTIONS,
    entryPoints: Object.fromEntries([
      ...FUNCTION_NAMES.map((name) => [name, join(functionsRoot, entryOf(name))]),
      ...PARTS_BESIDE.map(({ name, entry }) => [name, entry]),
      ['worker', WORKER_ENTRY],
    ]),
    outdir,
    external: [...BUNDLE_OPTIONS.external.filter((name) => !(name in PACKAGE_URLS)), ...Object.values(PACKAGE_URLS)],
    alias: { ...BUNDLE_OPTIONS.alias, ...PACKAGE_URLS },
    logLevel: 'silent',
  });
  // esbuild's process would stay as long as the stack does, with 186 MB.
  await stop();
  // Not a copy, which would keep the mode: all files of the data folder are their owner's alone.
  for (const file of partFiles()) await writeFile(join(outdir, basename(file)), await readFile(file));
};

/**
 * File URL of each function's bundle, by its entry as the template names it, and of the worker's.
 * @param functionsRoot folder the entries are found in: the repository, except in tests
 * @throws with esbuild's messages when the code does not build
 */
export const loadBundles = async (cache: ContentCache, functionsRoot: string): Promise<ReadonlyMap<string, string>> => {
  const own = functionsRoot === ROOT ? join(ROOT, 'functions') : functionsRoot;
  const sources = [own, join(ROOT, 'lib'), join(ROOT, WORKER_ENTRY), join(ROOT, 'package-lock.json')];
  const settings = [functionsRoot, JSON.stringify([BUNDLE_OPTIONS, PARTS_BESIDE])];
  const hash = hashContent(ROOT, sources, settings);
  const folder = await loadEntry(cache, 'functions', hash, (outdir) => bundle(functionsRoot, outdir));
  const urlOf = (name: string): string => pathToFileURL(join(folder, `${name}.mjs`)).href;
  const functions = FUNCTION_NAMES.map((name): [string, string] => [entryOf(name), urlOf(name)]);
  return new Map([...functions, [WORKER_ENTRY, urlOf('worker')]]);
};
