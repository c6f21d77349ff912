/** What a gate set's version is the hash of, as an export explains it. Pure. */
import type { GateSetContent } from '../evidence/export-lines.ts';
import { ENGINE_VERSION, type GateSet } from '../gates/build-gate-set.ts';

export const gateSetContent = ({ gates, problem }: GateSet): GateSetContent => ({
  engine: ENGINE_VERSION,
  gates: gates.map(({ name, priority, version }) => [name, priority, version] as const),
  problem,
});
