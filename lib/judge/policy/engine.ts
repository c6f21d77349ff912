/**
 * Brings in the Cedar engine when it is first needed. It stays a package of its own beside the bundles (its WebAssembly is
 * a file it reads), so a function without a policy neither carries nor loads it.
 */
export type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs');

/** @throws when the package is not there: whoever judges by it must block then. */
export const importCedar = (): Promise<Cedar> => import('@cedar-policy/cedar-wasm/nodejs');
