/**
 * The template and the code of the functions, built once for each state of their sources. The
 * bundles are not minified, so that stack traces stay readable; they start in less than half the
 * time and memory that sources take.
 */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build, stop } from 'esbuild';
import { FUNCTION_NAMES } from '../../lib/store/settings.ts';
import { BUNDLE_OPTIONS, PACKAGE_URLS, PAGE_FILES, PAGE_SCRIPTS, PARTS_BESIDE, partFiles, ROOT } from '../bundling.ts';
import { entryOf } from '../functions.ts';
import { parseTemplate, type Template } from '../template.ts';

/** Entries are named by the hash of all they depend on. One appears whole, and never changes. */
export interface ContentCache {
  /** Must exist. */
  readonly folder: string;
  readonly isShared: boolean;
}

const filesOf = (path: string): readonly string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name !== 'node_modules')
        .sort()
        .flatMap((name) => filesOf(join(path, name)))
    : [path];

/** First 128 bits of a SHA-256, hex. @param extras further text that matters */
export const hashContent = (root: string, paths: readonly string[], extras: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const extra of extras) hash.update(`${extra.length}:${extra}`);
  for (const file of paths.flatMap(filesOf)) {
    const bytes = readFileSync(file);
    hash.update(`${relative(root, file)}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
};

/** Path of the entry `<kind>-<hash>`. @param make writes it to the path it is given */
export const loadEntry = async (
  cache: ContentCache,
  kind: string,
  hash: string,
  make: (path: string) => Promise<void>,
): Promise<string> => {
  const path = join(cache.folder, `${kind}-${hash}`);
  if (existsSync(path)) return path;
  const draft = join(cache.folder, `draft-${process.pid}-${kind}-${hash}`);
  try {
    await make(draft);
    const older = readdirSync(cache.folder).filter((name) => name.startsWith(`${kind}-`));
    renameSync(draft, path);
    if (!cache.isShared) for (const name of older) rmSync(join(cache.folder, name), { recursive: true, force: true });
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
  'lib/base/data-version.ts',
  'lib/base/limits.ts',
  'lib/store/settings.ts',
  'package-lock.json',
];
const CHILD = fileURLToPath(new URL('synth-template.ts', import.meta.url));
const run = promisify(execFile);

const topLevelSources = (): readonly string[] =>
  readdirSync(join(ROOT, 'infra'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('infra', name));

const synthesise = async (space: string, outFile: string): Promise<void> => {
  const assembly = mkdtempSync(join(tmpdir(), 'passepartout-synth-'));
  try {
    const env = { PATH: process.env.PATH ?? '', CDK_OUTDIR: assembly };
    await run(process.execPath, [CHILD, space, outFile], { cwd: ROOT, env });
  } finally {
    rmSync(assembly, { recursive: true, force: true });
  }
};

/** @throws with CDK's message if the stack does not synthesise */
export const loadTemplate = async (cache: ContentCache, space: string): Promise<Template> => {
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
  for (const script of PAGE_SCRIPTS) await build({ ...script, outdir, logLevel: 'silent' });
  // esbuild's process would stay as long as the stack does, with 186 MB.
  await stop();
  // A copy would keep the mode, but only the owner may read files of the data folder.
  for (const file of [...partFiles(), ...PAGE_FILES])
    await writeFile(join(outdir, basename(file)), await readFile(file));
};

/** By each entry as the template names it. @throws with esbuild's messages */
export const loadBundles = async (cache: ContentCache, functionsRoot: string): Promise<ReadonlyMap<string, string>> => {
  const own = functionsRoot === ROOT ? join(ROOT, 'functions') : functionsRoot;
  const sources = [
    own,
    join(ROOT, 'lib'),
    join(ROOT, WORKER_ENTRY),
    join(ROOT, APART_ENTRY),
    join(ROOT, 'package-lock.json'),
  ];
  const settings = [functionsRoot, JSON.stringify([BUNDLE_OPTIONS, PAGE_SCRIPTS, PARTS_BESIDE])];
  const hash = hashContent(ROOT, sources, settings);
  const folder = await loadEntry(cache, 'functions', hash, (outdir) => bundle(functionsRoot, outdir));
  const urlOf = (name: string): string => pathToFileURL(join(folder, `${name}.mjs`)).href;
  const functions = FUNCTION_NAMES.map((name): [string, string] => [entryOf(name), urlOf(name)]);
  return new Map([...functions, [WORKER_ENTRY, urlOf('worker')], [APART_ENTRY, urlOf('apart')]]);
};
