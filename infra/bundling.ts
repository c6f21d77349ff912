/**
 * How a function's code becomes a bundle, the same for the cloud and for the local stack. ES modules with the packages'
 * own module entries (half the size of the default), in chunks where something is loaded only when needed, and the AWS SDK's
 * credential chain replaced by the one source a function ever has. Class names are shortened: our errors carry theirs as text.
 */
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Root of the repository: entries, the lock file and the alias below are found from here. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Node's version on Lambda, as esbuild names it. */
export const BUNDLE_TARGET = 'node24';

export const MAIN_FIELDS: readonly string[] = ['module', 'main'];

const source = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/**
 * Parts of the AWS SDK with something smaller in their place: no profiles, SSO, process or metadata credentials on Lambda
 * (about 145 KB a function), no cache of discovered endpoints, which are never looked for (7 KB), and Node's own checksums (5 KB).
 */
export const BUNDLE_ALIAS: Readonly<Record<string, string>> = {
  '@aws-sdk/credential-provider-node': source('lib/store/environment-credentials.ts'),
  '@aws-sdk/endpoint-cache': source('lib/store/no-endpoint-cache.ts'),
  '@smithy/core/checksum': source('lib/store/native-checksum.ts'),
};

/** The policy engine: a package that reads its WebAssembly from beside itself, so it is never part of a bundle. */
const CEDAR = '@cedar-policy/cedar-wasm/nodejs';

/** A package that is loaded only when something needs it, and therefore stands beside the bundles instead of in them. */
interface PackageBeside {
  readonly specifier: string;
  /** Under `node_modules`. */
  readonly folder: string;
  /** What of it is copied, besides its `package.json`. */
  readonly part: string;
  /** Where its code begins. */
  readonly file: string;
}

/** The policy engine, for spaces that have a policy, and the parsers of proposed code (`lib/judge/code`). */
const PACKAGES_BESIDE: readonly PackageBeside[] = [
  { specifier: CEDAR, folder: '@cedar-policy/cedar-wasm', part: 'nodejs', file: 'nodejs/cedar_wasm.js' },
  { specifier: 'yaml', folder: 'yaml', part: 'dist', file: 'dist/index.js' },
  { specifier: '@babel/parser', folder: '@babel/parser', part: 'lib', file: 'lib/index.js' },
];

/** Where something under `node_modules` is. */
export const installed = (path: string): string => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));

/** Where they are installed, as file URLs: the local stack's bundles, wherever they lie, find them there. */
export const PACKAGE_URLS: Readonly<Record<string, string>> = Object.fromEntries(
  PACKAGES_BESIDE.map(({ specifier, folder, file }) => [specifier, pathToFileURL(installed(`${folder}/${file}`)).href]),
);

/**
 * Our own code that is loaded only when used and brings packages of its own: a file beside the bundle of the functions named.
 * The code that uses one finds it by its name, `<name>.mjs` beside itself.
 */
interface PartBeside {
  readonly name: string;
  readonly entry: string;
  readonly functions: readonly string[];
  /** Files it reads at run time, under `node_modules`. */
  readonly files: readonly string[];
}

export const PARTS_BESIDE: readonly PartBeside[] = [
  {
    name: 'script-worker',
    entry: 'lib/tools/script-worker.ts',
    functions: ['act'],
    files: ['@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm'],
  },
  { name: 'mcp-session', entry: 'lib/tools/mcp/session.ts', functions: ['act'], files: [] },
];

/** Where those files are installed. */
export const partFiles = (): readonly string[] => PARTS_BESIDE.flatMap(({ files }) => files.map(installed));

/** Shell commands that build the parts of one function into its folder, as its bundle itself is built. */
export const buildParts = (functionName: string, outputDir: string): readonly string[] =>
  PARTS_BESIDE.filter(({ functions }) => functions.includes(functionName)).flatMap(({ name, entry, files }) => [
    [
      `"${installed('.bin/esbuild')}" "${ROOT}${entry}" --bundle --minify --platform=node --format=esm`,
      `--target=${BUNDLE_TARGET} --main-fields=${MAIN_FIELDS.join(',')} --banner:js="${BUNDLE_BANNER}"`,
      `--log-level=warning --outfile="${outputDir}/${name}.mjs"`,
    ].join(' '),
    ...files.map((file) => `cp "${installed(file)}" "${outputDir}/"`),
  ]);

/** Functions that may need them: they carry the packages beside their bundle, unread until then. */
export const FUNCTIONS_WITH_PACKAGES: readonly string[] = ['console', 'reason', 'act'];

/** Shell commands that put them beside a bundle, copied from this installation. */
export const copyPackages = (outputDir: string): readonly string[] =>
  PACKAGES_BESIDE.flatMap(({ folder, part }) => {
    const to = `${outputDir}/node_modules/${folder}`;
    return [`mkdir -p "${to}"`, `cp -R "${installed(folder)}/package.json" "${installed(folder)}/${part}" "${to}/"`];
  });

/**
 * Not carried in a bundle: the S3 client, which comes with Lambda's own runtime and which only the log's writer loads, what the
 * SDK loads only for operations that stream events, of which none is used (12 KB), or in a browser (34 KB). On a local stack
 * all are found in node_modules.
 */
export const BUNDLE_EXTERNAL: readonly string[] = [
  '@aws-sdk/client-s3',
  '@smithy/core/event-streams',
  'bowser',
  ...PACKAGES_BESIDE.map(({ specifier }) => specifier),
];

/** CommonJS packages inside an ES module still ask for Node's built-in modules with `require`. */
export const BUNDLE_BANNER =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";

/** What a chunk with CommonJS inside has of it: the word alone also stands in messages. */
const ASKS_FOR_MODULES = /\btypeof require\b|\brequire\(/;

/** A chunk without it where no CommonJS is inside: it would set up a module's loader for nothing. Lines stay where they are. */
export const withoutBanner = (text: string): string => {
  const rest = text.startsWith(BUNDLE_BANNER) ? text.slice(BUNDLE_BANNER.length) : text;
  return ASKS_FOR_MODULES.test(rest) ? text : rest;
};
