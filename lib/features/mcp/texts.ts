/** The texts of MCP. */
import { textTable } from '../../core/base/language.ts';

const EN = {
  noServer: (server: string) => `there is no MCP server ${server}; /mcp list names them`,
};
export type McpTexts = typeof EN;

export const mcpTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
