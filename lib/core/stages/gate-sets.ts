/**
 * The gate set of a space: the fixed gates, and those that features add. A set with added gates is
 * stored before anybody judges by it, so that exports and replays can explain its version.
 */
import { ADDED_GATES } from '../../features/gates.ts';
import { hashOf } from '../base/canonical.ts';
import { buildGateSet, type GateSet } from '../gates/engine/build-gate-set.ts';
import { GATE_SET } from '../gates/engine/gate-set.ts';
import { gateSetContent } from '../gates/engine/gate-set-content.ts';
import { type OwnerSettings, ownerSettingsKey, readOwnerSettings } from '../ledger/owner-settings.ts';
import type { Gate } from '../signal/gate.ts';
import { gateSetKeys } from '../store/keys.ts';
import { loadNamed } from '../store/load-named.ts';
import type { Table } from '../store/table.ts';
import type { TurnRecords } from '../store/turn-records.ts';
import { STANDING } from './turn-records.ts';

export interface GateSets {
  /** The set for records that were read with others. @param settings as `FindGates` takes them */
  readonly of: (records: TurnRecords, settings: OwnerSettings | undefined) => Promise<GateSet>;
  /** Reads both. */
  readonly load: () => Promise<GateSet>;
  /** Whether a version is the fixed set's, or that of the set in force. */
  readonly isInForce: (version: string) => Promise<boolean>;
}

/** @param fixed another set of fixed gates, for tests */
export const buildGateSets = (
  table: Pick<Table, 'load' | 'put'>,
  space: string,
  fixed: GateSet = GATE_SET,
): GateSets => {
  /** The last set, by the keys of its added gates. */
  let last: { readonly key: string; readonly gateSet: GateSet } | undefined;

  const keep = async (gates: readonly Gate[]): Promise<GateSet> => {
    const gateSet = buildGateSet([...fixed.gates, ...gates]);
    const content = gateSetContent(gateSet);
    await table.put(gateSetKeys.content(space, hashOf('gate-set', content)), { schemaVersion: 1, content });
    return gateSet;
  };

  const of: GateSets['of'] = async (...known) => {
    const found = (await Promise.all(ADDED_GATES.map((find) => find(...known)))).flatMap((one) => one ?? []);
    if (found.length === 0) return fixed;
    const key = JSON.stringify(found.map((one) => one.key));
    if (last?.key === key) return last.gateSet;
    const gates = (await Promise.all(found.map((one) => one.load(table, space)))).flat();
    const gateSet = await keep(gates);
    // Code that could not be read may be readable the next time.
    if (gates.every(({ version }) => version > 0)) last = { key, gateSet };
    return gateSet;
  };

  const load: GateSets['load'] = async () => {
    const items = await loadNamed(table, { standing: STANDING.keys(space), owner: ownerSettingsKey(space) });
    return of(STANDING.read(items.standing), readOwnerSettings(items.owner));
  };

  return {
    of,
    load,
    isInForce: async (version) =>
      version === fixed.version || version === last?.gateSet.version || version === (await load()).version,
  };
};
