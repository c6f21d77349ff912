/** Works out an expression in the sandbox, which touches nothing: nobody is asked. */
import * as z from 'zod/mini';
import { KIB } from '../base/limits.ts';
import { joinOrigins } from '../signal/signal.ts';
import { quoted } from '../text/quoted.ts';
import { defineTool, loadParts } from './tool.ts';

/** An expression has a few lines. */
const EXPRESSION_CHARS_MAX = 4 * KIB;

export const calculate = defineTool({
  name: 'calculate',
  description:
    'Work out a JavaScript expression or a few lines exactly; the value of the last one is the result. Dates, BigInt and regular expressions work; there is no network, file or random number.',
  sentence: ({ expression }) => `Work out ${quoted(expression)}`,
  args: z.strictObject({ expression: z.string().check(z.regex(/\S/), z.maxLength(EXPRESSION_CHARS_MAX)) }),
  tier: 'allow',
  kind: 'read',
  outputOrigin: 'inputs',
  run: async ({ expression }, { now, origin }) => {
    const { runScript, scriptOutput } = await loadParts();
    return { output: scriptOutput(await runScript(expression, now)), origin: joinOrigins(['agent', origin]) };
  },
});
