/**
 * Takes memory back to an earlier commit, as a new commit. Only a person's command, and always
 * asked about: the card shows `changes`. If memory moved on since `head`, nothing changes. Erases
 * nothing and touches only memory (I10, I14).
 */
import * as z from 'zod/mini';
import { parseWith } from '../base/json.ts';
import { MEMORY_PLAN_LINES_MAX, TOOL_OUTPUT_CHARS_MAX } from '../base/limits.ts';
import type { RollbackPlan } from '../memory/rollback.ts';
import { joinOrigins } from '../signal/signal.ts';
import { countWords } from '../text/quoted.ts';
import { argumentProblems } from './argument-problems.ts';
import { defineTool, type RunnableTool, type ToolForm } from './tool.ts';

const LINE_CHARS_MAX = 400;

const countsOf = ({ lines, orphans }: RollbackPlan): string => {
  const count = (what: string): number => lines.filter((line) => line.what === what).length;
  return [
    `${count('restored')} objects are back as they were`,
    `${count('brought-back')} there again`,
    `${count('removed')} gone again`,
    `${count('stays-forgotten')} stay forgotten`,
    ...(orphans.length === 0 ? [] : [`${orphans.length} stand alone now, because what they hung under was forgotten`]),
  ].join(', ');
};

const RollbackArgs = z.strictObject({
  to: z.int().check(z.nonnegative()),
  head: z.int().check(z.nonnegative()),
  changes: z.array(z.string().check(z.maxLength(LINE_CHARS_MAX))).check(z.maxLength(MEMORY_PLAN_LINES_MAX + 1)),
});

const FORM: ToolForm = {
  complete: async (given) => given,
  findProblems: async (given) => argumentProblems(rollback, given),
  describe: async (given) => {
    const { to, head, changes } = parseWith('the rollback', given, RollbackArgs);
    return [`Take memory back from its state number ${head} to number ${to}:`, ...changes];
  },
};

export const rollback: RunnableTool = defineTool({
  name: 'rollback',
  sentence: ({ to, changes }) =>
    `Take memory back to its state number ${to}, with ${countWords(changes.length, 'change')}`,
  args: RollbackArgs,
  tier: 'ask',
  isForPeople: true,
  isAlwaysAsked: true,
  kind: 'idempotent',
  changesMemory: true,
  outputOrigin: 'inputs',
  loadForm: async () => FORM,
  run: async ({ to, head }, { memory, origin, effectId, signalId, actor, now, records }) => {
    const { plan, result } = await memory.rollback({ to, expectedHead: head, by: { effectId, signalId, actor, now } });
    const done = `Memory is as it was at commit ${to}${plan === undefined ? '' : `: ${countsOf(plan)}`}.`;
    const changed = result.state === 'unchanged' ? [] : result.record.changes.map(({ id }) => id);
    const seen = await records.findSeen(changed, to);
    return {
      output: [done, ...seen].join('\n').slice(0, TOOL_OUTPUT_CHARS_MAX),
      origin: joinOrigins(['agent', origin]),
    };
  },
});
