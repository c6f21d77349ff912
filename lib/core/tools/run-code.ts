/**
 * Runs a program of the model in the sandbox (`sandbox/run-script.ts`); gives its output and last
 * value. It can reach nothing, but a person is asked, and the gate `code-validity` parses it first.
 * Its object `state` is kept for the next program of the conversation, not in groups, where many
 * people ask. A fence around the code is removed.
 */
import * as z from 'zod/mini';
import { KIB } from '../base/limits.ts';
import { joinOrigins } from '../signal/signal.ts';
import { quoted } from '../text/quoted.ts';
import { defineTool, loadParts } from './tool.ts';

/** A person can still read so much before saying yes. */
const CODE_CHARS_MAX = 16 * KIB;

const FENCED = /^\s*```[\w+-]*[ \t]*\n([\s\S]*?)\n?```\s*$/;

export const runCode = defineTool({
  name: 'run-code',
  description:
    'Run JavaScript in a sandbox without network, files or clock; gives what console.log printed and the last value. The object `state` keeps its members for the next run here. The owner is asked; to calculate use calculate.',
  sentence: ({ code }) => `Run this program in the sandbox: ${quoted(code)}`,
  args: z.strictObject({
    language: z.literal('javascript'),
    code: z.string().check(z.regex(/\S/), z.maxLength(CODE_CHARS_MAX)),
  }),
  tier: 'ask',
  effects: { runsCode: true },
  kind: 'read',
  outputOrigin: 'inputs',
  run: async ({ code }, context) => {
    const { runWithState } = await loadParts();
    const { output, origin } = await runWithState(FENCED.exec(code)?.[1] ?? code, context);
    return { output, origin: joinOrigins(['agent', context.origin, origin]) };
  },
});
