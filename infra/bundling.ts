/**
 * How the code of a function becomes a bundle, in the cloud and here: ES modules, in chunks. The
 * AWS SDK is bundled, because the tests ran with this version and not with Lambda's own.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BuildOptions } from 'esbuild';
import { BROWSER_PARTS, TEXTS_BESIDE } from './browser-parts.ts';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

export const installed = (path: string): string => `${ROOT}node_modules/${path}`;

/** A package that is loaded only when something needs it. It lies beside the bundle. */
interface PackageBeside {
  readonly specifier: string;
  /** Under `node_modules`. */
  readonly folder: string;
  /** The folder of it that is copied, beside its `package.json`. */
  readonly part: string;
  readonly file: string;
}

/**
 * The policy engine, which reads its WebAssembly from beside itself, and the parsers of proposed
 * code (`lib/core/judge/code`).
 */
export const PACKAGES_BESIDE: readonly PackageBeside[] = [
  {
    specifier: '@cedar-policy/cedar-wasm/nodejs',
    folder: '@cedar-policy/cedar-wasm',
    part: 'nodejs',
    file: 'nodejs/cedar_wasm.js',
  },
  { specifier: 'yaml', folder: 'yaml', part: 'dist', file: 'dist/index.js' },
  { specifier: '@babel/parser', folder: '@babel/parser', part: 'lib', file: 'lib/index.js' },
];

/** File URLs: bundles of the local stack lie where no package is found. */
export const PACKAGE_URLS: Readonly<Record<string, string>> = Object.fromEntries(
  PACKAGES_BESIDE.map(({ specifier, folder, file }) => [specifier, pathToFileURL(installed(`${folder}/${file}`)).href]),
);

/** Our own code with packages of its own, as `<name>.mjs` beside the bundles of these functions. */
interface PartBeside {
  readonly name: string;
  readonly entry: string;
  readonly functions: readonly string[];
  /** Files under `node_modules` that it reads when it runs. */
  readonly files: readonly string[];
}

const SANDBOX_ENGINE = '@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm';

export const PARTS_BESIDE: readonly PartBeside[] = [
  {
    name: 'sandbox-worker',
    entry: 'lib/core/sandbox/sandbox-worker.ts',
    functions: ['perceive', 'reason', 'act', 'dead-letter', 'heartbeat'],
    files: [SANDBOX_ENGINE],
  },
  { name: 'mcp-authorize', entry: 'lib/features/consent/authorize.ts', functions: ['act'], files: [] },
  { name: 'mcp-session', entry: 'lib/features/mcp/session.ts', functions: ['act'], files: [] },
];

export const partFiles = (parts: readonly PartBeside[] = PARTS_BESIDE): readonly string[] =>
  parts.flatMap(({ files }) => files.map(installed));

/** Files and scripts for browsers that lie beside the bundle of a function, which reads them. */
export interface BrowserParts {
  readonly function: string;
  readonly files: readonly string[];
  /** How modules become scripts; paths are from the root. */
  readonly scripts: readonly BuildOptions[];
}

/** A text that is made when bundles are built, and lies beside those of these functions. */
export interface TextBeside {
  readonly name: string;
  readonly functions: readonly string[];
  /** Paths from the root that it is made of, beside `lib`. */
  readonly sources: () => readonly string[];
  readonly make: () => string;
}

/** Writes those of a function, or all, into a folder. */
export const writeTexts = (outdir: string, functionName?: string): void => {
  for (const { name, functions, make } of TEXTS_BESIDE)
    if (functionName === undefined || functions.includes(functionName)) writeFileSync(join(outdir, name), make());
};

export const textSources = (): readonly string[] => TEXTS_BESIDE.flatMap(({ sources }) => sources());

export const browserParts = (name?: string) => {
  const parts = BROWSER_PARTS.filter((one) => name === undefined || one.function === name);
  return {
    files: parts.flatMap(({ files }) => files.map((file) => `${ROOT}${file}`)),
    scripts: parts.flatMap(({ scripts }) => scripts.map((script) => ({ ...SCRIPT_OPTIONS, ...script }))),
  };
};

const SCRIPT_OPTIONS = {
  absWorkingDir: ROOT,
  minify: true,
  bundle: true,
  format: 'iife',
  target: 'es2024',
  charset: 'utf8',
} satisfies BuildOptions;

/** Lambda's runtime brings these clients, and only a few runs load them. */
const FROM_RUNTIME: readonly string[] = ['@aws-sdk/client-s3', '@aws-sdk/client-lambda'];

/** esbuild's options for every bundle. The package's own ES modules are half the size of `main`. */
export const BUNDLE_OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  target: 'node24',
  mainFields: ['module', 'main'],
  external: [...FROM_RUNTIME, ...PACKAGES_BESIDE.map(({ specifier }) => specifier)],
  /** On Lambda credentials are always in the environment; the SDK's search for others is 145 KB. */
  alias: { '@aws-sdk/credential-provider-node': `${ROOT}lib/core/store/environment-credentials.ts` },
} satisfies BuildOptions;
