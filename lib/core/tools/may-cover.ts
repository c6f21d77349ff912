/** Says whether one card for several calls may answer for a tool. Pure. */
import { isMcpTool } from '../signal/mcp-name.ts';
import { findTool } from './catalogue.ts';

/** Whether one card may answer for a tool; `isOpen`: it is not known yet with which arguments. */
export type MayCover = (tool: string, isOpen: boolean) => boolean;

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
