/** A tool of another server that was let pass by name, and that still declares to read only. */
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { isMcpTool } from '../../signal/mcp-name.ts';
import { findMcpTool, NO_MCP } from '../../tools/mcp-catalogue.ts';
import type { FactSources } from '../fact-sources.ts';

export const gatherPassingRead = (
  { tool = '', args = {}, author }: Action,
  { turn: { areOwnWords } = {}, state: { mcp = NO_MCP } }: Pick<FactSources, 'turn' | 'state'>,
): Pick<Facts, 'passingRead'> => {
  if (areOwnWords === undefined || author !== 'model' || !isMcpTool(tool)) return {};
  const found = findMcpTool(mcp, tool);
  return found?.passes && found.declaresRead
    ? { passingRead: { isOwnWords: areOwnWords(args, found.inputSchema) } }
    : {};
};
