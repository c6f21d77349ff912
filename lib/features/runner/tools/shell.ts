/**
 * Runs a command on the owner's machine. The runner performs it in a sandbox, inside the folders
 * that its own allow-file names; the gates `command-class` and `confinement` judge it before.
 */

import * as z from 'zod/mini';
import type { JsonObject } from '../../../core/base/json.ts';
import { KIB, SECOND_MS } from '../../../core/base/limits.ts';
import { SKILL_FOLDER } from '../../../core/signal/runner-tools.ts';
import { quoted } from '../../../core/text/quoted.ts';
import { defineRunnerTool } from '../../../core/tools/tool.ts';
import { SkillName } from '../../skills/skill-change.ts';
import type { ShownScript } from '../command-problem.ts';
import { RUNNER_RUN_MS_MAX } from '../order.ts';
import { OrderFiles } from '../skill-folder.ts';
import { loadMachineParts, onMachine, runnerName, runnerPath } from './runner-args.ts';

/** A person reads all of it on a card. */
const COMMAND_CHARS_MAX = 8 * KIB;
/** Scripts of one command: a card shows the beginning of each. */
export const SCRIPTS_MAX = 4;
/** Names of files that nobody read: enough for a person to know that the call is open. */
export const UNREAD_MAX = 8;
/** First lines of a script, or those that a launcher would run, on its card. */
export const SCRIPT_BEGINS_CHARS = 600;

const given = {
  cmd: z.string().check(z.regex(/\S/), z.maxLength(COMMAND_CHARS_MAX)),
  /** The folder that it runs in. */
  folder: z.optional(runnerPath),
  runner: z.optional(runnerName),
  /** An added skill whose files the command finds in `SKILL_FOLDER`. */
  skill: z.optional(SkillName),
  /** Longest time it may run. */
  seconds: z.optional(z.int().check(z.minimum(1), z.maximum(RUNNER_RUN_MS_MAX / SECOND_MS))),
};

/** Code fills them in from what was read: the machine runs these bytes or nothing. */
const scripts = z
  .array(
    z.strictObject({
      path: runnerPath,
      sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
      begins: z.string().check(z.maxLength(SCRIPT_BEGINS_CHARS)),
    }),
  )
  .check(z.maxLength(SCRIPTS_MAX));
/** Files that say what it runs, of which its card shows nothing. Code fills them in. */
const unread = z.array(runnerPath).check(z.maxLength(UNREAD_MAX));

/** The scripts of a call; none if they have another form. */
export const shownScripts = (args: JsonObject): readonly ShownScript[] => {
  const parsed = scripts.safeParse(args.scripts ?? []);
  return parsed.success ? parsed.data : [];
};

/** The files that run whatever they say by then; all of them if the list has another form. */
export const unreadFiles = (args: JsonObject): readonly string[] => {
  const parsed = unread.safeParse(args.unread ?? []);
  return parsed.success ? parsed.data : ['its files'];
};

export const shell = defineRunnerTool({
  name: 'shell',
  description: `Run a command on the owner's machine, without network unless the machine allows it. Reading inside its folders needs nobody; all else is asked about. Before you run a script, npm, make or the like, read the script, package.json or Makefile with read-file. skill: an added skill, whose files the command then finds, read-only, in ${SKILL_FOLDER}; its scripts need no read-file.`,
  sentence: ({ cmd, folder, skill, runner }) =>
    `Run ${quoted(cmd)}${folder === undefined ? '' : ` in ${quoted(folder)}`}${skill === undefined ? '' : ` with the files of the skill ${skill}`}${onMachine(runner)}`,
  draft: z.strictObject(given),
  args: z.strictObject({
    ...given,
    files: z.optional(OrderFiles),
    scripts: z.optional(scripts),
    unread: z.optional(unread),
  }),
  loadForm: async () => (await loadMachineParts()).RUNNER_FORMS.shell,
  tier: 'ask',
  effects: { runsCommand: 'cmd', readsFiles: ['folder'] },
  kind: 'once',
});
