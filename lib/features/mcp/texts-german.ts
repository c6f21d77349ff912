/** The texts of MCP in German. */
import type { McpTexts } from './texts.ts';

export const DE: McpTexts = {
  noServer: (server) => `einen MCP-Server ${server} gibt es nicht; /mcp list nennt alle`,
};
