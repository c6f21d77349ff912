/**
 * All that features' tools load with their first call, under the names that they use.
 * `tools/parts.ts` alone imports this list: an `import()` of their own would split the start of
 * every function into more files.
 */
import { MACHINE_PARTS } from './runner/parts.ts';

export const FEATURE_PARTS = { ...MACHINE_PARTS } as const;
