/**
 * The state of a restored copy of the table, from when it is found out until everything forgotten
 * since it was made is erased from it again. The heartbeat finds it out and lists what to erase;
 * Act alone erases, and says how far it got. Until that is done nothing is shown and no resume
 * counts. Ids, hashes and names of records only.
 */
import * as z from 'zod/mini';
import { commitKeys } from '../memory/keys.ts';
import { settingKey } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import { parseStored } from '../store/parse-stored.ts';
import type { Item, Table } from '../store/table.ts';
import { KeptTombstone } from './tombstone.ts';

export const RestoreState = z.object({
  schemaVersion: z.literal(1),
  /** Leaves of the newest anchored checkpoint, and of the table's. */
  anchored: z.int(),
  found: z.int(),
  /** When it was found out, epoch milliseconds. */
  at: z.int(),
  /** `listing`: it is not known yet what to erase. Absent: an earlier release did it all. */
  forgetting: z.optional(z.enum(['listing', 'due', 'done'])),
  /** Objects that were forgotten since, and the items that list them. */
  total: z.optional(z.int()),
  lists: z.optional(z.int()),
  problem: z.optional(z.string()),
  /** The state at the restore, for people; absent if nothing checked it. */
  rights: z.optional(z.array(z.string())),
});
export type RestoreState = z.infer<typeof RestoreState>;

/** Act's progress. */
export const ForgetProgress = z.object({
  schemaVersion: z.literal(1),
  /** The `at` of the state it belongs to. */
  at: z.int(),
  done: z.int(),
  isDone: z.boolean(),
  problem: z.optional(z.string()),
});
export type ForgetProgress = z.infer<typeof ForgetProgress>;

export const ForgottenList = z.object({ schemaVersion: z.literal(1), tombstones: z.array(KeptTombstone) });

export const restoreKey = (space: string) => settingKey(space, 'restore');
export const forgottenListKey = (space: string, n: number) => settingKey(space, `restore-forgotten#${n}`);
/** Lies beside memory's commits, because Act may write there. */
export const forgetProgressKey = (space: string) => ({ pk: commitKeys.partition(space), sk: 'restored' });

type Loads = Pick<Table, 'load'>;

const parseRestoreState = (item: Item | undefined): RestoreState | undefined =>
  item === undefined ? undefined : parseStored(item, RestoreState, 'setting restore');

export const loadRestoreState = async (table: Loads, space: string): Promise<RestoreState | undefined> =>
  parseRestoreState(await loadItem(table, restoreKey(space)));

/** @returns undefined if it belongs to another copy */
export const loadForgetProgress = async (
  table: Loads,
  space: string,
  { at }: RestoreState,
): Promise<ForgetProgress | undefined> => {
  const item = await loadItem(table, forgetProgressKey(space));
  const progress = item === undefined ? undefined : parseStored(item, ForgetProgress, 'how far forgetting got');
  return progress?.at === at ? progress : undefined;
};

/** Whether the table may still hold something that was forgotten. */
export const isForgetting = (state: RestoreState | undefined): boolean =>
  state?.forgetting === 'listing' || state?.forgetting === 'due';

export const describeForgetting = ({ problem }: RestoreState): string =>
  'The table is an older copy, and what was forgotten since it was made is still being erased from it. ' +
  `Nothing is shown or resumed before that is done${problem === undefined ? '' : `; so far it fails: ${problem}`}.`;
