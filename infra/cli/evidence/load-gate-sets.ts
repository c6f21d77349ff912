/** The gate sets that a stack has stored beside the fixed ones, as features make them again. */
import type { GateSet } from '../../../lib/core/gates/engine/build-gate-set.ts';
import type { LogSource } from '../../../lib/core/log/source.ts';
import { ADDED_GATE_SETS } from '../features.ts';

/** @returns the sets by their versions */
export type LoadGateSets = (source: Pick<LogSource, 'gateSets' | 'gateCode'>) => Promise<ReadonlyMap<string, GateSet>>;

export const loadGateSets: LoadGateSets = async (source) =>
  new Map((await Promise.all(ADDED_GATE_SETS.map((load) => load(source)))).flatMap((sets) => [...sets]));
