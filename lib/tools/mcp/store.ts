/** The record of a space's MCP servers: read whole, changed by one conditional write. Act alone writes it. */

import { ConditionError, ProtocolError, RetryLaterError } from '../../base/errors.ts';
import { KIB, RETRY_BACKOFF_MS } from '../../base/limits.ts';
import { equals, IS_NEW } from '../../store/condition.ts';
import { mcpKey } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Table } from '../../store/table.ts';
import { type McpCatalogue, type McpServer, parseMcpCatalogue } from './catalogue.ts';

/** The record of them all: one item of the table. */
const MCP_CATALOGUE_CHARS_MAX = 96 * KIB;
/** Tries of a change of that record which meets another. */
const MCP_CHANGE_TRIES_MAX = 5;

export interface McpStore {
  readonly load: () => Promise<McpCatalogue>;
  /** @throws ProtocolError where the record would grow too large; RetryLaterError where others keep changing it. */
  readonly change: (make: (servers: readonly McpServer[]) => readonly McpServer[]) => Promise<void>;
}

export const buildMcpStore = (table: Pick<Table, 'load' | 'put'>, space: string): McpStore => {
  const load = async (): Promise<McpCatalogue> => {
    const item = await loadItem(table, mcpKey(space));
    return parseMcpCatalogue(item);
  };
  const save = async ({ round }: McpCatalogue, servers: readonly McpServer[]): Promise<boolean> => {
    const text = JSON.stringify(servers);
    if (text.length > MCP_CATALOGUE_CHARS_MAX)
      throw new ProtocolError('there is no room for so many tools of MCP servers');
    const isSame = { name: 'catalogue is as it was read', holds: equals('round', round) };
    try {
      const item = { schemaVersion: 1, round: round + 1, servers: text };
      await table.put(mcpKey(space), item, round === 0 ? IS_NEW : isSame);
      return true;
    } catch (error) {
      if (error instanceof ConditionError) return false;
      throw error;
    }
  };
  return {
    load,
    change: async (make) => {
      for (let tries = 0; tries < MCP_CHANGE_TRIES_MAX; tries += 1) {
        const current = await load();
        if (await save(current, make(current.servers))) return;
      }
      throw new RetryLaterError('the MCP servers are being changed by others', RETRY_BACKOFF_MS[0]);
    },
  };
};
