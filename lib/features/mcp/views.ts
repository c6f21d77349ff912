/** Servers of tools among the faults of the stack. */
import { finding } from '../../core/language/finding.ts';
import type { FeatureViews } from '../../core/operations/feature-views.ts';
import { mcpKey } from '../../core/store/keys.ts';
import { isUnchanged, readMcpCatalogue } from '../../core/tools/mcp-catalogue.ts';

export const MCP_VIEWS: FeatureViews = {
  noted: {
    key: mcpKey,
    /** Servers that changed tools which an approver had accepted. */
    find: (item) =>
      readMcpCatalogue(item).servers.flatMap((server) => {
        const off = server.accepted.filter((tool) => !isUnchanged(server, tool)).length;
        return off === 0 ? [] : [finding('mcp', server.name, off)];
      }),
  },
};
