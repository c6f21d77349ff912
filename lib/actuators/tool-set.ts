/** Everything Act calls tools with, loaded with the first call: most turns need none. */

import { parseApproval, settleApproval } from '../approvals/approval.ts';
import { PENDING_APPROVALS_MAX } from '../base/limits.ts';
import { homeOf } from '../jobs/home.ts';
import { buildJobPowers } from '../jobs/job-powers.ts';
import { buildPlanPowers } from '../judge/plan-grants.ts';
import { importCedar } from '../judge/policy/space-policy.ts';
import { buildChatPowers } from '../ledger/paired-chats.ts';
import { buildSettingPowers } from '../ledger/telegram-rights.ts';
import { buildMemory, type MemoryStore } from '../memory/memory.ts';
import type { ActFeature, PowerContext } from '../operations/act-feature.ts';
import { buildRunbookPowers } from '../runbooks/run-powers.ts';
import { chatOfSession } from '../signal/channels.ts';
import type { PerceiveMessage } from '../signal/messages.ts';
import { buildAddedSkills } from '../skills/added-skills.ts';
import { buildRunbookSource } from '../skills/find-runbook.ts';
import { buildContents, type Contents } from '../store/contents.ts';
import { indexPartitions } from '../store/keys.ts';
import { loadIndexed } from '../store/load-named.ts';
import type { Publish } from '../store/queue.ts';
import type { Environment } from '../store/settings.ts';
import type { Table } from '../store/table.ts';
import {
  buildMcpServers,
  buildMcpStore,
  loadMcpSession,
  type McpServers,
  type McpSession,
  type McpStore,
} from '../tools/mcp/servers.ts';
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
  readonly memory: MemoryStore;
  readonly records: ToolRecords;
  readonly contents: Contents | undefined;
  /** All but those that need the token of a server or a key of Act. */
  readonly powers: Omit<ToolPowers, 'mcp' | 'attachments'>;
  readonly mcpStore: McpStore;
  readonly loadMcpSession: typeof loadMcpSession;
  /** @param tokenFor gives the token configured for exactly this server at exactly this address */
  readonly mcpServersFor: (
    tokenFor: (server: string, url: string) => string | undefined,
    loadSession: () => Promise<McpSession>,
  ) => McpServers;
}

/**
 * @param env the rights of Telegram are as the environment has them
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
  const mcpStore = buildMcpStore(table, space);
  const skills = buildAddedSkills(table, space, homeOf(HOME_CHAT, DEFAULT_ACTUATOR), contents);
  const chats = buildChatPowers(table, space, (...given) => endApprovalsOf(table, space, ...given));
  const core: ToolPowers = {
    skills,
    plans: buildPlanPowers(table, space, webhooks),
    jobs: buildJobPowers(table, space, publishPerceive),
    runbooks: buildRunbookPowers(table, space, publishPerceive, buildRunbookSource(table, space)),
    chats,
    settings: buildSettingPowers(table, space, chats, env),
  };
  return {
    memory,
    contents,
    records: buildToolRecords(table, space, memory, contents),
    powers: featurePowers({ table, space, privacyTags, zone, webhooks, loadCedar: importCedar }, core, features),
    mcpStore,
    loadMcpSession,
    mcpServersFor: (tokenFor, loadSession) => buildMcpServers(mcpStore, loadSession, tokenFor),
  };
};
