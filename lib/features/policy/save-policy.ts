/** Stores the policy of a space. Apart from its reader: the hash needs the catalogue of tools. */

import { ProtocolError } from '../../core/base/errors.ts';
import type { Cedar } from '../../core/judge/code/cedar-engine.ts';
import { type PolicySetting, parsePolicySetting, policyKey } from '../../core/judge/policy-setting.ts';
import type { SpacePolicy } from '../../core/judge/space-policy.ts';
import { absent, type Condition, equals } from '../../core/store/condition.ts';
import { settingKey } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { Table } from '../../core/store/table.ts';
import { wasWritten } from '../../core/store/update-if.ts';
import { parsePolicy } from './cedar.ts';
import { compilePolicy } from './compile-policy.ts';
import { policyHash } from './policy-domain.ts';

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

const withRule = (text: string, rule: string): string => (text === '' ? `${rule}\n` : `${text.trimEnd()}\n\n${rule}\n`);

interface Compiled {
  readonly policy: SpacePolicy;
  /** Its text, and the one in force. */
  readonly after: string;
  readonly before: string;
}

/** @returns the policy with this rule, or why it cannot be used */
export const compileWith = async (
  table: Pick<Table, 'load'>,
  space: string,
  rule: string,
  cedar: Cedar,
): Promise<Compiled | string> => {
  const before = parsePolicySetting(await loadItem(table, policyKey(space)))?.text ?? '';
  const after = withRule(before, rule);
  const parsed = parsePolicy(cedar, after);
  if (parsed.problems.length > 0) return parsed.problems.join('; ');
  return { policy: compilePolicy(cedar, after, parsed), before, after };
};

/**
 * Adds one rule after an approver's yes on its card. The whole text must parse and type-check, and
 * nobody may have changed it meanwhile. A repeat changes nothing. @throws ProtocolError in words
 */
export const addRule = async (
  table: Pick<Table, 'load' | 'put'>,
  space: string,
  { rule, by, at }: Pick<PolicySetting, 'by' | 'at'> & { readonly rule: string },
  cedar: Cedar,
): Promise<void> => {
  const item = await loadItem(table, policyKey(space));
  const before = parsePolicySetting(item);
  if (before?.text.includes(rule)) return;
  const text = withRule(before?.text ?? '', rule);
  const { problems } = parsePolicy(cedar, text);
  if (problems.length > 0) throw new ProtocolError(`the policy with this rule cannot be used: ${problems.join('; ')}`);
  const isAsRead = {
    name: 'the policy is as read',
    holds: before === undefined ? absent('hash') : equals('hash', before.hash),
  };
  const isSaved = await wasWritten(savePolicySetting(table, space, { text, by, at }, isAsRead));
  if (!isSaved) throw new ProtocolError('the policy was changed meanwhile; look again');
};
