/**
 * Tells people of a channel that took no messages for a while: once for all conversations, by
 * whichever text gets through first; and in its conversation of each text that may not have
 * arrived, or waited for too long. Takes what Act performed of one signal; gives the notices'
 * signals, to be published. Repeating it changes nothing.
 */
import { shown } from '../../approvals/card.ts';
import { ConditionError } from '../../base/errors.ts';
import { type Notice, notices } from '../../judge/notices.ts';
import { saveNotice } from '../../judge/notify.ts';
import { parseRecord } from '../../ledger/ledger.ts';
import type { Action } from '../../signal/action.ts';
import type { Effect } from '../../signal/decision.ts';
import { doubtSuffix, MAY_BE_LOST } from '../../signal/ids.ts';
import type { Signal } from '../../signal/signal.ts';
import { absent, anyOf, below, type Condition, equals } from '../../store/condition.ts';
import { signalKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Table } from '../../store/table.ts';
import { defang } from '../../text/tappable.ts';
import type { ActDeps } from './act-deps.ts';
import type { Finished } from './finish.ts';

/** A shorter wait is no news. */
const OUTAGE_TOLD_MS_MIN = 10_000;

/**
 * Nobody was told since the text began to wait, or this signal told it: then it is this signal's to
 * tell.
 */
const isFirstBack = async (table: Pick<Table, 'update'>, signal: Signal, since: number, now: number) => {
  const isUntold: Condition = {
    name: 'nobody was told that Telegram is back',
    holds: anyOf(absent('at'), below('at', since), equals('by', signal.id)),
  };
  try {
    const key = { pk: `session#${signal.space}#telegram`, sk: 'back' };
    await table.update(key, { set: { schemaVersion: 1, at: now, by: signal.id } }, isUntold);
    return true;
  } catch (error) {
    if (error instanceof ConditionError) return false;
    throw error;
  }
};

const noticeOfReturn = async (deps: ActDeps, signal: Signal, effect: Effect): Promise<Notice | undefined> => {
  const { waitingSince: since, settledAt: until = deps.now(), state } = effect;
  if (state !== 'done' || since === undefined || until - since < OUTAGE_TOLD_MS_MIN) return undefined;
  if (!(await isFirstBack(deps.table, signal, since, until))) return undefined;
  return notices.channelBack(since, until, deps.homeChat ? { target: 'telegram', to: deps.homeChat } : signal.reply);
};

/** Of the words that name a text. */
const NAMED_CHARS_MAX = 48;

/** The owner's own words, on one line and without links; empty for a turn that nobody typed. */
const wordsOf = ({ payload }: Signal): string => {
  if (payload.sensor === 'command') return `/${payload.name} ${payload.rest}`;
  const pieces = 'text' in payload ? payload.text.filter(({ origin }) => origin === 'owner') : [];
  return pieces.map(({ text }) => text).join(' ');
};

const nameText = (root: Signal): string => {
  const words = shown(defang(wordsOf(root).replace(/\s+/g, ' ').trim()));
  const cut = words.length > NAMED_CHARS_MAX ? `${words.slice(0, NAMED_CHARS_MAX).toWellFormed()}…` : words;
  const time = new Date(root.receivedAt).toISOString().slice(11, 16);
  return cut === '' ? `My message about what came at ${time} UTC` : `My answer to “${cut}”`;
};

const loadRoot = async (deps: ActDeps, signal: Signal): Promise<Signal> => {
  if (signal.id === signal.root) return signal;
  const item = await loadItem(deps.table, signalKeys.record(signal.space, signal.root));
  return item === undefined ? signal : parseRecord(signal.root, item).signal;
};

/** Chats that are not served get one text a day. */
const UNSERVED = ['unpaired-chat', 'pairing'];

const isInDoubt = ({ state, waitingSince }: Effect, { target, template }: Action, signal: Signal): boolean =>
  (state === 'unknown' || (state === 'failed' && waitingSince !== undefined)) &&
  target === 'telegram' &&
  template !== MAY_BE_LOST &&
  !UNSERVED.includes(signal.payload.sensor);

const noticeOfDoubt = async (deps: ActDeps, signal: Signal, effect: Effect): Promise<Notice> => {
  const problem = effect.state === 'failed' ? (effect.reason ?? 'its channel took nothing') : undefined;
  return notices.mayBeLost(nameText(await loadRoot(deps, signal)), problem, `${signal.id}#${effect.n}`);
};

export const tellChannel = async (
  deps: ActDeps,
  { record: { signal }, decision, performed }: Finished,
): Promise<readonly Signal[]> => {
  const told: Signal[] = [];
  const tell = async (suffix: string, notice: Notice): Promise<void> => {
    const context = { gateSet: deps.gateSet, now: deps.now() };
    told.push((await saveNotice(deps.table, context, signal, suffix, notice)).signal);
  };
  for (const { effect } of performed) {
    const action = decision.actions[effect.n]?.action;
    if (action !== undefined && isInDoubt(effect, action, signal))
      await tell(doubtSuffix(effect.n, effect.tries), await noticeOfDoubt(deps, signal, effect));
    const back = await noticeOfReturn(deps, signal, effect);
    if (back !== undefined) await tell(`back-${effect.n}`, back);
  }
  return told;
};
