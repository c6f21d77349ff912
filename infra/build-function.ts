/** Builds the folder of one function as it is deployed. Throws with esbuild's messages. */
import { copyFileSync, cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';
import type { FunctionName } from '../lib/core/store/settings.ts';
import {
  BUNDLE_OPTIONS,
  browserParts,
  installed,
  PACKAGES_BESIDE,
  PARTS_BESIDE,
  partFiles,
  writeTexts,
} from './bundling.ts';
import { entryOf } from './functions.ts';

/** Bundles for the cloud are minified; their source maps name files and lines only. */
export const DEPLOYED: BuildOptions & { readonly metafile: true } = {
  ...BUNDLE_OPTIONS,
  minify: true,
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
};

/** Builds the bundle without its packages and parts. @param outdir absolute */
export const buildBundle = (name: FunctionName, outdir: string): Metafile =>
  buildSync({ ...DEPLOYED, entryPoints: { index: entryOf(name) }, outdir }).metafile;

/** Builds the whole folder. @param outdir absolute */
export const buildFunction = (name: FunctionName, outdir: string): Metafile => {
  const parts = PARTS_BESIDE.filter(({ functions }) => functions.includes(name));
  for (const part of parts) {
    buildSync({ ...DEPLOYED, splitting: false, sourcemap: false, entryPoints: { [part.name]: part.entry }, outdir });
  }
  const { scripts, files: beside } = browserParts(name);
  for (const script of scripts) buildSync({ ...script, outdir });
  const files = new Set([...partFiles(parts), ...beside]);
  for (const file of files) copyFileSync(file, join(outdir, basename(file)));
  writeTexts(outdir, name);
  const bundle = buildBundle(name, outdir);
  const imports = Object.values(bundle.outputs).flatMap((output) => output.imports);
  for (const { specifier, folder, part } of PACKAGES_BESIDE) {
    if (!imports.some(({ path, external }) => external && path === specifier)) continue;
    for (const path of [`${folder}/package.json`, `${folder}/${part}`]) {
      cpSync(installed(path), join(outdir, 'node_modules', path), { recursive: true });
    }
  }
  return bundle;
};
