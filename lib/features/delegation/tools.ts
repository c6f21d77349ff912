/** The tool `delegate`: a helper works on a part of a turn, and its answer comes back. */
import * as z from 'zod/mini';
import { ProtocolError } from '../../core/base/errors.ts';
import { showUsd } from '../../core/base/money.ts';
import { DELEGATE } from '../../core/signal/job-run.ts';
import { quoted } from '../../core/text/quoted.ts';
import { defineTool, loadFeatureParts, powerOf, type ToolContext } from '../../core/tools/tool.ts';
import { TaskArgs } from './task-args.ts';

export interface DelegationPowers {
  /** Begins a helper, once for each effect. @returns its signal. @throws ProtocolError */
  readonly begin: (
    args: TaskArgs,
    asked: Pick<ToolContext, 'signalId' | 'effectId' | 'origin' | 'now'>,
  ) => Promise<string>;
}

declare module '../../core/tools/tool.ts' {
  interface ToolPowers {
    readonly delegation?: DelegationPowers;
  }
}

/** As the model is shown it: every prompt pays for this schema. */
const ShownTask = z.looseObject({
  words: z.string(),
  tools: z.optional(z.array(z.string())),
  capUsd: z.optional(z.string()),
  depth: z.optional(z.int()),
});

export const delegate = defineTool({
  name: DELEGATE,
  description: [
    'Let a helper work on a part; its answer comes back later as the result of this call.',
    'words: all it must know. tools: those of yours that it may use, ["recall"].',
    'capUsd "0.10"; depth 2 if it may delegate itself.',
  ].join(' '),
  sentence: ({ words, tools, capUsd }) =>
    `Let a helper work on ${quoted(words)} with ${tools.join(', ')}, for ${showUsd(capUsd)} at most`,
  draft: ShownTask,
  args: TaskArgs,
  tier: 'allow',
  kind: 'idempotent',
  outputOrigin: 'inputs',
  loadForm: async () => (await loadFeatureParts()).DELEGATE_FORM,
  run: async (args, context) => {
    const id = await powerOf(context.powers, 'delegation')
      .begin(args, context)
      .catch((error: unknown) => {
        // Nobody works, so nothing is paid for.
        if (error instanceof ProtocolError) context.noteCost?.(0);
        throw error;
      });
    return { output: `A helper works on it (${id}); its answer follows.`, origin: 'agent' };
  },
});

export const DELEGATION_TOOLS = [delegate] as const;
