/** The Cedar engine: a package beside the bundles, loaded only where a text in Cedar is read. */
import type * as CedarEngine from '@cedar-policy/cedar-wasm/nodejs';

export type Cedar = typeof CedarEngine;

/** @throws if the package is missing: the caller must block then. */
export const importCedar = (): Promise<Cedar> => import('@cedar-policy/cedar-wasm/nodejs');
