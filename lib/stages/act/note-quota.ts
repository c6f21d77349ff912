/**
 * Counts a note that somebody without rights has kept, in the very transaction that claims it: one
 * that is tried again is not counted again, and one a person approved is not counted at all.
 */

import { accountsOf, countOf, limitOf, quotaKey, takeWrite } from '../../ledger/quota.ts';
import type { Action } from '../../signal/action.ts';
import type { Signal } from '../../signal/signal.ts';
import type { Table, Write } from '../../store/table.ts';
import { remember } from '../../tools/remember.ts';
import { loadRoot } from './load-root.ts';

export interface NoteQuota {
  readonly writes: readonly Write[];
  /** Why no more notes are kept. */
  readonly problem?: string | undefined;
}

/**
 * @param action made from untrusted text, and not tried before. @returns undefined for what is no
 * note
 */
export const loadNoteQuota = async (
  table: Pick<Table, 'load'>,
  signal: Signal,
  action: Action,
  now: number,
): Promise<NoteQuota | undefined> => {
  if (action.tool !== remember.name) return undefined;
  const accounts = accountsOf(await loadRoot(table, signal));
  const items = await table.load(
    accounts.map((account) => quotaKey(signal.space, account, now)),
    { isConsistent: true },
  );
  const full = accounts.find((account, index) => countOf(items[index], 'notes') >= limitOf(account, 'notes'));
  return {
    writes: accounts.map((account) => takeWrite(signal.space, account, { notes: 1 }, now)),
    ...(full === undefined
      ? {}
      : { problem: `this ${full.kind} has had all ${limitOf(full, 'notes')} notes of today kept` }),
  };
};
