/**
 * The stored policy of a space: its text, who set it and when. It is authority, not memory (I14):
 * only an approver changes it, over the console. Every text that was ever in force stays under its
 * hash, so that old decisions can still be understood.
 */
import * as z from 'zod/mini';
import { StoredItemError } from '../base/errors.ts';
import { type Key, settingKey } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import type { Item, Table } from '../store/table.ts';

export const PolicySetting = z.object({
  schemaVersion: z.literal(1),
  /** Cedar; empty if the policy was taken back. */
  text: z.string(),
  hash: z.string(),
  /** Id of the sender who set it. */
  by: z.string(),
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

/** Whether a policy may ask what was done before. */
export const mayNamePast = (text: string): boolean => /\bpast\b/.test(text);

/** Of the policy in force; empty if there is none. @throws StoredItemError */
export const loadPolicyHash = async (table: Pick<Table, 'load'>, space: string): Promise<string> =>
  parsePolicySetting(await loadItem(table, policyKey(space)))?.hash ?? '';
