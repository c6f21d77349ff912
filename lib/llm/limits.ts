/** Bounds that the files of `lib/llm` share: a name ends in its unit, a comment gives the reason for the number. */
import { SECOND_MS } from '../base/limits.ts';

export const PROVIDER_TIMEOUT_MS = { cognition: 60 * SECOND_MS, reasoning: 240 * SECOND_MS } as const;
/**
 * Longest pause inside a streamed answer, by tier: who stops this long has broken off. A model that
 * thinks sends nothing meanwhile.
 */
export const PROVIDER_STREAM_IDLE_MS = { cognition: 20 * SECOND_MS, reasoning: 120 * SECOND_MS } as const;
