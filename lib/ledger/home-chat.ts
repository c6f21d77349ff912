/**
 * Bounds the texts that nobody asked for (of a webhook or a job) in all chats together, by the hour
 * and by source (I13): no source floods a person or silences another. Cards count apart, so that
 * news of a job never hides its question. The last text of an hour is for the sentence that more
 * were left out. A slot whose try crashed stays taken.
 */

import { HOUR_S } from '../base/limits.ts';
import { shortName } from '../money/day-spend.ts';
import { type Action, isText } from '../signal/action.ts';
import { sendsMessages } from '../signal/channels.ts';
import type { Signal } from '../signal/signal.ts';
import { absent, allOf, anyOf, below, type Condition } from '../store/condition.ts';
import type { Key } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import { updateIf } from '../store/update-if.ts';

/** Unasked texts to chats in one hour, and as many cards (I13). */
const HOME_CHAT_TEXTS_PER_HOUR_MAX = 12;
/** Unasked texts of one source in one hour, and as many cards: room stays for others. */
const HOME_CHAT_SOURCE_TEXTS_PER_HOUR_MAX = 8;

/** Reason of a text that came after them. */
export const OVER_THE_HOUR = `jobs and events send ${HOME_CHAT_TEXTS_PER_HOUR_MAX} texts an hour, ${HOME_CHAT_SOURCE_TEXTS_PER_HOUR_MAX} of one of them`;
/** Template of the text that says so, once an hour. */
export const HOUR_FULL = 'hour-full';

/** Template of the text that tells the owner about a stopped conversation. */
export const SESSION_STOPPED = 'session-stopped';

/** Conversations that no person began. */
const UNASKED = ['webhook:', 'job:'] as const;

/** True if a text of this signal goes to people who did not ask for it. */
export const isUnasked = (signal: Pick<Signal, 'session' | 'reply'>, action: Action): boolean =>
  UNASKED.some((prefix) => signal.session.startsWith(prefix)) &&
  isText(action) &&
  sendsMessages(action.target) &&
  // A changed card is no further text, and an unseen stop would be no stop.
  action.edits === undefined &&
  !(action.author === 'code' && action.template === SESSION_STOPPED);

const hourKey = (space: string, hour: number): Key => ({ pk: `session#${space}#home-chat`, sk: `hour#${hour}` });

/** @returns false if the hour's texts or cards, or those of this conversation, are used up */
export const takeHomeChatSlot = async (
  table: Pick<Table, 'update'>,
  { space, session }: Pick<Signal, 'space' | 'session'>,
  { card, template }: Pick<Action, 'card' | 'template'>,
  now: number,
): Promise<boolean> => {
  const hour = Math.floor(now / 1000 / HOUR_S);
  const [all, prefix] = card === undefined ? ['texts', 'from_'] : ['cards', 'cards_'];
  const isNotice = template === HOUR_FULL;
  const own = isNotice ? 'told' : `${prefix}${shortName(session)}`;
  const reserved = isNotice || card !== undefined ? 0 : 1;
  const hasRoom: Condition = {
    name: 'the home chat has room this hour',
    holds: allOf(
      anyOf(absent(all), below(all, HOME_CHAT_TEXTS_PER_HOUR_MAX - reserved)),
      anyOf(absent(own), below(own, isNotice ? 1 : HOME_CHAT_SOURCE_TEXTS_PER_HOUR_MAX)),
    ),
  };
  return updateIf(
    table,
    hourKey(space, hour),
    { add: { [all]: 1, [own]: 1 }, set: { schemaVersion: 1, expiresAt: (hour + 2) * HOUR_S } },
    hasRoom,
  );
};
