/**
 * Act's part in bringing an older copy of the table up to what was forgotten since: each object is forgotten by the tool that forgets,
 * and the records its tombstone names lose their content too. Takes nothing from the message but that there is work: what is to be
 * erased stands in the state the heartbeat wrote. Goes on where it got to; repeating any part of it changes nothing. What fails
 * is told in the progress, and tried again with the next tick: until then the copy stays held.
 */

import { SECOND_MS } from '../../base/limits.ts';
import { parseStored } from '../../ledger/record.ts';
import { describeFailure } from '../../ledger/recover-failure.ts';
import {
  ForgottenList,
  forgetProgressKey,
  forgottenListKey,
  loadForgetProgress,
  loadRestoreState,
  type RestoreState,
} from '../../log/restore-state.ts';
import type { KeptTombstone } from '../../log/tombstone.ts';
import type { MemoryStore } from '../../memory/memory.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Table } from '../../store/table.ts';
import { forget } from '../../tools/forget.ts';
import type { ToolRecords } from '../../tools/tool.ts';
import { buildEraseCovered, type ForgetTable } from './forget-traces.ts';

/** Time kept free of a run that forgets again: one object of a long history takes seconds. */
const FORGET_AGAIN_RESERVE_MS = 20 * SECOND_MS;

export interface ForgetAgainDeps {
  readonly table: Pick<Table, 'load' | 'put'> & ForgetTable;
  readonly space: string;
  readonly memory: MemoryStore;
  readonly records: ToolRecords;
  readonly newId: () => string;
  readonly now: () => number;
}

/** Who forgot it this time: no signal of this table asked for it. */
const signalOf = ({ at }: RestoreState): string => `restore-${at}`;

const forgetOne = async (
  deps: ForgetAgainDeps,
  state: RestoreState,
  { object: id, covers, asked = [] }: KeptTombstone,
) => {
  const { memory, records, now } = deps;
  const by = { signalId: signalOf(state), effectId: `${signalOf(state)}/${id}`, actor: 'system', now: now() };
  // The records first: whatever a repeat finds of the object, they are named by the tombstone alone.
  await buildEraseCovered(deps.table, deps.space)({ id, covers, asked, signalId: by.signalId, now: by.now });
  const there = await memory.load(id);
  if (there?.state === 'live') {
    const context = { ...by, memory, ...records, zone: 'UTC', origin: 'owner', newNonce: deps.newId } as const;
    await forget.run({ id }, context);
  } else if (there !== undefined) {
    // The copy was made while it was being forgotten.
    await memory.forget({ id, ...by });
  }
};

const loadList = async ({ table, space }: ForgetAgainDeps, n: number): Promise<readonly KeptTombstone[]> => {
  const item = await loadItem(table, forgottenListKey(space, n));
  return item === undefined ? [] : parseStored(`list ${n} of what was forgotten`, item, ForgottenList).tombstones;
};

/** @param remainingMs of the invocation */
export const buildForgetAgain =
  (deps: ForgetAgainDeps) =>
  async (remainingMs: () => number): Promise<void> => {
    const { table, space } = deps;
    const state = await loadRestoreState(table, space);
    if (state?.forgetting !== 'due') return;
    const before = await loadForgetProgress(table, space, state);
    if (before?.isDone === true) return;
    let done = before?.done ?? 0;
    const save = (more: { readonly isDone: boolean; readonly problem?: string }): Promise<void> =>
      table.put(forgetProgressKey(space), { schemaVersion: 1, at: state.at, done, ...more });
    try {
      let seen = 0;
      for (let n = 0; n < (state.lists ?? 0); n += 1) {
        for (const tombstone of await loadList(deps, n)) {
          seen += 1;
          if (seen <= done) continue;
          if (remainingMs() < FORGET_AGAIN_RESERVE_MS) return await save({ isDone: false });
          await forgetOne(deps, state, tombstone);
          done = seen;
        }
      }
      await save({ isDone: done === (state.total ?? 0), ...(done === (state.total ?? 0) ? {} : { problem: MISSING }) });
    } catch (error) {
      await save({ isDone: false, problem: describeFailure(error) });
    }
  };

const MISSING = 'a list of what was forgotten is missing';
