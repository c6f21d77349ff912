/** Which tools a runbook may use: those the model may call, and tools of MCP servers. Pure. */
import type { Runbook } from '../runbooks/runbook.ts';
import { isMcpTool } from '../signal/mcp-name.ts';
import { findTool } from './catalogue.ts';

/** Tools in its list that no step can call, each in a sentence. */
export const runbookToolProblems = ({ tools }: Pick<Runbook, 'tools'>): readonly string[] =>
  tools.flatMap((name) => {
    const tool = findTool(name);
    if (isMcpTool(name)) return [];
    if (tool === undefined) return [`there is no tool ${name}`];
    return tool.isForPeople === true || tool.onlyFor !== undefined ? [`a runbook cannot use the tool ${name}`] : [];
  });
