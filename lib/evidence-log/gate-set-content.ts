/**
 * What a gate set's version is the hash of: kept with the log while it is in force, so that an
 * export explains it later.
 */
import type { Table } from '../aws/table.ts';
import { hashOf } from '../evidence/canonical.ts';
import type { GateSetContent } from '../evidence/export-lines.ts';
import { ENGINE_VERSION, type GateSet } from '../gates/build-gate-set.ts';
import { logKeys } from './keys.ts';

export const gateSetContent = ({ gates, problem }: GateSet): GateSetContent => ({
  engine: ENGINE_VERSION,
  gates: gates.map(({ name, priority, version }) => [name, priority, version] as const),
  problem,
});

/** The same content again writes the same item. */
export const keepGateSet = (table: Pick<Table, 'put'>, space: string, content: GateSetContent): Promise<void> =>
  table.put(logKeys.gateSet(space, hashOf('gate-set', content)), { schemaVersion: 1, content });
