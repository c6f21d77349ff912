/**
 * Answers a chat that is not served. A person pairs it by typing a code that an approver made. Any
 * other message from such a chat gets one polite refusal a day, without a model call. In a group
 * that is served already a code opens nothing: an approver's ends there, a member's is ignored.
 */

import { createHash } from 'node:crypto';
import { DAY_MS } from '../../core/base/limits.ts';
import type { Unpaired } from '../../core/channels/channel.ts';
import { acceptSignal } from '../../core/ledger/accept.ts';
import { changeOwnerSetting } from '../../core/ledger/change-owner-setting.ts';
import { languageField, loadOwnerSettings, settingOf } from '../../core/ledger/owner-settings.ts';
import { pairedChatKey, removalOf } from '../../core/ledger/paired-chats.ts';
import { pairingCodeKey } from '../../core/ledger/pairing-code.ts';
import { chatOf, isGroup } from '../../core/signal/channels.ts';
import type { Payload, Signal } from '../../core/signal/signal.ts';
import { above, absent, allOf, anyOf, below, type Condition, equals, present } from '../../core/store/condition.ts';
import { latestDataWrite } from '../../core/store/data-version.ts';
import { pairingKey } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { putOnce } from '../../core/store/put-once.ts';
import { updateIf } from '../../core/store/update-if.ts';
import type { ChatDeps } from './accept-intake.ts';
import { buildChatSignal } from './chat-signal.ts';

/** Codes one person may try a day: guessing 40 bits is hopeless, and others have their own. */
export const PAIRING_FAILURES_MAX = 5;
/** Records against repeats live a week: a channel sends an update again for days, not weeks. */
const REFUSAL_RETENTION_MS = 7 * DAY_MS;

/** Answers a chat that is not served: pairs it if it brought a valid code, else refuses it. */
export const answerUnpaired = async (deps: ChatDeps, intake: Unpaired): Promise<void> => {
  const { pairingCode: code } = intake;
  if (code === undefined) {
    if (await isFirstToday(deps, intake)) await acceptReply(deps, intake, { sensor: 'unpaired-chat' });
    return;
  }
  if (!(await mayTryCode(deps, intake))) return;
  const outcome = (await spendCode(deps, intake, code)) ? 'paired' : 'wrong-code';
  if (outcome === 'paired') await setLanguage(deps, intake);
  await acceptReply(deps, intake, { sensor: 'pairing', outcome });
};

/** A chat speaks as its person's Telegram does, unless somebody chose otherwise here. */
const setLanguage = async (
  { table, channel: target, config: { space }, now: receivedAt }: ChatDeps,
  { signalId: id, place, userId, language }: Unpaired,
): Promise<void> => {
  const field = languageField({ target, to: place.to });
  if (language === undefined || settingOf(await loadOwnerSettings(table, space), field) !== '') return;
  const by = { id, space, sender: { id: `${target}:${userId}`, isApprover: false }, receivedAt };
  await changeOwnerSetting(table, by, field, language, [latestDataWrite(space)]);
};

const acceptReply = (deps: ChatDeps, { signalId, place, userId }: Unpaired, payload: Payload) =>
  acceptSignal(
    deps,
    buildChatSignal({
      channel: deps.channel,
      id: signalId,
      space: deps.config.space,
      place,
      sender: { id: `${deps.channel}:${userId}`, isApprover: false },
      receivedAt: deps.now,
      payload,
    }),
  );

const dayNumber = (now: number): number => Math.floor(now / DAY_MS);
const expiresAt = (now: number): number => Math.ceil((now + REFUSAL_RETENTION_MS) / 1000);

/** True for a chat's first message a day, or since its removal, and for repeats of it. */
const isFirstToday = async ({ table, channel, config, now }: ChatDeps, { place: { to }, signalId }: Unpaired) => {
  const chatId = chatOf({ target: channel, to });
  const { at } = removalOf(await loadItem(table, pairedChatKey(config.space, chatId))) ?? {};
  const since = at === undefined ? '' : `#${at}`;
  const key = pairingKey(config.space, `refused#${chatId}#${dayNumber(now)}${since}`);
  const stored = await putOnce(table, key, { schemaVersion: 1, signalId, expiresAt: expiresAt(now) });
  return stored === 'put' || stored.signalId === signalId;
};

/** Counts the codes that a person tries in a chat in a day. */
const mayTryCode = (
  { table, channel, config, now }: ChatDeps,
  { place: { to }, userId }: Unpaired,
): Promise<boolean> => {
  const chatId = chatOf({ target: channel, to });
  const isUnder: Condition = {
    name: 'few codes tried today',
    holds: anyOf(absent('tries'), below('tries', PAIRING_FAILURES_MAX)),
  };
  const change = { add: { tries: 1 }, set: { schemaVersion: 1, expiresAt: expiresAt(now) } };
  return updateIf(table, pairingKey(config.space, `tries#${chatId}#${userId}#${dayNumber(now)}`), change, isUnder);
};

/**
 * A code is spent once, by the first update that brings it. Only a repeat of that very update
 * succeeds again: a removed chat must not come back by the code that it knows.
 */
const spendCode = async (deps: ChatDeps, intake: Unpaired, code: string): Promise<boolean> => {
  const { table, channel, config, now } = deps;
  const { place, userId, signalId } = intake;
  const isGood: Condition = {
    name: 'code exists, is not expired, and not spent by another message',
    holds: allOf(present('pk'), above('expiresAtMs', now), anyOf(absent('spentOn'), equals('spentOn', signalId))),
  };
  if (!(await updateIf(table, pairingCodeKey(config.space, code), { set: { spentOn: signalId } }, isGood)))
    return false;
  const by = createHash('sha256').update(userId).digest('hex').slice(0, 16);
  const chat = chatOf({ target: channel, to: place.to });
  await table.put(pairedChatKey(config.space, chat), { schemaVersion: 1, pairedAt: now, by });
  return true;
};

/** A possible code within a text: eight letters and digits, perhaps in two halves. */
const MAY_BE_CODE = /(?<![0-9A-Za-z])[0-9A-Za-z]{4}[ -]?[0-9A-Za-z]{4}(?![0-9A-Za-z])/g;
/** Of one message: more are no slip. */
const SHOWN_CODES_MAX = 5;

/** Few words are all capitals, or have a digit. */
const isNoWord = (text: string): boolean => /\d/.test(text) || text === text.toUpperCase();

const codesIn = (payload: Payload): readonly string[] => {
  if (payload.sensor !== 'command' && payload.sensor !== 'chat-message') return [];
  const isPairing = payload.sensor === 'command' && (payload.name === 'pair' || payload.name === 'start');
  const texts = payload.sensor === 'command' ? [payload.rest] : payload.text.map(({ text }) => text);
  const whole = isPairing ? texts.map((text) => text.trim()).filter((text) => text !== '') : [];
  const within = texts.flatMap((text) => text.match(MAY_BE_CODE) ?? []).filter(isNoWord);
  return [...new Set([...whole, ...within])].slice(0, SHOWN_CODES_MAX);
};

/**
 * Ends a code that an approver wrote into a group that is served, with a command or in a sentence:
 * everybody there has read it, and could pair a chat of their own, in which they would be an
 * approver. A member ends none.
 */
export const endShownCode = async (
  { table, config }: Pick<ChatDeps, 'table' | 'config'>,
  { id, sender, reply, payload }: Signal,
): Promise<void> => {
  if (!isGroup(reply) || !sender.isApprover) return;
  const isOpen: Condition = { name: 'code is not spent', holds: allOf(present('pk'), absent('spentOn')) };
  for (const code of codesIn(payload))
    await updateIf(table, pairingCodeKey(config.space, code), { set: { spentOn: `shown in ${id}` } }, isOpen);
};
