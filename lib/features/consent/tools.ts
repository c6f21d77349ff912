/**
 * The commands `/mcp login|logout`. They decide whose rights the calls of an MCP server have, so
 * only people use them, and an approver approves each on its card (I14).
 */
import * as z from 'zod/mini';
import { MCP_SERVER_NAME } from '../../core/signal/mcp-name.ts';
import { quoted } from '../../core/text/quoted.ts';
import { defineTool, powerOf } from '../../core/tools/tool.ts';

export interface LoginArgs {
  readonly server: string;
  readonly url: string;
  readonly redirect?: string | undefined;
  readonly answer?: string | undefined;
}

declare module '../../core/tools/tool.ts' {
  interface ToolPowers {
    readonly logins?: (tool: string, args: LoginArgs, by: string) => Promise<ToolOutput>;
  }
}

const server = z.string().check(z.regex(MCP_SERVER_NAME));
const text = z.string().check(z.maxLength(12_000));

const PEOPLES = {
  tier: 'ask',
  isForPeople: true,
  isAlwaysAsked: true,
  kind: 'idempotent',
  outputOrigin: 'outside',
  effects: { connectsTo: 'url', changesAuthority: true },
} as const;

export const logInMcpServer = defineTool({
  name: 'log-in-mcp-server',
  sentence: ({ server: name, url, redirect }) =>
    redirect === undefined
      ? `Log in at the server ${name} at ${quoted(url)}, as agreed in the browser`
      : `Begin to log in at the server ${name} at ${quoted(url)}: ask who vouches there, for a browser at ${quoted(redirect)}`,
  args: z.strictObject({ server, url: text, redirect: z.optional(text), answer: z.optional(text) }),
  ...PEOPLES,
  run: (args, { powers, approvedBy, actor }) => powerOf(powers, 'logins')('log-in', args, approvedBy ?? actor),
});

export const logOutMcpServer = defineTool({
  name: 'log-out-mcp-server',
  sentence: ({ server: name, url }) => `Log out of the server ${name} at ${quoted(url)}, and erase its tokens`,
  args: z.strictObject({ server, url: text }),
  ...PEOPLES,
  run: (args, { powers, approvedBy, actor }) => powerOf(powers, 'logins')('log-out', args, approvedBy ?? actor),
});

export const LOGIN_TOOLS = [logInMcpServer, logOutMcpServer] as const;
