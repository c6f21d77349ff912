/**
 * Says whether a runbook may use a tool, and whether a yes to the whole of it covers the tool.
 * Pure.
 */
import { sayMeant } from '../../base/distance.ts';
import { isMcpTool } from '../../signal/mcp-name.ts';
import { findTool, TOOLS } from '../../tools/catalogue.ts';
import type { MayCover } from './run-grants.ts';
import type { Runbook } from './runbook.ts';

/** Tools in its list that no step can call, each in a sentence. */
export const runbookToolProblems = ({ tools }: Pick<Runbook, 'tools'>): readonly string[] =>
  tools.flatMap((name) => {
    const tool = findTool(name);
    if (isMcpTool(name)) return [];
    if (tool === undefined)
      return [
        `there is no tool ${name}${sayMeant(
          name,
          TOOLS.map((one) => one.name),
        )}`,
      ];
    return tool.isForPeople === true || tool.onlyFor !== undefined ? [`a runbook cannot use the tool ${name}`] : [];
  });

/**
 * One card never answers for a tool that is asked about each time, for data that is destroyed, or
 * for an address, a file or a command that is not known yet.
 */
export const mayCover: MayCover = (name, isOpen) => {
  if (isMcpTool(name)) return true;
  const tool = findTool(name);
  const { destroys, changesAuthority, leavesSpace: _leaves, ...named } = tool?.effects ?? {};
  if (tool === undefined || tool.isAlwaysAsked === true || destroys || changesAuthority) return false;
  return !isOpen || Object.keys(named).length === 0;
};
