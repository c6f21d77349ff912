/**
 * The tools that touch one file, inside the sandbox. New content is checked between the script's
 * reading and writing: the check sees the very bytes that are replaced.
 */
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { KIB, SECOND_MS } from '../../lib/core/base/limits.ts';
import type { ChangedFile } from '../../lib/features/runner/result.ts';
import { READ_FIRST } from '../../lib/features/runner/tools/files.ts';
import type { Allowed, Limits } from './allow-file.ts';
import { checkContent, FILE_BYTES_MAX } from './check-content.ts';
import { guard, type Stop } from './run-contained.ts';
import type { Confinement, Sandbox } from './sandbox.ts';

/** Names of one folder: more than a person or a model reads. */
const NAMES_MAX = 2_000;
const SCRIPT = '/run/passepartout/file-script.ts';
const NODE = '/run/passepartout/node';
const MIB = KIB * KIB;
/** The script itself needs no more, whatever the allow-file says. */
const SCRIPT_LIMITS: Limits = {
  timeMs: 30 * SECOND_MS,
  memoryBytes: 512 * MIB,
  processes: 4,
  fileBytes: 2 * FILE_BYTES_MAX,
  outputBytes: 4 * FILE_BYTES_MAX,
};

const Line = z.object({
  done: z.optional(z.string()),
  old: z.optional(z.nullable(z.string())),
  problem: z.optional(z.string()),
});

/** The outcome of one call of the script. */
interface FileAnswer {
  readonly text?: string;
  readonly problem?: string;
  readonly changed?: ChangedFile;
}

export interface FileCall {
  readonly answer: Promise<FileAnswer>;
  readonly stop: Stop;
}

interface Order {
  readonly op: 'read' | 'list' | 'write';
  readonly path: string;
  readonly max: number;
}

interface Target {
  readonly path: string;
  /** The file as it was asked about (`lib/features/runner/tools/files.ts`). */
  readonly was: string | undefined;
}

/** Given the old content, what shall be written, or why nothing. */
type Revise = (old: Buffer | undefined) => Promise<{ readonly content: string } | { readonly problem: string }>;

const OWN = [
  { from: process.execPath, to: NODE },
  { from: fileURLToPath(new URL('./file-script.ts', import.meta.url)), to: SCRIPT },
];

const confinementOf = (allowed: Allowed, isWriting: boolean): Confinement => ({
  home: allowed.home,
  read: isWriting ? allowed.read : [...allowed.read, ...allowed.write],
  write: isWriting ? allowed.write : [],
  // It opens one path, which was judged, and compares what it opened with it.
  masks: [],
  hasNetwork: false,
  folder: '/tmp',
  own: OWN,
});

const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');

const start = (sandbox: Sandbox, allowed: Allowed, order: Order) => {
  const limits = { ...SCRIPT_LIMITS, fileBytes: Math.min(SCRIPT_LIMITS.fileBytes, allowed.limits.fileBytes) };
  const argv = [NODE, '--no-warnings', SCRIPT];
  const contained = sandbox.start({ argv, confinement: confinementOf(allowed, order.op === 'write'), limits });
  const guarded = guard(contained, limits);
  const lines = createInterface({ input: contained.output })[Symbol.asyncIterator]();
  const say = (value: unknown): void => void contained.stdin.write(`${JSON.stringify(value)}\n`);
  const hear = async (): Promise<z.infer<typeof Line>> => {
    const { value, done } = await lines.next();
    if (done !== true) return Line.parse(JSON.parse(String(value)));
    const end = await contained.ended;
    return { problem: end.kind === 'unstarted' ? end.problem : (guarded.why() ?? 'the file tool ended early') };
  };
  const close = (): void => {
    contained.kill();
    guarded.release();
  };
  say(order);
  return { contained, say, hear, close, stop: guarded.stop };
};

export const ask = (sandbox: Sandbox, allowed: Allowed, op: 'read' | 'list', path: string): FileCall => {
  const talk = start(sandbox, allowed, { op, path, max: op === 'read' ? FILE_BYTES_MAX : NAMES_MAX });
  const run = async (): Promise<FileAnswer> => {
    try {
      const { done, problem } = await talk.hear();
      if (done === undefined) return { problem: `${path}: ${problem ?? 'no answer'}` };
      return { text: op === 'list' ? done : Buffer.from(done, 'base64').toString('utf8') };
    } finally {
      talk.close();
    }
  };
  return { answer: run(), stop: talk.stop };
};

/** @param was the file as it was asked about; undefined if any may be replaced */
const beforeProblem = (was: string | undefined, before: Buffer | undefined): string | undefined => {
  if (was === undefined) return undefined;
  if (was === 'nothing')
    return before && `it is there already, and nobody read it before it was asked about: ${READ_FIRST}`;
  return before !== undefined && createHash('sha256').update(before).digest('hex') === was
    ? undefined
    : `it was changed after it was read for this: ${READ_FIRST}`;
};

/** Replaces a file by what `revise` makes of it. @param keep is given the version before */
const replaceFile = (
  sandbox: Sandbox,
  allowed: Allowed,
  { path, was }: Target,
  revise: Revise,
  keep: (bytes: Uint8Array) => void,
): FileCall => {
  const talk = start(sandbox, allowed, { op: 'write', path, max: FILE_BYTES_MAX });
  const run = async (): Promise<FileAnswer> => {
    try {
      const { old, problem } = await talk.hear();
      if (old === undefined) return { problem: `${path}: ${problem ?? 'no answer'}` };
      const before = old === null ? undefined : Buffer.from(old, 'base64');
      const changed = beforeProblem(was, before);
      if (changed !== undefined) return { problem: `${path}: ${changed}` };
      const revised = await revise(before);
      if ('problem' in revised) return { problem: `${path}: ${revised.problem}` };
      const { content } = revised;
      const fault = await checkContent(path, content, before?.toString('utf8'));
      if (fault !== undefined) return { problem: `${path}: ${fault}` };
      if (before !== undefined) keep(before);
      talk.contained.stdin.write(`${Buffer.from(content).toString('base64')}\n`);
      const end = await talk.hear();
      if (end.done === undefined) return { problem: `${path}: ${end.problem ?? 'no answer'}` };
      const written: ChangedFile = {
        path,
        kind: before === undefined ? 'added' : 'changed',
        sha256: sha256(content),
        bytes: Buffer.byteLength(content),
      };
      const kept = before === undefined ? 'It is new.' : 'The version before is kept on the machine.';
      return { text: `Wrote ${path}: ${written.bytes} bytes, SHA-256 ${written.sha256}. ${kept}\n`, changed: written };
    } finally {
      talk.close();
    }
  };
  return { answer: run(), stop: talk.stop };
};

export type Keep = (bytes: Uint8Array) => void;

export const writeWhole = (sandbox: Sandbox, allowed: Allowed, target: Target, content: string, keep: Keep): FileCall =>
  replaceFile(sandbox, allowed, target, async () => ({ content }), keep);

/** The piece must stand in the file exactly once: a file that changed since is left alone. */
export const replacePiece = (
  sandbox: Sandbox,
  allowed: Allowed,
  target: Target,
  { find, replace }: { readonly find: string; readonly replace: string },
  keep: Keep,
): FileCall =>
  replaceFile(
    sandbox,
    allowed,
    target,
    async (old) => {
      if (old === undefined) return { problem: 'it does not exist' };
      const text = old.toString('utf8');
      if (!Buffer.from(text).equals(old)) return { problem: 'it is not text in UTF-8' };
      const pieces = text.split(find);
      if (pieces.length === 2) return { content: pieces.join(replace) };
      const times = pieces.length - 1;
      return {
        problem: times === 0 ? 'the text to replace is not in it' : `the text to replace is in it ${times} times`,
      };
    },
    keep,
  );
