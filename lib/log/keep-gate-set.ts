/** Keeps a gate set's content with the log while it is in force, so that exports explain it. */
import { hashOf } from '../base/canonical.ts';
import type { GateSetContent } from '../gates/engine/gate-set-content.ts';
import { logKeys } from '../store/keys.ts';
import type { Table } from '../store/table.ts';

/** A repeat writes the same item. */
export const keepGateSet = (table: Pick<Table, 'put'>, space: string, content: GateSetContent): Promise<void> =>
  table.put(logKeys.gateSet(space, hashOf('gate-set', content)), { schemaVersion: 1, content });
