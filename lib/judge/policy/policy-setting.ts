/**
 * The stored policy of a space: its text, who set it and when. It is authority, not memory (I14):
 * only an approver changes it, over the console. Every text that was ever in force stays under its
 * hash, so that old decisions can still be understood.
 */
import * as z from 'zod/mini';
import { StoredItemError } from '../../base/errors.ts';
import type { Condition } from '../../store/condition.ts';
import { type Key, settingKey } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Item, Table } from '../../store/table.ts';

export const PolicySetting = z.object({
  schemaVersion: z.literal(1),
  /** Cedar; empty if the policy was taken back. */
  text: z.string(),
  hash: z.string(),
  /** Id of the sender who set it. */
  by: z.string(),
  /** Epoch milliseconds. */
  at: z.int(),
});
export type PolicySetting = z.infer<typeof PolicySetting>;

export const policyKey = (space: string): Key => settingKey(space, 'policy');

/** @throws StoredItemError: an unreadable policy lets nothing through */
export const parsePolicySetting = (item: Item | undefined): PolicySetting | undefined => {
  if (item === undefined) return undefined;
  const parsed = PolicySetting.safeParse(item);
  if (!parsed.success) throw new StoredItemError('setting policy', 'it is not of a form this release knows');
  return parsed.data;
};

/** The text in force; empty if there is none. @throws StoredItemError */
export const policyTextOf = (item: Item | undefined): string => parsePolicySetting(item)?.text ?? '';

/** Of the policy in force; empty if there is none. @throws StoredItemError */
export const loadPolicyHash = async (table: Pick<Table, 'load'>, space: string): Promise<string> =>
  parsePolicySetting(await loadItem(table, policyKey(space)))?.hash ?? '';

/** Stores a checked text. The last one written is in force. @param condition of the one before */
export const savePolicySetting = async (
  table: Pick<Table, 'put'>,
  space: string,
  change: Pick<PolicySetting, 'text' | 'by' | 'at'>,
  condition?: Condition,
): Promise<PolicySetting> => {
  const { policyHash } = await import('./policy-domain.ts');
  const setting: PolicySetting = { schemaVersion: 1, ...change, hash: policyHash(change.text) };
  if (setting.hash !== '') await table.put(settingKey(space, `policy#${setting.hash}`), { ...setting });
  await table.put(policyKey(space), { ...setting }, condition);
  return setting;
};
