/** Builds the folder of one function as it is deployed. Throws with esbuild's messages. */
import { copyFileSync, cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';
import type { FunctionName } from '../lib/store/settings.ts';
import {
  BUNDLE_OPTIONS,
  installed,
  PACKAGES_BESIDE,
  PAGE_FILES,
  PAGE_SCRIPT,
  PARTS_BESIDE,
  partFiles,
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

export interface BuiltBundle {
  /** Bytes that are loaded before the first line runs. */
  readonly startBytes: number;
  /** The bytes loaded at the start and the bytes of all chunks that load later. */
  readonly allBytes: number;
  /** Source files of the whole bundle, from the repository's root. */
  readonly inputs: readonly string[];
  /** The source files that are loaded at the start. */
  readonly startInputs: readonly string[];
  /** Specifiers of what the bundle loads from beside itself or from the runtime. */
  readonly externals: ReadonlySet<string>;
}

const ENTRY = 'index.mjs';

const measureBundle = ({ inputs, outputs }: Metafile): BuiltBundle => {
  const files = new Map(
    Object.entries(outputs).flatMap(([path, output]) => (path.endsWith('.mjs') ? [[basename(path), output]] : [])),
  );
  const start = new Set([ENTRY]);
  for (const file of start) {
    for (const { path, kind, external } of files.get(file)?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) start.add(basename(path));
    }
  }
  const sizes = [...files].map(([file, { bytes }]) => ({ bytes, isStart: start.has(file) }));
  return {
    startBytes: sizes.reduce((sum, { bytes, isStart }) => sum + (isStart ? bytes : 0), 0),
    allBytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    inputs: Object.keys(inputs),
    startInputs: [...start].flatMap((file) => Object.keys(files.get(file)?.inputs ?? {})),
    externals: new Set(
      [...files.values()].flatMap(({ imports }) => imports.filter(({ external }) => external).map(({ path }) => path)),
    ),
  };
};

/** Builds the bundle without its packages and parts. @param outdir absolute */
export const buildBundle = (name: FunctionName, outdir: string): BuiltBundle =>
  measureBundle(buildSync({ ...DEPLOYED, entryPoints: { index: entryOf(name) }, outdir }).metafile);

/** Builds the whole folder. @param outdir absolute */
export const buildFunction = (name: FunctionName, outdir: string): BuiltBundle => {
  const parts = PARTS_BESIDE.filter(({ functions }) => functions.includes(name));
  for (const part of parts) {
    buildSync({ ...DEPLOYED, splitting: false, sourcemap: false, entryPoints: { [part.name]: part.entry }, outdir });
  }
  if (name === 'console') buildSync({ ...PAGE_SCRIPT, outdir });
  const files = new Set([...partFiles(parts), ...(name === 'console' ? PAGE_FILES : [])]);
  for (const file of files) copyFileSync(file, join(outdir, basename(file)));
  const bundle = buildBundle(name, outdir);
  for (const { specifier, folder, part } of PACKAGES_BESIDE) {
    if (!bundle.externals.has(specifier)) continue;
    for (const path of [`${folder}/package.json`, `${folder}/${part}`]) {
      cpSync(installed(path), join(outdir, 'node_modules', path), { recursive: true });
    }
  }
  return bundle;
};
