/**
 * The people who are served and who may approve in a channel's chats, as its settings say:
 * authority and not memory (I14). The ingress reads them with each update, so that a change holds
 * for the next one. Act changes them after a yes; at least one person who may approve always
 * remains. Paired chats are in `paired-chats.ts`.
 */

import { ProtocolError } from '../base/errors.ts';
import { CHANNELS, type Channel, type Configured, chatRoute, idsIn } from '../signal/channels.ts';
import { latestDataWrite } from '../store/data-version.ts';
import { CommaList } from '../store/setting-forms.ts';
import type { Table } from '../store/table.ts';
import { changeOwnerSetting } from './change-owner-setting.ts';
import type { ChatPowers } from './chat-powers.ts';
import { liveField } from './live-settings.ts';
import { loadOwnerSettings, type OwnerSettings, settingOf } from './owner-settings.ts';

type RightSettings = NonNullable<Channel['rights']>;

/** Ids as text. */
export interface ChatRights {
  readonly chats: readonly string[];
  readonly approvers: readonly string[];
}

const CHANNEL_RIGHTS = Object.entries(CHANNELS).flatMap(([target, { name, rights, isGroup }]) =>
  rights === undefined ? [] : [{ target, name, rights, isGroup }],
);

const storedIds = (settings: OwnerSettings, configured: Configured, name: string): readonly string[] => {
  const stored = settingOf(settings, liveField(name));
  return stored === '' ? idsIn(configured, name) : CommaList.parse(stored);
};

/** A stored value wins over the environment's. Pure. */
export const rightsOf = (
  { chats, approvers }: RightSettings,
  settings: OwnerSettings,
  configured: Configured,
): ChatRights => ({
  chats: storedIds(settings, configured, chats),
  approvers: storedIds(settings, configured, approvers),
});

export interface SettingPowers {
  /** @param value empty for the environment's @throws ProtocolError if nobody could approve */
  readonly change: (name: string, value: string, signal: string, by: string, now: number) => Promise<string>;
}

export const buildSettingPowers = (
  table: Pick<Table, 'load' | 'transact'>,
  space: string,
  chats: Pick<ChatPowers, 'list'>,
  configured: Configured,
): SettingPowers => ({
  change: async (name, value, id, by, at) => {
    const of = CHANNEL_RIGHTS.find(({ rights }) => [rights.chats, rights.approvers].includes(name));
    if (of === undefined) throw new ProtocolError(`${name} names neither chats nor approvers`);
    const settings = await loadOwnerSettings(table, space);
    const fields = { ...settings.fields, [liveField(name)]: { value, by, at } };
    const paired = (await chats.list()).map((chat) => chatRoute(chat.id)).filter(({ target }) => target === of.target);
    const rights = rightsOf(of.rights, { ...settings, fields }, configured);
    const served = [...rights.chats, ...paired.map(({ to }) => to)];
    // In a private chat its only person may approve; in a group, people who are named.
    if (!served.some((to) => !of.isGroup(to)) && (served.length === 0 || rights.approvers.length === 0))
      throw new ProtocolError(
        `then nobody could approve on ${of.name}: first let in the private chat of another approver`,
      );
    const signal = { id, space, sender: { id: by, isApprover: true }, receivedAt: at };
    const changed = await changeOwnerSetting(table, signal, liveField(name), value, [latestDataWrite(space)]);
    const ids = storedIds(changed, configured, name).join(',');
    return `${name} is ${ids || 'nobody'} now, in version ${changed.round} of the settings. It holds for the next message.`;
  },
});
