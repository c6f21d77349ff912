/** The fields of calls that their owner declares: who receives, how much, in which currency. */
import type { Action } from '../signal/action.ts';
import { isMcpTool } from '../signal/mcp-name.ts';
import type { DeclaredFacts } from '../store/declared-facts.ts';
import { findMcpTool, type McpCatalogue, NO_MCP } from '../tools/mcp-catalogue.ts';

export interface Declared extends DeclaredFacts {
  /** Fields that its address is made of: then it tells no calls apart. */
  readonly parts?: readonly string[] | undefined;
}

export interface DeclaredTool extends Declared {
  /** The server's own name for it. */
  readonly remote: string;
}

/** The owner's declarations of webhooks, by name, and of MCP tools. */
export interface Targets {
  readonly webhookCalls?: Readonly<Record<string, Declared>> | undefined;
  /** @param tool its whole name */
  readonly findTool?: (tool: string) => DeclaredTool | undefined;
}

export const NO_TARGETS: Targets = {};

export const findDeclared = ({ tool = '', to = '' }: Action, { webhookCalls = {}, findTool }: Targets): Declared =>
  (isMcpTool(tool) ? findTool?.(tool) : Object.hasOwn(webhookCalls, to) ? webhookCalls[to] : undefined) ?? {};

/** As their owner declares them. */
export const targetsOf = (webhookCalls: Targets['webhookCalls'], mcp: McpCatalogue = NO_MCP): Targets => ({
  webhookCalls,
  findTool: (tool) => findMcpTool(mcp, tool),
});
