/** Stores the policy of a space. Apart from its reader: the hash needs the catalogue of tools. */
import type { Condition } from '../../store/condition.ts';
import { settingKey } from '../../store/keys.ts';
import type { Table } from '../../store/table.ts';
import { policyHash } from './policy-domain.ts';
import { type PolicySetting, policyKey } from './policy-setting.ts';

/** Stores a checked text. The last one written is in force. @param condition of the one before */
export const savePolicySetting = async (
  table: Pick<Table, 'put'>,
  space: string,
  change: Pick<PolicySetting, 'text' | 'by' | 'at'>,
  condition?: Condition,
): Promise<PolicySetting> => {
  const setting: PolicySetting = { schemaVersion: 1, ...change, hash: policyHash(change.text) };
  if (setting.hash !== '') await table.put(settingKey(space, `policy#${setting.hash}`), { ...setting });
  await table.put(policyKey(space), { ...setting }, condition);
  return setting;
};
