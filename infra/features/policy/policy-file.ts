/** The owner's policy as a file of this machine. */
import { importCedar } from '../../../lib/core/judge/code/cedar-engine.ts';
import type { SpacePolicy } from '../../../lib/core/judge/space-policy.ts';
import { NO_MCP } from '../../../lib/core/tools/mcp-catalogue.ts';
import { parsePolicy } from '../../../lib/features/policy/cedar.ts';
import { compilePolicy } from '../../../lib/features/policy/compile-policy.ts';
import { findUndeclared, type ShownTargets, showTargets } from '../../../lib/features/policy/find-undeclared.ts';
import type { CommandContext } from '../../cli/command.ts';
import { webhooksHere } from '../../cli/commands/gates.ts';
import { CliError, EXIT, printable, readText } from '../../cli/terminal.ts';

export const targetsHere = (context: CommandContext): ShownTargets => showTargets(webhooksHere(context), NO_MCP);

/**
 * @param targets must declare the facts it asks for
 * @throws CliError (exit 2) if the file cannot be read or used
 */
export const compilePolicyFile = async (
  context: CommandContext,
  file: string,
  targets: ShownTargets,
): Promise<SpacePolicy> => {
  const text = readText(context.folder, file);
  const cedar = await importCedar();
  const parsed = parsePolicy(cedar, text);
  const problems = parsed.problems.length > 0 ? parsed.problems : findUndeclared(cedar, parsed.rules, targets);
  if (problems.length > 0)
    throw new CliError(EXIT.usage, `the policy is not usable: ${printable(problems.join('; '))}`);
  return compilePolicy(cedar, text, parsed);
};
