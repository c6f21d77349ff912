/**
 * The people who are served and who may approve on Telegram, as the settings say: authority and not
 * memory (I14). The ingress reads them with each update, so that a change holds for the next one.
 * Act changes them after a yes; at least one person who may approve always remains. Paired chats
 * are in `paired-chats.ts`.
 */

import { ProtocolError } from '../base/errors.ts';
import { latestDataWrite } from '../store/data-version.ts';
import { CommaList } from '../store/setting-forms.ts';
import type { TELEGRAM_RIGHTS } from '../store/settings.ts';
import type { Table } from '../store/table.ts';
import { changeOwnerSetting } from './change-owner-setting.ts';
import { liveField } from './live-settings.ts';
import { loadOwnerSettings, type OwnerSettings, settingOf } from './owner-settings.ts';
import type { ChatPowers } from './paired-chats.ts';

type TelegramRight = (typeof TELEGRAM_RIGHTS)[number];

/** Ids as text. */
export type TelegramRights = Readonly<Record<TelegramRight, readonly string[]>>;

/** A stored value wins over the environment's. Pure. */
export const telegramRightsOf = (settings: OwnerSettings, configured: TelegramRights): TelegramRights => {
  const of = (name: TelegramRight): readonly string[] => {
    const stored = settingOf(settings, liveField(name));
    return stored === '' ? configured[name] : CommaList.parse(stored);
  };
  return { TELEGRAM_ALLOWED_CHATS: of('TELEGRAM_ALLOWED_CHATS'), TELEGRAM_APPROVERS: of('TELEGRAM_APPROVERS') };
};

export interface SettingPowers {
  /** @param value empty for the environment's @throws ProtocolError if nobody could approve */
  readonly change: (name: TelegramRight, value: string, signal: string, by: string, now: number) => Promise<string>;
}

/** In a private chat its only person may approve; in a group, people who are named. */
const hasApprover = (rights: TelegramRights, paired: readonly string[]): boolean => {
  const served = [...rights.TELEGRAM_ALLOWED_CHATS, ...paired];
  return served.some((id) => !id.startsWith('-')) || (served.length > 0 && rights.TELEGRAM_APPROVERS.length > 0);
};

export const buildSettingPowers = (
  table: Pick<Table, 'load' | 'transact'>,
  space: string,
  chats: Pick<ChatPowers, 'list'>,
  configured: TelegramRights,
): SettingPowers => ({
  change: async (name, value, id, by, at) => {
    const settings = await loadOwnerSettings(table, space);
    const fields = { ...settings.fields, [liveField(name)]: { value, by, at } };
    const paired = (await chats.list()).map((chat) => chat.id);
    if (!hasApprover(telegramRightsOf({ ...settings, fields }, configured), paired))
      throw new ProtocolError(
        'then nobody could approve on Telegram: first let in the private chat of another approver',
      );
    const signal = { id, space, sender: { id: by, isApprover: true }, receivedAt: at };
    const changed = await changeOwnerSetting(table, signal, liveField(name), value, [latestDataWrite(space)]);
    const { [name]: ids } = telegramRightsOf(changed, configured);
    return `${name} is ${ids.join(',') || 'nobody'} now, in version ${changed.round} of the settings. It holds for the next message.`;
  },
});
