/**
 * The list of channels: the places where people talk with the agent. The console's row is here, the
 * others are features. Outside a channel's own code nothing names one: a stage asks here what a
 * channel can do. Pure.
 */
import * as z from 'zod/mini';
import { FEATURE_CHANNELS } from '../../features/channels.ts';

export interface Channel {
  /** The form of a place's name: a chat, or a console session. */
  readonly to: RegExp;
  /** As people write it. */
  readonly name: string;
  /** Stands before the name of a place in a sentence. */
  readonly words: string;
  /** The same behind a German “an”. */
  readonly wordsInGerman: string;
  /** The name of a chat in settings and commands, for somebody who gave another. */
  readonly example?: string;
  /** The asker that people here are if they may not approve. */
  readonly speaker: 'owner' | 'member';
  /**
   * A text is sent as messages, which have buttons and links and can be changed later, and the
   * answer to a sending can be lost. Otherwise a text is stored, and clients fetch it.
   */
  readonly sendsMessages: boolean;
  /** Others read along. */
  readonly isGroup: (to: string) => boolean;
  /** Parts of a group are conversations of their own. */
  readonly hasTopics?: true;
  /** An answer can be said aloud, as a message of its own. */
  readonly saysAloud?: true;
  /**
   * Others may be able to write as a person does, so nothing typed is a command, a stop or an
   * approval, and no message has buttons or can be changed later: a card is decided elsewhere.
   */
  readonly takesWordsOnly?: true;
  /**
   * Settings, pairings and cards name a place by its `to` alone, and those of other channels by
   * `<channel>:<to>`. One channel at most, whose names were stored before there were others.
   */
  readonly isNamedAlone?: true;
  /** The setting without which nothing can be sent. */
  readonly tokenSetting?: string;
  /** Live settings that name the chats it serves besides paired ones, and who may approve. */
  readonly rights?: { readonly chats: string; readonly approvers: string };
}

const CONSOLE: Channel = {
  to: /^.{0,128}$/s,
  name: 'console',
  words: 'the console',
  wordsInGerman: 'die Konsole',
  speaker: 'owner',
  sendsMessages: false,
  isGroup: () => false,
};

const ROWS = { ...FEATURE_CHANNELS, console: CONSOLE };
export type ChannelId = keyof typeof ROWS;
export const CHANNELS: Readonly<Record<ChannelId, Channel>> = ROWS;
const isChannelId = (id: string): id is ChannelId => Object.hasOwn(CHANNELS, id);
const CHANNEL_IDS = Object.keys(CHANNELS).filter(isChannelId);
export const ChannelId = z.enum(CHANNEL_IDS);

const RIGHTS = CHANNEL_IDS.flatMap((id) => CHANNELS[id].rights ?? []);
/** Settings that say who may use the agent: a change of one asks an approver. */
export const RIGHT_SETTINGS: readonly string[] = RIGHTS.flatMap(({ chats, approvers }) => [chats, approvers]);
/** In a sentence: the settings that name approvers. */
export const APPROVER_SETTINGS = RIGHTS.map(({ approvers }) => approvers).join(' or ');

/** A place that may be one of a channel. */
interface ChannelTarget {
  readonly target: string;
  readonly to?: string | undefined;
}

/** @param id of a channel; undefined for another target, such as a tool */
export const findChannel = (id: string): Channel | undefined => (isChannelId(id) ? CHANNELS[id] : undefined);

export const sendsMessages = (target: string): boolean => findChannel(target)?.sendsMessages === true;

export const isGroup = ({ target, to = '' }: ChannelTarget): boolean => findChannel(target)?.isGroup(to) === true;

/** Gets what nobody asked for if there is no home chat. */
export const MAIN_CONSOLE: { readonly target: ChannelId; readonly to: string } = { target: 'console', to: 'main' };

const NAMED_ALONE = CHANNEL_IDS.find((id) => CHANNELS[id].isNamedAlone);

/** The name of a chat in settings, pairings, cards and commands. */
export const chatOf = ({ target, to = '' }: ChannelTarget): string => (target === NAMED_ALONE ? to : `${target}:${to}`);

/** The place of a chat that settings, pairings or cards name. */
export const chatRoute = (chat: string): { readonly target: ChannelId; readonly to: string } => {
  const [id = '', ...rest] = chat.split(':');
  return isChannelId(id) && sendsMessages(id) && id !== NAMED_ALONE
    ? { target: id, to: rest.join(':') }
    : { target: NAMED_ALONE ?? MAIN_CONSOLE.target, to: chat };
};

/** The settings of a function, of which some name chats and people. */
export type Configured = Readonly<Record<string, unknown>>;
export const idsIn = (configured: Configured, name: string): readonly string[] => {
  const { [name]: ids } = configured;
  return Array.isArray(ids) ? ids.map(String) : [];
};
/** The chats that the settings of all channels name. */
export const chatsServed = (configured: Configured): readonly string[] =>
  CHANNEL_IDS.flatMap((target) =>
    idsIn(configured, CHANNELS[target].rights?.chats ?? '').map((to) => chatOf({ target, to })),
  );

const CHATS = CHANNEL_IDS.filter(sendsMessages).map((id) => ({ id, ...CHANNELS[id] }));
const CHAT = new RegExp(
  CHATS.map(({ id, to }) => (id === NAMED_ALONE ? to.source : to.source.replace('^', `^${id}:`))).join('|'),
);
export const isChat = (chat: string): boolean => CHAT.test(chat);
/** A chat of one person, to which messages are sent. */
export const isPrivateChat = (place: ChannelTarget): boolean => isChat(chatOf(place)) && !isGroup(place);
/** The name of a chat, as a person or a setting gives it. */
export const ChatId = z
  .string()
  .check(
    z.regex(CHAT, { error: `must be the id of a chat, such as ${CHATS.map(({ example }) => example).join(' or ')}` }),
  );

/** A topic of a group is a conversation of its own. */
export const chatSession = (chat: string, topic?: number): string => {
  const { target, to } = chatRoute(chat);
  return `${target}:${to}${topic === undefined ? '' : `:${topic}`}`;
};
/** The chat of a conversation, whatever its topic; undefined for a session of another kind. */
export const chatOfSession = (session: string): string | undefined => {
  const [target = '', ...rest] = session.split(':');
  if (!sendsMessages(target)) return undefined;
  const to = rest.join(':');
  return chatOf({ target, to: findChannel(target)?.to.test(to) === true ? to : to.replace(/:\d+$/, '') });
};

/** Nobody reads it: cards of what is offered here go to the home chat, or else the main session. */
export const SKILLS_DIR_SESSION = 'skills-dir';
export const isSkillsDir = ({ target, to }: ChannelTarget): boolean =>
  target === MAIN_CONSOLE.target && to === SKILLS_DIR_SESSION;
/** The home chat; undefined without one. @param homeChat the setting HOME_CHAT */
export const homeRoute = (homeChat: string | undefined): ReturnType<typeof chatRoute> | undefined =>
  homeChat === undefined || homeChat === '' ? undefined : chatRoute(homeChat);

/** No person began the conversation: a service or a job did. */
export const isUnasked = (session: string): boolean => session.startsWith('webhook:') || session.startsWith('job:');
