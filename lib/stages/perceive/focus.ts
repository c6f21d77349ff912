/** What a person looks at in a conversation: kept on its head, the last word counts, and a repeated message changes nothing. */

import { ConditionError } from '../../base/errors.ts';
import type { SessionRef } from '../../ledger/session-controls.ts';
import { absent, anyOf, below, type Condition } from '../../store/condition.ts';
import { sessionKey } from '../../store/keys.ts';
import type { Table } from '../../store/table.ts';

/** @param focus a memory object's id; undefined looks away. @param at when it was said, epoch milliseconds. */
export const saveFocus = async (
  table: Pick<Table, 'update'>,
  { space, session }: SessionRef,
  focus: string | undefined,
  at: number,
): Promise<void> => {
  const isLater: Condition = { name: 'no later focus is set', holds: anyOf(absent('focusAt'), below('focusAt', at)) };
  const change =
    focus === undefined
      ? { set: { schemaVersion: 1, focusAt: at }, remove: ['focus'] }
      : { set: { schemaVersion: 1, focusAt: at, focus } };
  try {
    await table.update(sessionKey(space, session), { ...change, setOnce: { startedAt: at } }, isLater);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
  }
};
