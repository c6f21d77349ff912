/**
 * The paired runners of a space, in one record: authority and not memory (I14). Each brings a copy
 * of its allow-file, for cards and for the gates in the cloud. The file on the machine decides.
 */
import * as z from 'zod/mini';
import { defined } from '../../core/base/defined.ts';
import { StoredItemError } from '../../core/base/errors.ts';
import { RUNNERS_MAX } from '../../core/base/limits.ts';
import type { RunnerFacts } from '../../core/signal/facts.ts';
import type { Item } from '../../core/store/table.ts';
import { RunnerName } from './runner-name.ts';

/** Folders and programs that an allow-file may name, each. */
export const ALLOWED_MAX = 64;
const PATH_CHARS_MAX = 1_024;
/** Stands in an allow-file for every program. */
export const ANY_PROGRAM = 'any';

const paths = z.array(z.string().check(z.maxLength(PATH_CHARS_MAX))).check(z.maxLength(ALLOWED_MAX));

/** The summary of an allow-file that the cloud gets. Paths are canonical and absolute. */
export const AllowSummary = z.strictObject({
  /** SHA-256 of the file, hex. */
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  home: z.string().check(z.maxLength(PATH_CHARS_MAX)),
  read: paths,
  /** Each is readable too. */
  write: paths,
  /** Programs that may run unseen code or leave: `any`, or names, or `name subcommand`. */
  programs: paths,
  hasNetwork: z.boolean(),
});
export type AllowSummary = z.infer<typeof AllowSummary>;

export const Runner = z.strictObject({
  name: RunnerName,
  /** Its Ed25519 key, base64url. */
  publicKey: z.string(),
  /** Act's public key, which it trusts alone; absent if it was paired before this was kept. */
  actKey: z.optional(z.string()),
  /** Number of its queue, from 1. */
  slot: z.int(),
  pairedAt: z.int(),
  /** Sender id of the approver. */
  pairedBy: z.string(),
  isPaused: z.boolean(),
  /** When it last opened its queue, epoch milliseconds. */
  seenAt: z.optional(z.int()),
  allow: AllowSummary,
});
export interface Runner extends z.infer<typeof Runner> {
  /** Its owner ended it, and it did not start again. */
  readonly isStopped?: boolean;
  /** Names the newest start of its program. */
  readonly start?: string | undefined;
  /** It was paused because two copies of its folder were at work. */
  readonly isCopied?: boolean;
  /** Of its program, as that says; absent of an older one. */
  readonly release?: string | undefined;
  /** Its program fetches files of skills, as that says. */
  readonly takesFiles?: boolean;
}

const Stored = z.object({
  schemaVersion: z.literal(1),
  /** Raised with every change, which is conditional on it. */
  round: z.int(),
  runners: z.array(Runner).check(z.maxLength(RUNNERS_MAX)),
  /** Queues of removed runners, and until when their credentials may still be good. */
  lent: z.optional(z.array(z.object({ slot: z.int(), until: z.int() })).check(z.maxLength(RUNNERS_MAX))),
  /** Names of those that are stopped: here, where the release before reads past it. */
  stopped: z.optional(z.array(RunnerName)),
  copied: z.optional(z.array(RunnerName)),
  starts: z.optional(z.record(z.string(), z.string())),
  releases: z.optional(z.record(z.string(), z.string())),
  takeFiles: z.optional(z.array(RunnerName)),
});
export interface Runners
  extends Omit<z.infer<typeof Stored>, 'runners' | 'stopped' | 'copied' | 'starts' | 'releases' | 'takeFiles'> {
  readonly runners: readonly Runner[];
}

export const NO_RUNNERS: Runners = { schemaVersion: 1, round: 0, runners: [] };

const fromStored = ({
  stopped = [],
  copied = [],
  starts = {},
  releases = {},
  takeFiles = [],
  ...stored
}: z.infer<typeof Stored>): Runners => ({
  ...stored,
  runners: stored.runners.map((one) => ({
    ...one,
    ...(stopped.includes(one.name) ? { isStopped: true } : {}),
    ...(copied.includes(one.name) ? { isCopied: true } : {}),
    ...(takeFiles.includes(one.name) ? { takesFiles: true } : {}),
    ...defined({
      start: Object.hasOwn(starts, one.name) ? starts[one.name] : undefined,
      release: Object.hasOwn(releases, one.name) ? releases[one.name] : undefined,
    }),
  })),
});

/** @throws StoredItemError if this release cannot read it. */
export const parseRunners = (item: Item | undefined): Runners => {
  if (item === undefined) return NO_RUNNERS;
  const parsed = Stored.safeParse(item);
  if (!parsed.success) throw new StoredItemError('runners', 'they are not of a form this release knows');
  return fromStored(parsed.data);
};

/** For turns: an unreadable record offers no runner and ends no conversation. */
export const readRunners = (item: Item | undefined): Runners => {
  const parsed = Stored.safeParse(item);
  return parsed.success ? fromStored(parsed.data) : NO_RUNNERS;
};

/** The facts for gates about the runner that an action names. */
export const runnerFacts = ({ runners }: Runners, name: string): RunnerFacts => {
  const runner = runners.find((one) => one.name === name);
  if (runner === undefined)
    return { name, isPaired: false, isPaused: false, home: '/', read: [], write: [], programs: [], hasNetwork: false };
  const { hash: _hash, ...allow } = runner.allow;
  const isNew = runner.seenAt === undefined;
  return { name, isPaired: true, isPaused: runner.isPaused, ...allow, ...(isNew && { hasNeverStarted: true }) };
};
