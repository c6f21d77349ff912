/**
 * Brings an older copy of the table up to date with later forgettings: forgets each object again
 * with the tool that forgets, and erases the records its tombstone names. The message only says
 * that there is work; the list stands in the state that the heartbeat wrote. Continues at the
 * stored progress, and repeating any part changes nothing. A failure is written into the progress
 * and tried again at the next tick; until then the copy stays held.
 */
import { SECOND_MS } from '../../core/base/limits.ts';
import { describeFailure } from '../../core/ledger/recover-failure.ts';
import {
  ForgottenList,
  forgetProgressKey,
  forgottenListKey,
  loadForgetProgress,
  loadRestoreState,
  type RestoreState,
} from '../../core/log/restore-state.ts';
import type { KeptTombstone } from '../../core/log/tombstone.ts';
import type { ActWork } from '../../core/operations/act-feature.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { parseStored } from '../../core/store/parse-stored.ts';
import { eraseCovered, type ForgetTable } from './forget-traces.ts';
import { forget } from './tools.ts';

/** Time that stays free: one object of a long history takes seconds. */
const FORGET_AGAIN_RESERVE_MS = 20 * SECOND_MS;

type ForgetAgainDeps = Omit<ActWork, 'table'> & { readonly table: ForgetTable };

const forgetOne = async (
  deps: ForgetAgainDeps,
  state: RestoreState,
  { object: id, covers, asked = [] }: KeptTombstone,
): Promise<void> => {
  const { memory, records, powers, now } = deps;
  // No signal of this table asked for it.
  const signalId = `restore-${state.at}`;
  const by = { signalId, effectId: `${signalId}/${id}`, actor: 'system', now: now() };
  // The records first: whatever a repeat finds of the object, only the tombstone names them.
  await eraseCovered(deps, { id, covers, asked, signalId, now: by.now });
  const object = await memory.load(id);
  if (object?.state === 'live') {
    const context = { ...by, memory, records, powers, zone: 'UTC', origin: 'owner', newNonce: deps.newId } as const;
    await forget.run({ id }, context);
  } else if (object !== undefined) {
    // The copy was made in the middle of the forgetting.
    await memory.forget({ id, ...by });
  }
};

const loadTombstones = async ({ table, space }: ForgetAgainDeps, n: number): Promise<readonly KeptTombstone[]> => {
  const item = await loadItem(table, forgottenListKey(space, n));
  return item === undefined ? [] : parseStored(item, ForgottenList, `list ${n} of what was forgotten`).tombstones;
};

/** @param remainingMs of the invocation */
export const forgetAgain = async (deps: ForgetAgainDeps, remainingMs: () => number): Promise<void> => {
  const { table, space } = deps;
  const state = await loadRestoreState(table, space);
  if (state?.forgetting !== 'due') return;
  const before = await loadForgetProgress(table, space, state);
  if (before?.isDone === true) return;
  let done = before?.done ?? 0;
  const save = (more: { readonly isDone: boolean; readonly problem?: string }): Promise<void> =>
    table.put(forgetProgressKey(space), { schemaVersion: 1, at: state.at, done, ...more });
  try {
    let n = 0;
    for (let list = 0; list < (state.lists ?? 0); list += 1) {
      for (const tombstone of await loadTombstones(deps, list)) {
        n += 1;
        if (n <= done) continue;
        if (remainingMs() < FORGET_AGAIN_RESERVE_MS) return await save({ isDone: false });
        await forgetOne(deps, state, tombstone);
        done = n;
      }
    }
    const isDone = done === (state.total ?? 0);
    await save({ isDone, ...(isDone ? {} : { problem: 'a list of what was forgotten is missing' }) });
  } catch (error) {
    await save({ isDone: false, problem: describeFailure(error) });
  }
};
