/** Servers in the answers of other verbs: those that do not answer. */
import type { FeatureViews } from '../../core/operations/feature-views.ts';
import { mcpKey } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { findMcpProblems } from '../../core/tools/mcp-catalogue.ts';

export const MCP_VIEWS: FeatureViews = {
  findProblems: async ({ table, space }) => {
    const item = await loadItem(table, mcpKey(space));
    return item === undefined ? [] : findMcpProblems(item);
  },
};
