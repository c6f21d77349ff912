/**
 * What Act calls tools with: memory, what tools may look up, MCP servers. Loaded with the first such call or forgetting, because most
 * turns are answered with a text, and kept for as long as the process lives: memory's view is what earlier calls read.
 */

import { buildMemory, type MemoryStore } from '../memory/memory.ts';
import type { Actuator } from '../signal/actuator.ts';
import type { Table } from '../store/table.ts';
import { buildMcpServers, buildMcpStore, loadMcpSession, type McpStore } from '../tools/mcp/servers.ts';
import { buildMcpActuator, type McpActuatorDeps } from './mcp.ts';
import { buildToolActuator, type ToolActuatorDeps, type ToolRecords } from './tool.ts';
import { buildToolRecords } from './tool-records.ts';

export interface Hands {
  readonly memory: MemoryStore;
  /** What tools may look up among what was said and done. */
  readonly records: ToolRecords;
  readonly mcpStore: McpStore;
}

export const buildHands = (table: Table, space: string): Hands => {
  const memory = buildMemory(table, space);
  return { memory, records: buildToolRecords(table, space, memory), mcpStore: buildMcpStore(table, space) };
};

type TokenFor = McpActuatorDeps['tokenFor'];

export const buildToolHand = (
  { memory, records, mcpStore }: Hands,
  deps: Pick<ToolActuatorDeps, 'zone' | 'privacyTags' | 'newNonce'> & { readonly tokenFor: TokenFor },
): Actuator =>
  buildToolActuator({ ...deps, memory, mcp: buildMcpServers(mcpStore, loadMcpSession, deps.tokenFor), ...records });

export const buildMcpHand = ({ records, mcpStore }: Hands, tokenFor: TokenFor): Actuator =>
  buildMcpActuator({ store: mcpStore, loadSession: loadMcpSession, tokenFor, keepOutput: records.keepOutput });
