/**
 * The share of texts that nobody asked for (of a webhook or a job): so many an hour in all chats
 * together, and of one source, come one by one (I13). No source floods a person or silences
 * another. Further ones go into a digest (`digests.ts`). A slot whose try crashed stays taken.
 */

import { HOUR_S } from '../base/limits.ts';
import { shortName } from '../money/day-spend.ts';
import { type Action, isText } from '../signal/action.ts';
import { isUnasked, sendsMessages } from '../signal/channels.ts';
import type { Signal } from '../signal/signal.ts';
import { absent, allOf, anyOf, below, type Condition } from '../store/condition.ts';
import type { Key } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import { updateIf } from '../store/update-if.ts';

/** Routine texts to chats in one hour that come one by one (I13). */
const HOME_CHAT_TEXTS_PER_HOUR_MAX = 12;
/** Those of one source: room stays for others. */
const HOME_CHAT_SOURCE_TEXTS_PER_HOUR_MAX = 8;

/** Template of the text that tells the owner about a stopped conversation. */
export const SESSION_STOPPED = 'session-stopped';

/** Texts of code that take a share. */
const ROUTINE: readonly string[] = ['command-result', 'run-ended'];
/** Of a job, the first of them in a row is told at once. */
const FAILURES: readonly string[] = [
  ...['run-failed', 'command-failed', 'job-did-nothing', 'broken', 'refused', 'too-deep', 'too-long', 'mailbox-full'],
  ...['no-model', 'withheld', 'over-budget', 'not-asked'],
];

const isNews = ({ session }: Pick<Signal, 'session'>, action: Action): boolean =>
  isUnasked(session) &&
  isText(action) &&
  sendsMessages(action.target) &&
  action.edits === undefined &&
  action.card === undefined;

/**
 * The kind of a text that may wait for a digest, unless a person waits for it. Undefined for any
 * other, such as a stop, a pause, a missed run or a question: a source asks one at a time.
 */
export const newsKind = (signal: Pick<Signal, 'session'>, action: Action): 'routine' | 'failure' | undefined => {
  const { author, template = '' } = action;
  if (!isNews(signal, action) || author === 'owner') return undefined;
  if (author === 'model' || ROUTINE.includes(template)) return 'routine';
  return FAILURES.includes(template) ? 'failure' : undefined;
};

/** Texts of one source an hour that come one by one. The input `hourly` of a runbook lowers it. */
export const hourlyShare = (inputs: Readonly<Record<string, string>> = {}): number => {
  const { hourly = '' } = inputs;
  const most = HOME_CHAT_SOURCE_TEXTS_PER_HOUR_MAX;
  return /^[1-9]\d{0,3}$/.test(hourly) ? Math.min(most, Number(hourly)) : most;
};

const hourKey = (space: string, hour: number): Key => ({ pk: `session#${space}#home-chat`, sk: `hour#${hour}` });

/**
 * @param at when the text reaches its chat @param most texts of this conversation
 * @returns false if the hour's texts, or those of this conversation, are used up
 */
export const takeHomeChatSlot = async (
  table: Pick<Table, 'update'>,
  { space, session }: Pick<Signal, 'space' | 'session'>,
  at: number,
  most = hourlyShare(),
): Promise<boolean> => {
  const hour = Math.floor(at / 1000 / HOUR_S);
  const [all, own] = ['texts', `from_${shortName(session)}`];
  const hasRoom: Condition = {
    name: 'the home chat has room this hour',
    holds: allOf(anyOf(absent(all), below(all, HOME_CHAT_TEXTS_PER_HOUR_MAX)), anyOf(absent(own), below(own, most))),
  };
  return updateIf(
    table,
    hourKey(space, hour),
    { add: { [all]: 1, [own]: 1 }, set: { schemaVersion: 1, expiresAt: (hour + 2) * HOUR_S } },
    hasRoom,
  );
};
