/** The verbs of settings: who the agent is, its model, its chats, and tools of other servers. */
import * as z from 'zod/mini';
import type { JsonObject } from '../../base/json.ts';
import { LANGUAGES, USUAL_LANGUAGE } from '../../base/language.ts';
import { oneOf } from '../../operations/one-of.ts';
import type { Change, ChangedSetting, Look } from '../../operations/operation.ts';
import { normaliseName } from '../../signal/action.ts';
import { ChatId } from '../../signal/channels.ts';

const list = { kind: 'change', args: z.strictObject({}), needs: 'owner', isDefault: true } as const;
const changing = { kind: 'change', needs: 'approver', isTypedYes: true } as const;

export const chatsList = {
  ...list,
  name: 'chats list',
  summary: 'the paired chats; a new one is paired in a terminal: npx passepartout pair',
  undoes: { 'remove-chat': '"npx passepartout pair" in a terminal pairs it anew.' },
  where: 'named',
} as const satisfies Change;

/** A name of a chat, as `normaliseName` spells it. */
const ChatName = z
  .string()
  .check(z.regex(/^[\p{L}\p{N}][\p{L}\p{N}-]{0,31}$/u, { error: 'must be one word of letters, digits and -' }));
const ChatNameGiven = z.pipe(z.pipe(z.string(), z.transform(normaliseName)), ChatName);
export const chat = z.pipe(z.string().check(z.describe('id or name of the chat')), z.union([ChatId, ChatNameGiven]));

export const chatsName = {
  ...changing,
  name: 'chats name',
  summary: 'name a chat, or several (mum,dad,team), so that a text can be sent there; its earlier name ends',
  args: z.strictObject({
    chat: z.string().check(z.describe('id or name of the chat, or several with commas, webhooks among them')),
    name: ChatNameGiven,
  }),
  words: ['chat', 'name'],
  where: 'named',
  restores: ({ kind, name, before }) => (kind === 'chat' && before !== '' ? { chat: before, name } : undefined),
} as const satisfies Change;

export const chatsUnname = {
  ...changing,
  name: 'chats unname',
  summary: 'take the name of a chat back',
  args: z.strictObject({ name: ChatNameGiven }),
  words: ['name'],
  where: 'named',
  restores: ({ kind, name, before }) => (kind === 'chat' && before === '' ? { name } : undefined),
} as const satisfies Change;

export const chatsNames = {
  kind: 'look',
  name: 'chats names',
  summary: 'the names that a text can be sent to, and the chats or webhooks of each',
  args: z.strictObject({}),
  data: z.looseObject({ places: z.array(z.object({ name: z.string(), chats: z.string() })) }),
  needs: 'owner',
  where: 'named',
} as const satisfies Look;

/** On the owner's clock; they may pass midnight. */
const MuteHours = z.string().check(
  z.regex(/^(([01]\d|2[0-3]):[0-5]\d)-(?!\1$)([01]\d|2[0-3]):[0-5]\d$/, {
    error: 'must be hours such as 22:00-07:00, or off',
  }),
);

export const chatsMute = {
  ...changing,
  name: 'chats mute',
  summary: 'hours in which a chat gets answers only, such as 22:00-07:00; the rest is sent after them; off ends it',
  args: z.strictObject({ chat, hours: z.union([z.literal('off'), MuteHours]) }),
  words: ['chat', 'hours'],
  form: '<chat> <22:00-07:00 | off>',
  where: 'named',
  restores: ({ kind, name, before }) => (kind === 'mute' ? { chat: name, hours: before || 'off' } : undefined),
} as const satisfies Change;

export const chatsListen = {
  ...changing,
  name: 'chats listen',
  summary: 'all: I answer each message of this group, or of the one you name; mentions: only what is meant for me',
  args: z.strictObject({ state: z.enum(['all', 'mentions']), chat: z.optional(chat) }),
  words: ['state', 'chat'],
  form: '<all | mentions> [chat]',
  restores: ({ kind, name, before }) => (kind === 'listen' ? { state: before || 'mentions', chat: name } : undefined),
} as const satisfies Change;

export const languageShow = {
  kind: 'look',
  name: 'language',
  summary: 'the language of what I say here by myself',
  args: z.strictObject({}),
  data: z.looseObject({ language: z.enum(LANGUAGES) }),
  needs: 'owner',
} as const satisfies Look;

export const languageSet = {
  ...changing,
  name: 'language',
  summary: 'choose the language of what I say here by myself: en or de',
  args: z.strictObject({ language: oneOf(LANGUAGES) }),
  words: ['language'],
  restores: ({ kind, before }) => (kind === 'language' ? { language: before || USUAL_LANGUAGE } : undefined),
} as const satisfies Change;

export const send = {
  kind: 'change',
  name: 'send',
  summary: 'send a text by name to a chat, a webhook that takes a text, several (mum,team), or console',
  args: z.strictObject({
    to: z.string().check(z.describe('name of the chat or webhook, or several with commas')),
    text: z.string(),
  }),
  words: ['to', 'text…'],
  needs: 'owner',
  where: 'named',
  // The command line has a command of this name that talks with the agent.
  doors: ['chat', 'http'],
} as const satisfies Change;

export const chatsRemove = {
  ...changing,
  name: 'chats remove',
  summary: 'serve a paired chat no more',
  args: z.strictObject({ chat }),
  words: ['chat'],
  where: 'named',
} as const satisfies Change;

export const identityShow = {
  kind: 'look',
  name: 'identity',
  summary: 'who I am and how I speak',
  args: z.strictObject({}),
  data: z.looseObject({ name: z.string(), owner: z.string(), style: z.string() }),
  needs: 'owner',
} as const satisfies Look;

const naming = {
  kind: 'change',
  args: z.strictObject({ text: z.string() }),
  words: ['text…'],
  needs: 'approver',
} as const;

const restoring =
  (field: string) =>
  ({ kind, name, before }: ChangedSetting): JsonObject | undefined =>
    kind === 'identity' && name === field && before !== '' ? { text: before } : undefined;

export const identityName = {
  ...naming,
  name: 'identity name',
  summary: 'name the agent',
  restores: restoring('name'),
} as const satisfies Change;
export const identityOwner = {
  ...naming,
  restores: restoring('owner'),
  name: 'identity owner',
  summary: 'say what the agent calls you',
} as const satisfies Change;
export const identityStyle = {
  ...naming,
  restores: restoring('style'),
  name: 'identity style',
  summary: 'say how the agent speaks',
} as const satisfies Change;

export const identityReset = {
  kind: 'change',
  name: 'identity reset',
  summary: 'take one of them back',
  args: z.strictObject({ field: oneOf(['name', 'owner', 'style']) }),
  words: ['field'],
  needs: 'approver',
  restores: ({ kind, name, before }) => (kind === 'identity' && before === '' ? { field: name } : undefined),
} as const satisfies Change;

export const modelShow = {
  kind: 'look',
  name: 'model',
  summary: 'which model answers here',
  args: z.strictObject({}),
  /** The providers in the order they are asked; none if they are not known. */
  data: z.looseObject({ model: z.string(), providers: z.array(z.string()) }),
  needs: 'owner',
} as const satisfies Look;

export const modelSet = {
  kind: 'change',
  name: 'model',
  summary: 'choose which model answers here: auto, cognition, reasoning or <provider>/<model>',
  args: z.strictObject({ model: z.string() }),
  words: ['model…'],
  needs: 'approver',
} as const satisfies Change;

const Name = z.string().check(z.toUpperCase(), z.describe('of the setting, such as BUDGET_DAY_USD'));
const ShownSetting = z.object({
  name: z.string(),
  /** Empty if nobody set it and it has no default. */
  value: z.string(),
  from: z.enum(['stored', 'environment', 'default']),
  by: z.optional(z.string()),
  at: z.optional(z.int()),
});
export type ShownSetting = z.infer<typeof ShownSetting>;

const configLook = {
  kind: 'look',
  data: z.looseObject({ settings: z.array(ShownSetting) }),
  needs: 'owner',
  where: 'named',
} as const;

export const configList = {
  ...configLook,
  name: 'config list',
  summary: 'the settings that you may change now, and where each value comes from',
  args: z.strictObject({}),
  isDefault: true,
} as const satisfies Look;

export const configGet = {
  ...configLook,
  name: 'config get',
  summary: 'one of them',
  args: z.strictObject({ name: Name }),
  words: ['name'],
} as const satisfies Look;

export const configSet = {
  kind: 'change',
  name: 'config set',
  summary: 'change one; it holds within a minute, without a restart',
  args: z.strictObject({ name: Name, value: z.string() }),
  words: ['name', 'value…'],
  needs: 'approver',
  isTypedYes: true,
  where: 'named',
  restores: ({ kind, name, before }) => (kind === 'config' && before !== '' ? { name, value: before } : undefined),
} as const satisfies Change;

export const configReset = {
  kind: 'change',
  name: 'config reset',
  summary: 'take what was set back',
  args: z.strictObject({ name: Name }),
  words: ['name'],
  needs: 'approver',
  isTypedYes: true,
  where: 'named',
  restores: ({ kind, name, before }) => (kind === 'config' && before === '' ? { name } : undefined),
} as const satisfies Change;

export const SETTING_OPERATIONS = [
  ...[identityShow, identityName, identityOwner, identityStyle, identityReset, modelShow, modelSet],
  ...[configList, configGet, configSet, configReset],
  ...[
    chatsList,
    chatsName,
    chatsNames,
    chatsUnname,
    chatsMute,
    chatsListen,
    chatsRemove,
    languageShow,
    languageSet,
    send,
  ],
] as const;
