/**
 * Functions of several releases on one stack. A fixture holds the built functions of its release in
 * one file; `writeRoot` makes a `functionsRoot` from them and from the sources of today. Each
 * function of it notes the messages it is given, can be held, and takes turns among its versions.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';
import { DEPLOYED } from '../../infra/build-function.ts';
import { ROOT } from '../../infra/bundling.ts';
import { entryOf } from '../../infra/functions.ts';
import { FUNCTION_NAMES, type FunctionName } from '../../lib/core/store/settings.ts';
import { handlerOf } from './places-here.ts';

export const FIXTURES = join(ROOT, 'test/fixtures');
/** Fixtures that have this file. */
export const fixturesWith = (name: string): readonly string[] =>
  readdirSync(FIXTURES).filter((day) => existsSync(join(FIXTURES, day, name)));
/** All functions of a release and its verifier of exports: file names with their text. */
const BUILT = 'functions.json.br';
const VERIFIER = 'lib/core/evidence/verifier/verify-export.ts';
/** Bundles find packages that lie beside them (parsers, the policy engine) from here. */
const CACHE = join(ROOT, 'node_modules/.cache');

export const compress = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });

/** Builds the functions of today as they are deployed, in one step, so that they share chunks. */
export const buildRelease = async (): Promise<Buffer> => {
  const entries = FUNCTION_NAMES.map((name): [string, string] => [name, entryOf(name)]);
  const { outputFiles = [] } = await build({
    ...DEPLOYED,
    sourcemap: false,
    write: false,
    entryPoints: Object.fromEntries([...entries, ['verifier', VERIFIER]]),
    outdir: CACHE,
  });
  return compress(Buffer.from(JSON.stringify(Object.fromEntries(outputFiles.map((f) => [basename(f.path), f.text])))));
};

/** `today` are the sources, `silent` is a schedule that does nothing; others name a fixture. */
export type Version = 'today' | 'silent' | (string & {});

export interface FunctionsRoot {
  readonly folder: string;
  /** The function takes no message until `release`. */
  readonly hold: (name: FunctionName) => void;
  readonly release: (name: FunctionName) => void;
  /** Bodies of all messages that functions were given. */
  readonly messages: () => readonly string[];
  /** Events that a function gave to a version. */
  readonly countOf: (name: FunctionName, version: Version) => number;
  readonly remove: () => void;
}

const unpack = (version: Version, folder: string): void => {
  const packed = readFileSync(join(FIXTURES, version, BUILT));
  const files = Object.entries(JSON.parse(brotliDecompressSync(packed).toString()) as Record<string, string>);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
};

/** Each root has handlers of its own. */
const importOf = (folder: string, name: FunctionName, version: Version): string => {
  if (version === 'silent') return '{ handler: async () => undefined }';
  const file = version === 'today' ? join(ROOT, entryOf(name)) : join(folder, version, `${name}.mjs`);
  return `await import(${JSON.stringify(`${pathToFileURL(file).href}?root=${basename(folder)}`)})`;
};

const sourceOf = (folder: string, name: FunctionName, versions: readonly Version[]): string => `
import { appendFileSync, existsSync } from 'node:fs';
const versions = [${versions.map((version) => importOf(folder, name, version)).join(', ')}];
const names = ${JSON.stringify(versions)};
let count = 0;
export const handler = async (event, context) => {
  const records = event.Records ?? [];
  for (const { body } of records) appendFileSync(${JSON.stringify(join(folder, 'messages.jsonl'))}, body + '\\n');
  if (existsSync(${JSON.stringify(join(folder, `hold-${name}`))}))
    return { batchItemFailures: records.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  const turn = count++ % versions.length;
  appendFileSync(${JSON.stringify(join(folder, 'turns'))}, ${JSON.stringify(name)} + ' ' + names[turn] + '\\n');
  return versions[turn].handler(event, context);
};
`;

const linesOf = (path: string): readonly string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];

/** @param choose the versions of a function that take turns */
export const writeRoot = (choose: (name: FunctionName) => readonly Version[]): FunctionsRoot => {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'releases-'));
  const earlier = new Set(FUNCTION_NAMES.flatMap((name) => choose(name)));
  for (const version of earlier)
    if (version !== 'today' && version !== 'silent') unpack(version, join(folder, version));
  for (const name of FUNCTION_NAMES) {
    const entry = join(folder, handlerOf(name));
    mkdirSync(join(entry, '..'), { recursive: true });
    writeFileSync(entry, sourceOf(folder, name, choose(name)));
  }
  const holdOf = (name: FunctionName) => join(folder, `hold-${name}`);
  return {
    folder,
    hold: (name) => writeFileSync(holdOf(name), ''),
    release: (name) => rmSync(holdOf(name)),
    messages: () => linesOf(join(folder, 'messages.jsonl')),
    countOf: (name, version) => linesOf(join(folder, 'turns')).filter((line) => line === `${name} ${version}`).length,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** The verifier that a release had. */
export const loadVerifier = async (version: Version) => {
  const folder = mkdtempSync(join(CACHE, 'verifier-'));
  try {
    unpack(version, folder);
    const loaded: Pick<typeof import('../../lib/core/evidence/verifier/verify-export.ts'), 'verifyExport'> =
      await import(pathToFileURL(join(folder, 'verifier.mjs')).href);
    return loaded.verifyExport;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
