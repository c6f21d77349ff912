/** Says whether a runbook may use a tool. Pure. */
import { sayMeant } from '../../core/base/distance.ts';
import { isMcpTool } from '../../core/signal/mcp-name.ts';
import { findTool, TOOLS } from '../../core/tools/catalogue.ts';
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
