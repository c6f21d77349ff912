/**
 * Runs a command on the owner's machine. The runner performs it in a sandbox, inside the folders
 * that its own allow-file names; the gates `command-class` and `confinement` judge it before.
 */
import * as z from 'zod/mini';
import { KIB, SECOND_MS } from '../base/limits.ts';
import { RUNNER_RUN_MS_MAX } from '../runner/job.ts';
import { quoted } from '../text/quoted.ts';
import { onMachine, runnerName, runnerPath } from './runner-args.ts';
import { defineRunnerTool } from './tool.ts';

/** A person reads all of it on a card. */
const COMMAND_CHARS_MAX = 8 * KIB;

export const shell = defineRunnerTool({
  name: 'shell',
  description:
    "Run a command on the owner's machine, without network unless the machine allows it. Reading inside its folders needs nobody; all else is asked about.",
  sentence: ({ cmd, folder, runner }) =>
    `Run ${quoted(cmd)}${folder === undefined ? '' : ` in ${quoted(folder)}`}${onMachine(runner)}`,
  args: z.strictObject({
    cmd: z.string().check(z.regex(/\S/), z.maxLength(COMMAND_CHARS_MAX)),
    /** Where it runs. */
    folder: z.optional(runnerPath),
    runner: z.optional(runnerName),
    /** Longest time it may run. */
    seconds: z.optional(z.int().check(z.minimum(1), z.maximum(RUNNER_RUN_MS_MAX / SECOND_MS))),
  }),
  loadForm: async () => (await import('./runner-form.ts')).RUNNER_FORMS.shell,
  tier: 'ask',
  effects: { runsCommand: 'cmd', readsFiles: ['folder'] },
  kind: 'once',
});
