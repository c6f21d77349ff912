/**
 * The content that a gate set's version is the hash of. It is kept with the log while the gate set
 * is in force, so that an export explains it later.
 */

import { hashOf } from '../base/canonical.ts';
import { ENGINE_VERSION, type GateSet } from '../gates/engine/build-gate-set.ts';
import { logKeys } from '../store/keys.ts';
import type { Table } from '../store/table.ts';

/** The version of a gate set is the hash of this content (`lib/gates/engine/build-gate-set.ts`). */
export interface GateSetContent {
  readonly engine: number;
  /** Name, priority, version. */
  readonly gates: readonly (readonly [string, number, number])[];
  readonly problem: string;
}

export const gateSetContent = ({ gates, problem }: GateSet): GateSetContent => ({
  engine: ENGINE_VERSION,
  gates: gates.map(({ name, priority, version }) => [name, priority, version] as const),
  problem,
});

/** A repeat writes the same item. */
export const keepGateSet = (table: Pick<Table, 'put'>, space: string, content: GateSetContent): Promise<void> =>
  table.put(logKeys.gateSet(space, hashOf('gate-set', content)), { schemaVersion: 1, content });
