/** Faults of the arguments, by the tool's own schema and form. */
import { type Action, isText } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { isMcpTool } from '../../signal/mcp-name.ts';
import { argumentProblems } from '../../tools/argument-problems.ts';
import { findTool } from '../../tools/catalogue.ts';
import { findMcpTool, NO_MCP } from '../../tools/mcp-catalogue.ts';
import type { FactSources } from '../fact-sources.ts';
import { type FormSources, formContext } from '../form-context.ts';

const problemsOf = async (action: Action, sources: FormSources): Promise<readonly string[]> => {
  const { tool: name = '', args = {} } = action;
  const { mcp = NO_MCP } = sources.state ?? {};
  const remote = isMcpTool(name) ? findMcpTool(mcp, name) : undefined;
  if (remote !== undefined) {
    // Most turns call no other server.
    const { mcpArgumentProblems } = await import('../../tools/schema-arguments.ts');
    return mcpArgumentProblems(remote.inputSchema, args);
  }
  const tool = isText(action) ? undefined : findTool(name);
  if (tool === undefined) return [];
  const form = await tool.loadForm?.();
  return form === undefined ? argumentProblems(tool, args) : form.findProblems(args, formContext(sources));
};

export const gatherArgumentProblems = async (
  action: Action,
  sources: FormSources & Pick<FactSources, 'state'>,
  { tier }: Facts,
): Promise<Pick<Facts, 'argumentProblems'>> => {
  // If nobody is asked, no file must be read for a card; once read, it would be outside text.
  const withoutCard = { ...sources, reads: { ...sources.reads, loadReadFile: undefined } };
  return { argumentProblems: [...(await problemsOf(action, tier === 'allow' ? withoutCard : sources))] };
};
