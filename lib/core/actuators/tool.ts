/** Calls a tool. `idempotent`: its effect id decides what it writes; a repeat changes nothing. */
import { defined } from '../base/defined.ts';
import { isRetryable, PassepartoutError, PassingError } from '../base/errors.ts';
import type { Actuator, ActuatorResult } from '../signal/actuator.ts';
import { joinOrigins, type Origin } from '../signal/signal.ts';
import { argumentProblems } from '../tools/argument-problems.ts';
import { findTool } from '../tools/catalogue.ts';
import { shortenOutput } from '../tools/shorten-output.ts';
import type { RunnableTool, ToolSurroundings } from '../tools/tool.ts';

const failed = (reason: string): ActuatorResult => ({ state: 'failed', reason });

export const buildToolActuator = (surroundings: ToolSurroundings): Actuator => ({
  kind: 'idempotent',
  deliver: async (action, context) => {
    const tool = findTool(action.tool ?? '');
    if (action.target !== 'tool' || tool === undefined || tool.target !== 'tool' || tool.run === undefined)
      return failed('there is no such tool');
    const args = action.args ?? {};
    const problems = argumentProblems(tool, args);
    if (problems.length > 0) return failed(`the arguments do not fit the tool: ${problems.join('; ')}`);
    let costUsd: number | undefined;
    const noteCost = (usd: number) => {
      costUsd = usd;
    };
    try {
      const result = await tool.run(args, { ...surroundings, ...context, noteCost });
      const whole = { text: result.output, origin: originOf(tool, result.origin, context.origin), at: context.now };
      return {
        state: 'done',
        output: await shortenOutput(surroundings.records.keepOutput, context.effectId, whole),
        origin: whole.origin,
        ...defined({ costUsd, because: result.because }),
      };
    } catch (error) {
      return { ...classifyToolError(error, tool), ...defined({ costUsd }) };
    }
  },
});

/** A tool's output may be of a worse origin than the tool declares, never of a better one (I13). */
const originOf = (tool: RunnableTool, reported: Origin, inputs: Origin): Origin => {
  switch (tool.outputOrigin) {
    case 'clean':
    case 'objects':
      return reported;
    case 'inputs':
      return joinOrigins([reported, inputs]);
    case 'outside':
      return 'outside';
    default: {
      const never: never = tool.outputOrigin;
      return never;
    }
  }
};

/** @throws the error itself if it is none of ours */
const classifyToolError = (error: unknown, tool: RunnableTool): ActuatorResult => {
  if (!(error instanceof PassepartoutError)) throw error;
  if (error instanceof PassingError) return { state: 'failed', reason: error.message, because: { code: 'later' } };
  if (!isRetryable(error)) return failed(error.message);
  const reason = error.message;
  return tool.kind === 'once'
    ? { state: 'unknown', reason }
    : { state: 'retry', reason, isInDoubt: tool.kind === 'idempotent' };
};
