/** Everything Act calls tools with, loaded with the first call: most turns need none. */

import { parseApproval, settleApproval } from '../approvals/approval.ts';
import { PENDING_APPROVALS_MAX } from '../base/limits.ts';
import { importCedar } from '../judge/code/cedar-engine.ts';
import { buildPlanPowers } from '../judge/plan-grants.ts';
import { buildChatPowers } from '../ledger/chat-powers.ts';
import { buildSettingPowers } from '../ledger/chat-rights.ts';
import { buildMemory, type MemoryStore } from '../memory/memory.ts';
import type { ActFeature, PowerContext } from '../operations/act-feature.ts';
import { chatOfSession } from '../signal/channels.ts';
import { homeOf } from '../signal/home.ts';
import type { PerceiveMessage } from '../signal/messages.ts';
import { buildContents, type Contents } from '../store/contents.ts';
import { indexPartitions } from '../store/keys.ts';
import { loadIndexed } from '../store/load-named.ts';
import type { Publish } from '../store/queue.ts';
import type { Environment } from '../store/settings.ts';
import type { Table } from '../store/table.ts';
import type { ToolPowers, ToolRecords } from '../tools/tool.ts';
import type { Webhooks } from '../tools/webhooks.ts';
import { buildToolRecords } from './tool-records.ts';

/**
 * Ends the open approvals of a chat that is removed: those whose card it shows, and those asked for
 * in its conversation. The next sweep tells everybody else. A repeat ends what is still open.
 */
const endApprovalsOf = async (
  table: Pick<Table, 'load' | 'queryIndex' | 'update'>,
  space: string,
  chat: string,
  by: string,
  now: number,
): Promise<void> => {
  const partition = indexPartitions.pendingApprovals(space);
  const { items } = await loadIndexed(table, { index: 'unfinished', partition, limit: PENDING_APPROVALS_MAX });
  for (const item of items) {
    const approval = parseApproval('of the chat', item);
    if (approval.cardChat !== chat && chatOfSession(approval.session) !== chat) continue;
    await settleApproval(table, approval, { state: 'expired', by, endedBecause: 'policy' }, now);
  }
};

/** The powers of the core, and those that each feature adds. */
const featurePowers = (context: PowerContext, core: ToolPowers, features: readonly ActFeature[]): ToolPowers => {
  let powers = core;
  for (const { buildPowers } of features) powers = { ...powers, ...buildPowers?.(context, powers) };
  return powers;
};

export interface ToolSet {
  readonly features: readonly ActFeature[];
  readonly memory: MemoryStore;
  readonly records: ToolRecords;
  readonly contents: Contents | undefined;
  /** All but those that need a secret, a queue or a channel. */
  readonly powers: ToolPowers;
}

/**
 * @param env the rights in channels are as the environment has them
 * @param set the settings in force
 * @param publishPerceive starts a run of a job or a runbook
 */
export const buildToolSet = (
  table: Table,
  publishPerceive: Publish<PerceiveMessage>,
  env: Environment<'act'>,
  { HOME_CHAT, DEFAULT_ACTUATOR, PRIVACY_FILTER_TAGS: privacyTags, TIME_ZONE: zone }: Environment<'act'>,
  webhooks: Webhooks,
  features: readonly ActFeature[],
): ToolSet => {
  const space = env.SPACE;
  const memory = buildMemory(table, space);
  const contents = buildContents(env);
  const home = homeOf(HOME_CHAT, DEFAULT_ACTUATOR);
  const chats = buildChatPowers(table, space, (...given) => endApprovalsOf(table, space, ...given));
  const core: ToolPowers = {
    plans: buildPlanPowers(table, space, webhooks),
    chats,
    settings: buildSettingPowers(table, space, chats, env),
  };
  return {
    features,
    memory,
    contents,
    records: buildToolRecords(table, space, memory),
    powers: featurePowers(
      { table, space, memory, contents, privacyTags, zone, home, webhooks, publishPerceive, loadCedar: importCedar },
      core,
      features,
    ),
  };
};
