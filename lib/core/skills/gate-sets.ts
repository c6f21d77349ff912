/**
 * The gate set of a space: the fixed gates, and those of the added skills that are switched on. A
 * set with gates of skills is stored before anybody judges by it, so that exports and replays can
 * explain its version. If the record of skills, or a gate's code, cannot be read, every proposal is
 * blocked (I3).
 */
import { hashOf } from '../base/canonical.ts';
import { buildGateSet, type GateSet } from '../gates/engine/build-gate-set.ts';
import { GATE_SET } from '../gates/engine/gate-set.ts';
import { gateSetContent } from '../gates/engine/gate-set-content.ts';
import { type OwnerSettings, ownerSettingsKey, readOwnerSettings } from '../ledger/owner-settings.ts';
import type { Gate } from '../signal/gate.ts';
import { gateSetKeys, skillKeys } from '../store/keys.ts';
import { loadNamed } from '../store/load-named.ts';
import type { Item, Table } from '../store/table.ts';

export interface GateSets {
  /**
   * The set for records that were read with others. @param skills the item of the skills in force
   * @param settings undefined if they cannot be read: then every skill counts as switched on
   */
  readonly of: (skills: Item | undefined, settings: OwnerSettings | undefined) => Promise<GateSet>;
  /** Reads both records. */
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
  /** The last set, by the names and hashes of its gates. */
  let last: { readonly key: string; readonly gateSet: GateSet } | undefined;

  const keep = async (gates: readonly Gate[]): Promise<GateSet> => {
    const gateSet = buildGateSet([...fixed.gates, ...gates]);
    const content = gateSetContent(gateSet);
    await table.put(gateSetKeys.content(space, hashOf('gate-set', content)), { schemaVersion: 1, content });
    return gateSet;
  };

  const of: GateSets['of'] = async (skills, settings) => {
    if (skills === undefined) return fixed;
    const { findSkillGates, loadSkillGates } = await import('./load-skill-gates.ts');
    const found = findSkillGates(skills, settings);
    if ('instead' in found) return keep([found.instead]);
    if (found.length === 0) return fixed;
    const key = JSON.stringify(found);
    if (last?.key === key) return last.gateSet;
    const gates = await loadSkillGates(table, space, found);
    const gateSet = await keep(gates);
    // Code that could not be read may be readable the next time.
    if (gates.every(({ version }) => version > 0)) last = { key, gateSet };
    return gateSet;
  };

  const load: GateSets['load'] = async () => {
    const items = await loadNamed(table, { skills: skillKeys.active(space), owner: ownerSettingsKey(space) });
    return of(items.skills, readOwnerSettings(items.owner));
  };

  return {
    of,
    load,
    isInForce: async (version) =>
      version === fixed.version || version === last?.gateSet.version || version === (await load()).version,
  };
};
