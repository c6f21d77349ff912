/** Makes tools of what an MCP server says about its own. Pure. */
import { hashOf } from '../../core/base/canonical.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { JsonObject } from '../../core/base/json.ts';
import { KIB } from '../../core/base/limits.ts';
import { mcpToolName } from '../../core/signal/mcp-name.ts';
import { MCP_TOOLS_MAX, type McpTool } from '../../core/tools/mcp-catalogue.ts';
import { hasUsableSchema } from '../../core/tools/plain-schema.ts';

/** A longer description is a prompt. */
const MCP_DESCRIPTION_CHARS_MAX = 2_000;
const MCP_SCHEMA_CHARS_MAX = 8 * KIB;

/** A server's own words, unchecked. */
export interface DescribedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly annotations?: { readonly readOnlyHint?: unknown; readonly destructiveHint?: unknown } | undefined;
}

/** Undefined if it cannot be offered: its name, its size, or a schema nobody can check by. */
export const buildMcpTool = (
  server: string,
  { name: remote, description = '', inputSchema, annotations }: DescribedTool,
): McpTool | undefined => {
  const name = mcpToolName(server, remote);
  const schema = JsonObject.safeParse(inputSchema);
  if (name === undefined || !schema.success || !remote.isWellFormed() || !description.isWellFormed()) return undefined;
  if (description.length > MCP_DESCRIPTION_CHARS_MAX || !hasUsableSchema(schema.data)) return undefined;
  if (JSON.stringify(schema.data).length > MCP_SCHEMA_CHARS_MAX) return undefined;
  try {
    const hash = hashOf('mcp-tool', { remote, description, inputSchema: schema.data });
    // One that also says it destroys contradicts itself.
    const isRead = annotations?.readOnlyHint === true && annotations.destructiveHint !== true;
    return { remote, name, description, inputSchema: schema.data, hash, ...(isRead ? { declaresRead: true } : {}) };
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
};

/** The first usable ones. Of two with one name, neither. */
export const buildMcpTools = (server: string, described: readonly DescribedTool[]): readonly McpTool[] => {
  const tools = described.map((one) => buildMcpTool(server, one)).filter((tool) => tool !== undefined);
  return tools.filter(({ name }) => tools.filter((other) => other.name === name).length === 1).slice(0, MCP_TOOLS_MAX);
};
