/** Tells of a text that may be lost, or was not sent though somebody would read it. */
import { showPlainly } from '../../../approvals/show-plainly.ts';
import { utcMinute } from '../../../base/utc-minute.ts';
import { type AnsweredWords, notices } from '../../../judge/notices.ts';
import { NEWS_DIGEST } from '../../../ledger/digests.ts';
import { codeOfEffect } from '../../../ledger/old-sentences.ts';
import type { Action } from '../../../signal/action.ts';
import { sendsMessages } from '../../../signal/channels.ts';
import type { Effect } from '../../../signal/decision.ts';
import { doubtSuffix, MAY_BE_LOST, VOICE_NOTE } from '../../../signal/ids.ts';
import type { Signal } from '../../../signal/signal.ts';
import { defang } from '../../../text/tappable.ts';
import type { EffectNotice } from '../after.ts';
import { loadRoot } from '../load-decision.ts';

/** Characters of the words that name a text. */
const NAMED_CHARS_MAX = 48;

/** The owner's own words, on one line and without links; empty if no person typed the turn. */
const ownerWords = ({ payload }: Signal): string => {
  if (payload.sensor === 'command') return `/${payload.name} ${payload.rest}`;
  const pieces = 'text' in payload ? payload.text.filter(({ origin }) => origin === 'owner') : [];
  return pieces.map(({ text }) => text).join(' ');
};

const nameAnswer = (root: Signal): AnsweredWords => {
  const words = showPlainly(defang(ownerWords(root).replace(/\s+/g, ' ').trim()));
  const cut = words.length > NAMED_CHARS_MAX ? `${words.slice(0, NAMED_CHARS_MAX).toWellFormed()}…` : words;
  return { words: cut, time: utcMinute(root.receivedAt) };
};

/** Chats that are not served get one text a day. */
const UNSERVED = ['unpaired-chat', 'pairing'];

/** A digest comes again. */
const isInDoubt = (effect: Effect, { target, template, edits }: Action, signal: Signal): boolean =>
  (effect.state === 'unknown' ||
    (effect.state === 'failed' &&
      edits === undefined &&
      template !== NEWS_DIGEST &&
      codeOfEffect(effect)?.code !== 'bot-blocked')) &&
  sendsMessages(target) &&
  template !== MAY_BE_LOST &&
  template !== VOICE_NOTE &&
  !UNSERVED.includes(signal.payload.sensor);

export const doubtNotice: EffectNotice['build'] = async ({ table }, { record: { signal } }, { effect, action }) => {
  if (!isInDoubt(effect, action, signal)) return undefined;
  const problem = effect.state === 'failed' ? (effect.reason ?? '') : undefined;
  const answered = nameAnswer(await loadRoot(table, signal));
  const notice = notices.mayBeLost(answered, problem, `${signal.id}#${effect.n}`);
  return { suffix: doubtSuffix(effect.n, effect.tries), notice };
};
