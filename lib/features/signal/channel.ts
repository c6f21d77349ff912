/** Signal as a channel: a chat is a person's account id, or a group's id behind `group.`. */
import type { Channel } from '../../core/signal/channels.ts';

export const RIGHTS = { chats: 'SIGNAL_ALLOWED_CHATS', approvers: 'SIGNAL_APPROVERS' } as const;

const GROUP = 'group.';

export const signalChannel: Channel = {
  to: /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|group\.[A-Za-z0-9_-]{10,64})$/,
  name: 'Signal',
  words: 'the Signal chat',
  wordsInGerman: 'den Signal-Chat',
  example: 'signal:0f8fad5b-d9cb-469f-a165-70867728950e',
  speaker: 'member',
  sendsMessages: true,
  isGroup: (to) => to.startsWith(GROUP),
  tokenSetting: 'SIGNAL_URL',
  rights: RIGHTS,
};

/** @param id of a group, in Base64, as signal-cli names it */
export const groupName = (id: string): string => `${GROUP}${Buffer.from(id, 'base64').toString('base64url')}`;

/** The parameter of signal-cli's commands that names a chat. */
export const recipientOf = (to: string): { readonly groupId: string } | { readonly recipient: string } =>
  to.startsWith(GROUP)
    ? { groupId: Buffer.from(to.slice(GROUP.length), 'base64url').toString('base64') }
    : { recipient: to };
