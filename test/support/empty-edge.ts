import type { LogEdge } from '../../lib/core/evidence/tiles.ts';

export const EMPTY_EDGE: LogEdge = Object.freeze({
  range: Object.freeze({ size: 0, hashes: Object.freeze([]) }),
  partials: Object.freeze([]),
});
