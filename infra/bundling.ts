/**
 * How a function's code becomes one file, the same for the cloud and for the local stack. ES modules with the packages'
 * own module entries (half the size of the default), nothing of it shared, and the AWS SDK's
 * credential chain replaced by the one source a function ever has. Class names are shortened: our errors carry theirs as text.
 */
import { fileURLToPath } from 'node:url';

/** Root of the repository: entries, the lock file and the alias below are found from here. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Node's version on Lambda, as esbuild names it. */
export const BUNDLE_TARGET = 'node24';

export const MAIN_FIELDS: readonly string[] = ['module', 'main'];

/** Saves about 145 KB a function: no profiles, SSO, process or metadata credentials on Lambda. */
export const BUNDLE_ALIAS: Readonly<Record<string, string>> = {
  '@aws-sdk/credential-provider-node': fileURLToPath(new URL('../lib/aws/environment-credentials.ts', import.meta.url)),
};

/** The policy engine: a package that reads its WebAssembly from beside itself, so it is never part of a bundle. */
export const CEDAR = '@cedar-policy/cedar-wasm/nodejs';

/** Where it is installed: the local stack's bundles, wherever they lie, find it here. */
export const CEDAR_FILE = fileURLToPath(
  new URL('../node_modules/@cedar-policy/cedar-wasm/nodejs/cedar_wasm.js', import.meta.url),
);

/** Functions that may meet a policy: they carry the engine beside their bundle, unread until there is one. */
export const CEDAR_FUNCTIONS: readonly string[] = ['console', 'reason', 'act'];

/** Shell commands that put the engine beside a bundle as a package: its Node build only, copied from this installation. */
export const copyCedar = (outputDir: string): readonly string[] => {
  const from = fileURLToPath(new URL('../node_modules/@cedar-policy/cedar-wasm', import.meta.url));
  const to = `${outputDir}/node_modules/@cedar-policy/cedar-wasm`;
  return [`mkdir -p "${to}"`, `cp -R "${from}/package.json" "${from}/nodejs" "${to}/"`];
};

/**
 * Comes with Lambda's own runtime, and is loaded only where a secret is read: not carried in every bundle. On a local stack
 * it is found in node_modules, should it ever be asked for.
 */
export const BUNDLE_EXTERNAL: readonly string[] = ['@aws-sdk/client-secrets-manager', CEDAR];

/** CommonJS packages inside an ES module still ask for Node's built-in modules with `require`. */
export const BUNDLE_BANNER =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";
