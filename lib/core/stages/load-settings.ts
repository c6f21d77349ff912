/**
 * The kill switch, the last erasure, the owner's settings and the policy in one consistent read.
 * Their rows lie side by side, so a stage pays for their bytes together, and for none that is
 * absent.
 */
import { policyKey } from '../judge/policy-setting.ts';
import { killSwitchKey } from '../ledger/kill-switch.ts';
import { LAST_ERASURE } from '../ledger/last-erasure.ts';
import { ownerSettingsKey } from '../ledger/owner-settings.ts';
import { loadRows } from '../store/load-named.ts';
import type { Item, Table } from '../store/table.ts';

export interface SettingRows {
  readonly killSwitch: Item | undefined;
  readonly lastErasure: Item | undefined;
  readonly owner: Item | undefined;
  readonly policy: Item | undefined;
}

export const loadSettings = async (table: Pick<Table, 'query'>, space: string): Promise<SettingRows> => {
  const [first, owner, last] = [killSwitchKey(space), ownerSettingsKey(space), policyKey(space)];
  const rows = await loadRows(table, first.pk, [first.sk, last.sk]);
  return {
    killSwitch: rows.get(first.sk),
    lastErasure: rows.get(LAST_ERASURE),
    owner: rows.get(owner.sk),
    policy: rows.get(last.sk),
  };
};
