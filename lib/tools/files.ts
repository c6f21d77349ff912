/**
 * Files on the owner's machine, by a runner: read, write, edit, list and search. Each path must lie
 * in a folder that the machine's own allow-file names, in the cloud by the gate `confinement`, and
 * on the machine again with symbolic links resolved.
 */
import * as z from 'zod/mini';
import { KIB } from '../base/limits.ts';
import { quoted } from '../text/quoted.ts';
import { onMachine, runnerName, runnerPath } from './runner-args.ts';
import { defineRunnerTool } from './tool.ts';

/** With its explanation and escapes it still fits an action. */
const CONTENT_CHARS_MAX = 32 * KIB;
/** A piece that stands in a file once. */
const PIECE_CHARS_MAX = 16 * KIB;
/** More than the output of one call shows. */
const READ_LINES_MAX = 5_000;
const PATTERN_CHARS_MAX = 1_000;

const piece = z.string().check(z.maxLength(PIECE_CHARS_MAX));

export const readFile = defineRunnerTool({
  name: 'read-file',
  description: "Read a text file on the owner's machine; from: its first line to show, from 1; lines: how many.",
  sentence: ({ path, runner }) => `Read the file ${quoted(path)}${onMachine(runner)}`,
  args: z.strictObject({
    path: runnerPath,
    runner: z.optional(runnerName),
    from: z.optional(z.int().check(z.positive())),
    lines: z.optional(z.int().check(z.minimum(1), z.maximum(READ_LINES_MAX))),
  }),
  loadForm: async () => (await import('./runner-form.ts')).RUNNER_FORMS['read-file'],
  tier: 'allow',
  effects: { readsFiles: ['path'] },
  kind: 'read',
});

export const writeFile = defineRunnerTool({
  name: 'write-file',
  description: "Write a whole text file on the owner's machine. The machine keeps the version before.",
  sentence: ({ path, content, runner }) => `Write the file ${quoted(path)}${onMachine(runner)}: ${quoted(content)}`,
  args: z.strictObject({
    path: runnerPath,
    content: z.string().check(z.maxLength(CONTENT_CHARS_MAX)),
    runner: z.optional(runnerName),
  }),
  loadForm: async () => (await import('./runner-form.ts')).RUNNER_FORMS['write-file'],
  tier: 'ask',
  effects: { writesFiles: ['path'] },
  kind: 'idempotent',
});

export const editFile = defineRunnerTool({
  name: 'edit-file',
  description:
    "Replace one piece of a text file on the owner's machine: find must stand in it exactly once, as it is there.",
  sentence: ({ path, find, replace, runner }) =>
    `In the file ${quoted(path)}${onMachine(runner)} write ${quoted(replace)} in place of ${quoted(find)}`,
  args: z.strictObject({
    path: runnerPath,
    find: piece.check(z.minLength(1)),
    replace: piece,
    runner: z.optional(runnerName),
  }),
  loadForm: async () => (await import('./runner-form.ts')).RUNNER_FORMS['edit-file'],
  tier: 'ask',
  effects: { readsFiles: ['path'], writesFiles: ['path'] },
  kind: 'once',
});

export const listFiles = defineRunnerTool({
  name: 'list-files',
  description: "List a folder on the owner's machine.",
  sentence: ({ path, runner }) => `List the folder ${quoted(path)}${onMachine(runner)}`,
  args: z.strictObject({ path: runnerPath, runner: z.optional(runnerName) }),
  loadForm: async () => (await import('./runner-form.ts')).RUNNER_FORMS['list-files'],
  tier: 'allow',
  effects: { readsFiles: ['path'] },
  kind: 'read',
});

export const searchFiles = defineRunnerTool({
  name: 'search-files',
  description: "Find the lines that match a regular expression in the files below a folder on the owner's machine.",
  sentence: ({ pattern, path, runner }) => `Search for ${quoted(pattern)} below ${quoted(path)}${onMachine(runner)}`,
  args: z.strictObject({
    pattern: z.string().check(z.minLength(1), z.maxLength(PATTERN_CHARS_MAX)),
    path: runnerPath,
    runner: z.optional(runnerName),
  }),
  loadForm: async () => (await import('./runner-form.ts')).RUNNER_FORMS['search-files'],
  tier: 'allow',
  effects: { readsFiles: ['path'] },
  kind: 'read',
});
