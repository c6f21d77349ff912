/**
 * The version of the rules now in force, for those who need to compare it and judge nothing: whoever decides on an approval,
 * and the sweep. Reads the stored policy's hash; the policy itself is neither parsed nor evaluated.
 * @throws StoredItemError where the policy cannot be read: then no approval is decided.
 */

import type { GateSet } from '../gates/engine/verify.ts';
import { loadItem } from '../store/load-named.ts';
import type { Table } from '../store/table.ts';
import { buildPolicyVersion } from './judge.ts';
import { parsePolicySetting, policyKey } from './policy/policy-setting.ts';

export const loadPolicyVersion = async (
  table: Pick<Table, 'load'>,
  space: string,
  gateSet: GateSet,
): Promise<string> => {
  const item = await loadItem(table, policyKey(space));
  return buildPolicyVersion(gateSet, parsePolicySetting(item)?.hash ?? '');
};
