/** Brings in the MCP client when a server is first worked with: beside this file as source, beside the bundle as a file. */
export type McpSession = Pick<typeof import('./session.ts'), 'listServerTools' | 'callServerTool'>;

const URL_OF_PART = new URL(import.meta.url.endsWith('.ts') ? './session.ts' : './mcp-session.mjs', import.meta.url);

const isSession = (part: unknown): part is McpSession =>
  typeof part === 'object' && part !== null && 'listServerTools' in part && 'callServerTool' in part;

/** @throws when the file is not there. */
export const loadMcpSession = async (): Promise<McpSession> => {
  const part: unknown = await import(URL_OF_PART.href);
  if (!isSession(part)) throw new Error('the MCP client is not what it should be');
  return part;
};
