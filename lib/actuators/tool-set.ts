/**
 * Everything Act calls tools with: memory, the records that tools look up, and MCP servers. Loaded
 * with the first such call or forgetting, because most turns are answered with a text.
 */

import type { Destination } from '../jobs/job.ts';
import { buildJobPowers, type JobPowers } from '../jobs/job-powers.ts';
import { buildMemory, type MemoryStore } from '../memory/memory.ts';
import type { PerceiveMessage } from '../signal/messages.ts';
import { type AddedSkills, buildAddedSkills } from '../skills/added-skills.ts';
import type { Publish } from '../store/queue.ts';
import type { Table } from '../store/table.ts';
import {
  buildMcpServers,
  buildMcpStore,
  loadMcpSession,
  type McpServers,
  type McpStore,
} from '../tools/mcp/servers.ts';
import type { ToolRecords } from '../tools/tool.ts';
import { buildToolRecords } from './tool-records.ts';

export interface ToolSet {
  readonly memory: MemoryStore;
  readonly records: ToolRecords;
  readonly skills: AddedSkills;
  readonly jobs: JobPowers;
  readonly mcpStore: McpStore;
  readonly loadMcpSession: typeof loadMcpSession;
  /** @param tokenFor gives the token configured for exactly this server at exactly this address */
  readonly mcpServersFor: (tokenFor: (server: string, url: string) => string | undefined) => McpServers;
}

/**
 * @param publishPerceive starts a run of a job
 * @param home destination of results that nobody asked for
 */
export const buildToolSet = (
  table: Table,
  space: string,
  publishPerceive: Publish<PerceiveMessage>,
  home?: Destination,
): ToolSet => {
  const memory = buildMemory(table, space);
  const mcpStore = buildMcpStore(table, space);
  return {
    memory,
    records: buildToolRecords(table, space, memory),
    skills: buildAddedSkills(table, space, home),
    jobs: buildJobPowers(table, space, publishPerceive),
    mcpStore,
    loadMcpSession,
    mcpServersFor: (tokenFor) => buildMcpServers(mcpStore, loadMcpSession, tokenFor),
  };
};
