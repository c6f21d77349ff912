/** Counts a note that is kept for somebody without rights on their quotas, once. */
import { accountsOf, countOf, limitOf, quotaKey, takeWrite } from '../../../ledger/quota.ts';
import type { Signal } from '../../../signal/signal.ts';
import type { ActDeps } from '../act-context.ts';
import type { Addition, Problem } from '../guard.ts';
import { loadRoot } from '../load-decision.ts';

export const countNote = async ({ table }: ActDeps, signal: Signal, now: number): Promise<Addition | Problem> => {
  const accounts = accountsOf(await loadRoot(table, signal));
  const keys = accounts.map((account) => quotaKey(signal.space, account, now));
  const items = await table.load(keys, { isConsistent: true });
  const full = accounts.find((account, n) => countOf(items[n], 'notes') >= limitOf(account, 'notes'));
  if (full !== undefined)
    return { problem: `this ${full.kind} has had all ${limitOf(full, 'notes')} notes of today kept` };
  return { writes: accounts.map((account) => takeWrite(signal.space, account, { notes: 1 }, now)) };
};
