/** The targets that the owner declares. Apart from `vouched.ts`, which only a policy loads. */
import { findMcpTool, type McpCatalogue, NO_MCP } from '../../tools/mcp-catalogue.ts';
import type { Targets } from './vouched.ts';

/** As their owner declares them. */
export const targetsOf = (webhookCalls: Targets['webhookCalls'], mcp: McpCatalogue = NO_MCP): Targets => ({
  webhookCalls,
  findTool: (tool) => findMcpTool(mcp, tool),
});
