/** Names of MCP tools: `mcp-<server>-<tool>`, `mcp-<server>` as a target. Servers: one word. */
import { ToolName } from './action.ts';

const PREFIX = /^mcp-[a-z][a-z0-9]{0,15}(?=-)/;

/** One lower-case word of at most 16 letters and digits. */
export const MCP_SERVER_NAME = /^[a-z][a-z0-9]{0,15}$/;

/** Characters of the fields that are named with `/mcp accept`: three of each tool. */
export const MCP_FACTS_CHARS_MAX = 4_000;

/** Target of a call, `mcp-<server>`; undefined for any other tool. */
export const mcpTargetOf = (tool: string | undefined): string | undefined => PREFIX.exec(tool ?? '')?.[0];

export const isMcpTool = (tool: string | undefined): boolean => mcpTargetOf(tool) !== undefined;

/** `github`, `get_Issue` → `mcp-github-get-issue`; undefined if no usable name results. */
export const mcpToolName = (server: string, remote: string): string | undefined => {
  const words = remote
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const name = ToolName.safeParse(`mcp-${server}-${words}`);
  return words !== '' && name.success ? name.data : undefined;
};
