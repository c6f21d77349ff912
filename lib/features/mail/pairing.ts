/**
 * Pairs an address by a code that its person mails, if the receiver vouches for the sender. Nobody
 * else is answered: most strangers' mails name somebody who did not write them.
 */
import { DAY_MS, SECOND_MS } from '../../core/base/limits.ts';
import type { Unpaired } from '../../core/channels/channel.ts';
import { acceptSignal } from '../../core/ledger/accept.ts';
import { changeOwnerSetting } from '../../core/ledger/change-owner-setting.ts';
import { languageField } from '../../core/ledger/owner-settings.ts';
import { pairedChatKey } from '../../core/ledger/paired-chats.ts';
import { pairingCodeKey } from '../../core/ledger/pairing-code.ts';
import { chatOf } from '../../core/signal/channels.ts';
import { above, absent, allOf, anyOf, below, equals, present } from '../../core/store/condition.ts';
import { latestDataWrite } from '../../core/store/data-version.ts';
import { pairingKey } from '../../core/store/keys.ts';
import { updateIf } from '../../core/store/update-if.ts';
import { buildMailSignal } from './parse-mail.ts';
import type { MailDoorDeps } from './receive.ts';
import { digestOf } from './threads.ts';

/** Codes one address may try a day: guessing 40 bits is hopeless, and others have their own. */
const PAIRING_FAILURES_MAX = 5;
const TRIES_RETENTION_MS = 7 * DAY_MS;

export const answerUnpaired = async (
  deps: Pick<MailDoorDeps, 'table' | 'config' | 'publish' | 'now'>,
  { signalId: id, place, userId, pairingCode: code, language }: Unpaired,
): Promise<void> => {
  const { table, config, now } = deps;
  if (code === undefined) return;
  const by = digestOf(userId).toString('hex').slice(0, 16);
  const isUnder = {
    name: 'few codes tried today',
    holds: anyOf(absent('tries'), below('tries', PAIRING_FAILURES_MAX)),
  };
  const expiresAt = Math.ceil((now + TRIES_RETENTION_MS) / SECOND_MS);
  const tries = pairingKey(config.space, `tries#mail#${by}#${Math.floor(now / DAY_MS)}`);
  if (!(await updateIf(table, tries, { add: { tries: 1 }, set: { schemaVersion: 1, expiresAt } }, isUnder))) return;
  // Only a repeat of that very mail succeeds again: a removed address does not come back by it.
  const isGood = {
    name: 'code exists, is not expired, and not spent by another message',
    holds: allOf(present('pk'), above('expiresAtMs', now), anyOf(absent('spentOn'), equals('spentOn', id))),
  };
  const isSpent = await updateIf(table, pairingCodeKey(config.space, code), { set: { spentOn: id } }, isGood);
  const chat = pairedChatKey(config.space, chatOf({ target: 'mail', to: place.to }));
  if (isSpent) await table.put(chat, { schemaVersion: 1, pairedAt: now, by });
  if (isSpent && language !== undefined) {
    const by = { id, space: config.space, sender: { id: `mail:${userId}`, isApprover: false }, receivedAt: now };
    const field = languageField({ target: 'mail', to: place.to });
    await changeOwnerSetting(table, by, field, language, [latestDataWrite(config.space)]);
  }
  const payload = { sensor: 'pairing', outcome: isSpent ? 'paired' : 'wrong-code' } as const;
  await acceptSignal(deps, buildMailSignal({ id, config: { ...config, now }, place, isProven: true, payload }));
};
