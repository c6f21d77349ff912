/**
 * Files on the owner's machine, by a runner: read, write, edit, list and search. Each path must lie
 * in a folder that the machine's own allow-file names, in the cloud by the gate `confinement`, and
 * on the machine again with symbolic links resolved.
 */
import * as z from 'zod/mini';
import { KIB } from '../../../core/base/limits.ts';
import { quoted } from '../../../core/text/quoted.ts';
import { defineRunnerTool } from '../../../core/tools/tool.ts';
import { formOf, onMachine, runnerName, runnerPath } from './runner-args.ts';

/** With its explanation and escapes it still fits an action. */
const CONTENT_CHARS_MAX = 32 * KIB;
/** A piece that stands in a file once. */
const PIECE_CHARS_MAX = 16 * KIB;
/** More than the output of one call shows. */
const READ_LINES_MAX = 5_000;
const PATTERN_CHARS_MAX = 1_000;

export interface ReadFile {
  /** Of the whole file, as its machine signed it. */
  readonly sha256: string;
  /** At least its beginning. */
  readonly text: string;
}

declare module '../../../core/tools/tool.ts' {
  interface FormContext {
    /** A whole file that this turn read on a machine; only where a call is proposed. */
    readonly loadReadFile?: ((runner: string, path: string) => Promise<ReadFile | 'failed' | undefined>) | undefined;
  }
}

/** The advice about a file that nobody looked at. */
export const READ_FIRST = 'call read-file with its path and nothing else, then propose this again';

/**
 * The file as it was when the call was asked about: its SHA-256 if this turn read it whole, else
 * `nothing`. Code fills it in, and the machine changes no other file. Absent in runbooks.
 */
const was = z.optional(z.string().check(z.regex(/^(?:nothing|[0-9a-f]{64})$/)));

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
  loadForm: formOf('read-file'),
  tier: 'allow',
  effects: { readsFiles: ['path'] },
  kind: 'read',
});

const written = {
  path: runnerPath,
  content: z.string().check(z.maxLength(CONTENT_CHARS_MAX)),
  runner: z.optional(runnerName),
};

export const writeFile = defineRunnerTool({
  name: 'write-file',
  description:
    "Write a whole text file on the owner's machine. One that is there must be read first with read-file. The machine keeps the version before.",
  sentence: ({ path, content, runner }) => `Write the file ${quoted(path)}${onMachine(runner)}: ${quoted(content)}`,
  draft: z.strictObject(written),
  args: z.strictObject({ ...written, was }),
  loadForm: formOf('write-file'),
  tier: 'ask',
  effects: { writesFiles: ['path'] },
  kind: 'idempotent',
});

const edited = {
  path: runnerPath,
  find: piece.check(z.minLength(1)),
  replace: piece,
  runner: z.optional(runnerName),
};

export const editFile = defineRunnerTool({
  name: 'edit-file',
  description:
    "Replace one piece of a text file on the owner's machine: find must stand in it exactly once, as it is there. Read it first with read-file.",
  sentence: ({ path, find, replace, runner }) =>
    `In the file ${quoted(path)}${onMachine(runner)} write ${quoted(replace)} in place of ${quoted(find)}`,
  draft: z.strictObject(edited),
  args: z.strictObject({ ...edited, was }),
  loadForm: formOf('edit-file'),
  tier: 'ask',
  effects: { readsFiles: ['path'], writesFiles: ['path'] },
  kind: 'once',
});

export const listFiles = defineRunnerTool({
  name: 'list-files',
  description: "List a folder on the owner's machine.",
  sentence: ({ path, runner }) => `List the folder ${quoted(path)}${onMachine(runner)}`,
  args: z.strictObject({ path: runnerPath, runner: z.optional(runnerName) }),
  loadForm: formOf('list-files'),
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
  loadForm: formOf('search-files'),
  tier: 'allow',
  effects: { readsFiles: ['path'] },
  kind: 'read',
});
