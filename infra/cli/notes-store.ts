/**
 * What import and export need of a stack: what earlier imports made, a place for trees, and
 * everything there is to write back.
 */

import type { CommandContext } from './command.ts';
import type { StoredNote } from './notes/memory-tree.ts';
import type { ImportStep, KnownDocument } from './notes/plan-import.ts';

export interface NotesStore {
  readonly loadKnown: () => Promise<readonly KnownDocument[]>;
  /**
   * Takes one tree in; the same step again changes nothing. @param isTrusted the owner's own words;
   * else `outside`
   * @returns why it did not go in, in plain words; undefined when it did
   */
  readonly sendTree: (step: ImportStep, isTrusted: boolean) => Promise<string | undefined>;
  /** Documents, and notes that stand alone, with all under them. */
  readonly loadRoots: () => Promise<readonly StoredNote[]>;
}

/** Finds the stack's. @throws CliError */
export type FindNotesStore = (context: CommandContext) => Promise<NotesStore>;
