/**
 * A sandbox runs one command that sees only the folders named to it. A machine without one runs
 * nothing. `@anthropic-ai/sandbox-runtime` is not used: it lets a command read everything that is
 * not denied, and bounds neither memory nor output.
 */

import type { Readable, Writable } from 'node:stream';
import type { Limits } from './allow-file.ts';
import { findBubblewrap } from './bubblewrap.ts';
import { findSeatbelt } from './seatbelt.ts';

/**
 * The paths that a command may see. All paths are canonical and absolute, without symbolic links.
 */
export interface Confinement {
  /** It is where `~` leads, and holds nothing but named folders. */
  readonly home: string;
  readonly read: readonly string[];
  /** Can be changed; empty for a command that only reads. */
  readonly write: readonly string[];
  /** Paths that must stay hidden within those, and paths that must keep their name for it. */
  readonly masks: readonly Mask[];
  readonly hasNetwork: boolean;
  /** The folder that the command starts in. */
  readonly folder: string;
  /** Files of the runner's own that the command needs. */
  readonly own: readonly { readonly from: string; readonly to: string }[];
  /** Variables beside those that every command gets. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * - `file`, `folder`: it cannot be opened, renamed or removed
 * - `name`: a folder that cannot be renamed, for its name tells that something in it is a secret
 */
export interface Mask {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'name';
}

export interface SandboxCommand {
  readonly argv: readonly string[];
  /** It speaks a protocol: what it writes as errors is no part of its output. */
  readonly isTalking?: true;
  readonly confinement: Confinement;
  readonly limits: Limits;
}

/** How a command ended: by itself, by `kill`, or never started. */
export type End =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'killed' }
  | { readonly kind: 'unstarted'; readonly problem: string };

/** A running command with all that it started. */
export interface Contained {
  readonly stdin: Writable;
  /**
   * Standard output and, unless it is talking, errors, as they came. Reading slowly makes the
   * command wait.
   */
  readonly output: Readable;
  /** First words that sandbox or talking command wrote as errors. */
  readonly complaint: () => string;
  /** The process outside whose descendants are the command; undefined if it never started. */
  readonly insidePid: Promise<number | undefined>;
  readonly ended: Promise<End>;
  /** Ends the command and everything it started, at once. */
  readonly kill: () => void;
}

export interface Sandbox {
  readonly name: string;
  readonly start: (command: SandboxCommand) => Contained;
}

/** A sandbox that works here, or why there is none and what to do. */
export type FoundSandbox =
  | { readonly kind: 'sandbox'; readonly sandbox: Sandbox }
  | { readonly kind: 'none'; readonly problem: string };

/** Finds the sandbox of this machine, and tries it. */
export const findSandbox = async (): Promise<FoundSandbox> => {
  switch (process.platform) {
    case 'linux':
      return findBubblewrap();
    case 'darwin':
      return findSeatbelt();
    default:
      return { kind: 'none', problem: `There is no sandbox for ${process.platform}. Use Linux, WSL 2 or macOS.` };
  }
};
