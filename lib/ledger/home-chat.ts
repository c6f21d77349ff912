/**
 * Texts nobody asked for (a webhook's turn) reach the home chat only so often an hour (I13): a noisy source cannot flood a
 * person, and one source takes only so many of them, so that another is still heard. One
 * conditional counter an hour; a slot taken by a try that crashed stays taken, which errs on the
 * quiet side.
 */

import { ConditionError } from '../base/errors.ts';
import { HOUR_S } from '../base/limits.ts';
import { shortName } from '../money/day-spend.ts';
import { type Action, isText } from '../signal/action.ts';
import type { Signal } from '../signal/signal.ts';
import { absent, allOf, anyOf, below, type Condition } from '../store/condition.ts';
import type { Key } from '../store/keys.ts';
import type { Table } from '../store/table.ts';

/** Unasked texts to the home chat per hour (I13). */
const HOME_CHAT_TEXTS_PER_HOUR_MAX = 12;
/** Of them, those of one source: another one is still heard. */
const HOME_CHAT_SOURCE_TEXTS_PER_HOUR_MAX = 8;

/** Template of the one text that tells the owner of a stopped conversation. */
export const SESSION_STOPPED = 'session-stopped';

/** Whether a text of this signal goes to people who did not ask for it. */
export const isUnasked = (signal: Pick<Signal, 'session' | 'reply'>, action: Action): boolean =>
  signal.session.startsWith('webhook:') &&
  isText(action) &&
  action.target === 'telegram' &&
  // A card that changes is no further text, and a stop that nobody heard of would be none.
  action.edits === undefined &&
  !(action.author === 'code' && action.template === SESSION_STOPPED);

const hourKey = (space: string, hour: number): Key => ({ pk: `session#${space}#home-chat`, sk: `hour#${hour}` });

/**
 * @param now epoch milliseconds. @returns false when the hour's texts, or those of this
 * conversation, are used up.
 */
export const takeHomeChatSlot = async (
  table: Pick<Table, 'update'>,
  { space, session }: Pick<Signal, 'space' | 'session'>,
  now: number,
): Promise<boolean> => {
  const hour = Math.floor(now / 1000 / HOUR_S);
  const own = `from_${shortName(session)}`;
  const hasRoom: Condition = {
    name: 'the home chat has room this hour',
    holds: allOf(
      anyOf(absent('texts'), below('texts', HOME_CHAT_TEXTS_PER_HOUR_MAX)),
      anyOf(absent(own), below(own, HOME_CHAT_SOURCE_TEXTS_PER_HOUR_MAX)),
    ),
  };
  try {
    await table.update(
      hourKey(space, hour),
      { add: { texts: 1, [own]: 1 }, set: { schemaVersion: 1, expiresAt: (hour + 2) * HOUR_S } },
      hasRoom,
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionError) return false;
    throw error;
  }
};
