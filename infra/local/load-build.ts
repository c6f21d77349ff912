/**
 * The template and the code of the functions, built once for each state of their sources. The
 * bundles are not minified, so that stack traces stay readable; they start in less than half the
 * time and memory that sources take.
 */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build, stop } from 'esbuild';
import { ConfigError } from '../../lib/core/base/errors.ts';
import { FUNCTION_NAMES } from '../../lib/core/store/settings.ts';
import {
  BUNDLE_OPTIONS,
  browserParts,
  installed,
  PACKAGE_URLS,
  PARTS_BESIDE,
  partFiles,
  ROOT,
  textSources,
  writeTexts,
} from '../bundling.ts';
import { entryOf } from '../functions.ts';
import { parseTemplate, type Template } from '../template.ts';

/** Entries are named by the hash of all they depend on. One appears whole, and never changes. */
export interface BuildCache {
  /** Must exist. */
  readonly folder: string;
  /** Called before an entry is made, which takes seconds. */
  readonly onBuild?: () => void;
}

/** Beside the packages. `npm ci` empties it, and builds this version. All data folders share it. */
export const SHARED_CACHE = installed('.cache/passepartout');

/** The shared cache; if this account may not write there, one in the data folder. */
export const openCache = (dataFolder: string): string => {
  const own = join(dataFolder, 'cache');
  try {
    mkdirSync(SHARED_CACHE, { recursive: true });
    accessSync(SHARED_CACHE, constants.W_OK);
    // Releases up to 0.1.0 built here.
    rmSync(own, { recursive: true, force: true });
    return SHARED_CACHE;
  } catch {
    mkdirSync(own, { recursive: true });
    return own;
  }
};

const filesOf = (path: string): readonly string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name !== 'node_modules')
        .sort()
        .flatMap((name) => filesOf(join(path, name)))
    : [path];

/** First 128 bits of a SHA-256, hex. @param extras further text that matters */
const hashContent = (root: string, paths: readonly string[], extras: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const extra of extras) hash.update(`${extra.length}:${extra}`);
  for (const file of paths.flatMap(filesOf)) {
    const bytes = readFileSync(file);
    hash.update(`${relative(root, file)}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
};

/** Path of the entry `<kind>-<hash>`. @param make writes it to the path it is given */
const loadEntry = async (
  cache: BuildCache,
  kind: string,
  hash: string,
  make: (path: string) => Promise<void>,
): Promise<string> => {
  const path = join(cache.folder, `${kind}-${hash}`);
  if (existsSync(path)) return path;
  cache.onBuild?.();
  const draft = join(cache.folder, `draft-${process.pid}-${kind}-${hash}`);
  try {
    await make(draft);
    renameSync(draft, path);
  } catch (error) {
    // Another start made the same entry in the meantime: it has the same content.
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return path;
};

/** Sources of the template, beside the files of `infra` itself. */
const SOURCES = [
  'infra/constructs',
  'infra/local/synth-template.ts',
  'lib/core/base/data-version.ts',
  'lib/core/base/limits.ts',
  'lib/core/store/settings.ts',
  'package-lock.json',
];
const CHILD = fileURLToPath(new URL('synth-template.ts', import.meta.url));
const run = promisify(execFile);

const topLevelSources = (): readonly string[] =>
  readdirSync(join(ROOT, 'infra'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('infra', name));

/** @throws ConfigError if nothing can be written there */
const makeTemporary = (): string => {
  try {
    return mkdtempSync(join(tmpdir(), 'passepartout-synth-'));
  } catch (error) {
    const why = `cannot be written (${error instanceof Error && 'code' in error ? error.code : error})`;
    throw new ConfigError([`TMPDIR: ${tmpdir()} ${why}; set it to a folder that this account may write`]);
  }
};

const synthesise = async (space: string, outFile: string): Promise<void> => {
  const assembly = makeTemporary();
  try {
    const env = { PATH: process.env.PATH ?? '', CDK_OUTDIR: assembly };
    await run(process.execPath, [CHILD, space, outFile], { cwd: ROOT, env });
  } finally {
    rmSync(assembly, { recursive: true, force: true });
  }
};

/** @throws with CDK's message if the stack does not synthesise */
export const loadTemplate = async (cache: BuildCache, space: string): Promise<Template> => {
  const sources = [...topLevelSources(), ...SOURCES].map((path) => join(ROOT, path));
  const hash = hashContent(ROOT, sources, [space]);
  const path = await loadEntry(cache, 'template', hash, (outFile) => synthesise(space, outFile));
  return parseTemplate(JSON.parse(readFileSync(path, 'utf8')));
};

/** The program that runs a bundle in a worker. It is a bundle itself. */
export const WORKER_ENTRY = 'infra/local/worker.ts';
/** The program that puts a process around it. */
export const APART_ENTRY = 'infra/local/apart.ts';

const bundle = async (functionsRoot: string, outdir: string): Promise<void> => {
  await build({
    ...BUNDLE_OPTIONS,
    entryPoints: Object.fromEntries([
      ...FUNCTION_NAMES.map((name) => [name, join(functionsRoot, entryOf(name))]),
      ...PARTS_BESIDE.map(({ name, entry }) => [name, entry]),
      ['worker', WORKER_ENTRY],
      ['apart', APART_ENTRY],
    ]),
    outdir,
    external: ['@aws-sdk/client-s3', ...Object.values(PACKAGE_URLS)],
    alias: { ...BUNDLE_OPTIONS.alias, ...PACKAGE_URLS },
    logLevel: 'silent',
  });
  const { scripts, files } = browserParts();
  for (const script of scripts) await build({ ...script, outdir, logLevel: 'silent' });
  // esbuild's process would stay as long as the stack does, with 186 MB.
  await stop();
  writeTexts(outdir);
  for (const file of [...partFiles(), ...files]) await copyFile(file, join(outdir, basename(file)));
};

/** By each entry as the template names it. @throws with esbuild's messages */
export const loadBundles = async (cache: BuildCache, functionsRoot: string): Promise<ReadonlyMap<string, string>> => {
  const own = functionsRoot === ROOT ? join(ROOT, 'functions') : functionsRoot;
  const sources = [
    own,
    join(ROOT, 'lib'),
    ...['worker', 'run-functions', 'wire', 'apart'].map((name) => join(ROOT, `infra/local/${name}.ts`)),
    ...['package-lock.json', ...textSources()].map((path) => join(ROOT, path)),
  ];
  const settings = [functionsRoot, JSON.stringify([BUNDLE_OPTIONS, browserParts(), PARTS_BESIDE])];
  const hash = hashContent(ROOT, sources, settings);
  const folder = await loadEntry(cache, 'functions', hash, (outdir) => bundle(functionsRoot, outdir));
  const urlOf = (name: string): string => pathToFileURL(join(folder, `${name}.mjs`)).href;
  const functions = FUNCTION_NAMES.map((name): [string, string] => [entryOf(name), urlOf(name)]);
  return new Map([...functions, [WORKER_ENTRY, urlOf('worker')], [APART_ENTRY, urlOf('apart')]]);
};
