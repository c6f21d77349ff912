/**
 * `/model`: which model answers this conversation. Kept on its head, so that it costs no read of its own; authority, not memory
 * (I14): only an approver changes it, the last word counts, and a repeated message changes nothing.
 */

import { ConditionError } from '../../base/errors.ts';
import { type Notice, notices } from '../../judge/notices.ts';
import { parseHead } from '../../ledger/session.ts';
import { MODEL_CHOICE_USAGE, parseModelChoice } from '../../llm/choose-model.ts';
import type { Signal } from '../../signal/signal.ts';
import { absent, anyOf, below, type Condition } from '../../store/condition.ts';
import { sessionKey } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Table } from '../../store/table.ts';

export const answerModelCommand = async (
  table: Pick<Table, 'load' | 'update'>,
  signal: Pick<Signal, 'space' | 'session' | 'sender' | 'receivedAt'>,
  rest: string,
): Promise<Notice> => {
  const key = sessionKey(signal.space, signal.session);
  if (rest === '') {
    const head = await loadItem(table, key);
    return notices.model((head === undefined ? undefined : parseHead(signal.session, head).model) ?? 'auto', false);
  }
  if (parseModelChoice(rest) === undefined) return notices.usage(MODEL_CHOICE_USAGE);
  const isLater: Condition = {
    name: 'no later model is set',
    holds: anyOf(absent('modelAt'), below('modelAt', signal.receivedAt)),
  };
  const set = { schemaVersion: 1, model: rest, modelBy: signal.sender.id, modelAt: signal.receivedAt };
  try {
    await table.update(key, { set, setOnce: { startedAt: signal.receivedAt } }, isLater);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
  }
  return notices.model(rest, true);
};
