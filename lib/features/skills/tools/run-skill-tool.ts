/**
 * Checks arguments by the schema that a skill declares, and runs its function on them. Loaded with
 * the first such call. @throws ProtocolError in fixed words, with names of the schema's fields
 */
import { ProtocolError } from '../../../core/base/errors.ts';
import type { JsonObject } from '../../../core/base/json.ts';
import { loadSandbox } from '../../../core/sandbox/sandbox.ts';
import { mcpArgumentProblems } from '../../../core/tools/schema-arguments.ts';
import type { FoundTool } from '../added-skills.ts';
import { runFunction } from '../functions.ts';

export const runSkillTool = async ({ skill, tool, code }: FoundTool, args: JsonObject): Promise<string> => {
  const problems = mcpArgumentProblems(tool.args ?? {}, args);
  if (problems.length > 0) throw new ProtocolError(`the arguments do not fit ${tool.name}: ${problems.join('; ')}`);
  const outcome = runFunction(await loadSandbox(), skill.name, tool, code, args);
  if ('problem' in outcome) throw new ProtocolError(outcome.problem);
  return typeof outcome.value === 'string' ? outcome.value : JSON.stringify(outcome.value);
};
