/**
 * The list of channels: the places where people talk with the agent. Outside this file and a
 * channel's own code, nothing names one: a stage asks here what a channel can do. Pure.
 */
import * as z from 'zod/mini';

const CHANNEL_IDS = ['telegram', 'console'] as const;
export const ChannelId = z.enum(CHANNEL_IDS);
export type ChannelId = z.infer<typeof ChannelId>;

/** Telegram's id of a chat; groups have negative ones. */
export const ChatId = z.string().check(z.regex(/^-?\d{1,19}$/, { error: 'must be the id of a chat, a number' }));

export interface Channel {
  /** The form of a place's name: a chat, or a console session. */
  readonly to: RegExp;
  /** Stands before the name of a place in a sentence. */
  readonly words: string;
  /** The asker that people here are if they may not approve. */
  readonly speaker: 'owner' | 'member';
  /**
   * A text is sent as messages, which have buttons and links and can be changed later, and the
   * answer to a sending can be lost. Otherwise a text is stored, and clients fetch it.
   */
  readonly sendsMessages: boolean;
  /** Others read along. */
  readonly isGroup: (to: string) => boolean;
}

export const CHANNELS: Readonly<Record<ChannelId, Channel>> = {
  telegram: {
    to: /^-?\d{1,19}$/,
    words: 'the Telegram chat',
    speaker: 'member',
    sendsMessages: true,
    isGroup: (to) => to.startsWith('-'),
  },
  console: {
    to: /^.{0,128}$/s,
    words: 'the console',
    speaker: 'owner',
    sendsMessages: false,
    isGroup: () => false,
  },
};

interface Place {
  readonly target: string;
  readonly to: string;
}

/** @param id of a channel; undefined for another target, such as a tool */
export const findChannel = (id: string): Channel | undefined => {
  const { data } = ChannelId.safeParse(id);
  return data === undefined ? undefined : CHANNELS[data];
};

export const sendsMessages = (target: string): boolean => findChannel(target)?.sendsMessages === true;

export const isGroup = ({ target, to }: Place): boolean => findChannel(target)?.isGroup(to) === true;

/** A chat of one person, to which messages are sent. */
export const isPrivateChat = ({ target, to }: Place): boolean => {
  const channel = findChannel(target);
  return channel?.sendsMessages === true && channel.to.test(to) && !channel.isGroup(to);
};

/** Settings, pairings and cards name a chat of this channel by its id alone. */
const CHAT_CHANNEL: ChannelId = 'telegram';
export const chatRoute = (chat: string): { target: ChannelId; to: string } => ({ target: CHAT_CHANNEL, to: chat });
/** A topic of a group is a conversation of its own. */
export const chatSession = (chat: string, topic?: number): string =>
  `${CHAT_CHANNEL}:${chat}${topic === undefined ? '' : `:${topic}`}`;
/** The chat of a conversation, whatever its topic; undefined for a session of another kind. */
export const chatOfSession = (session: string): string | undefined => {
  const [channel, chat] = session.split(':');
  return channel === CHAT_CHANNEL ? chat : undefined;
};

/** Gets what nobody asked for if there is no home chat. */
export const MAIN_CONSOLE: { readonly target: ChannelId; readonly to: string } = { target: 'console', to: 'main' };
/** Nobody reads it: cards of what is offered here go to the home chat, or else the main session. */
export const SKILLS_DIR_SESSION = 'skills-dir';
export const isSkillsDir = ({ target, to }: { readonly target: string; readonly to: string }): boolean =>
  target === MAIN_CONSOLE.target && to === SKILLS_DIR_SESSION;
/** The home chat; undefined without one. @param homeChat the setting HOME_CHAT */
export const homeRoute = (homeChat: string | undefined): ReturnType<typeof chatRoute> | undefined =>
  homeChat === undefined || homeChat === '' ? undefined : chatRoute(homeChat);

/** No person began the conversation: a service or a job did. */
export const isUnasked = (session: string): boolean => session.startsWith('webhook:') || session.startsWith('job:');
