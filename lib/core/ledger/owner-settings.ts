/**
 * Settings the owner changes one by one: identity, skills, chats named for memory. One record of
 * the space holds them, because every turn reads it. They are authority, not memory (I14): only an
 * approver's command changes them (`change-owner-setting.ts`).
 */
import * as z from 'zod/mini';
import { StoredItemError } from '../base/errors.ts';
import { asText } from '../base/json.ts';
import { type Language, spokenLanguage, USUAL_LANGUAGE } from '../base/language.ts';
import { IDENTITY_NAME_CHARS_MAX, IDENTITY_STYLE_CHARS_MAX } from '../base/limits.ts';
import { findSecretFormat } from '../gates/rules/secret-formats.ts';
import { ChatMemory } from '../signal/asker.ts';
import { chatOf, chatRoute, isGroup, MAIN_CONSOLE } from '../signal/channels.ts';
import type { ReplyRoute } from '../signal/signal.ts';
import { type Key, settingKey } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import type { Item, Table } from '../store/table.ts';

/** One setting; an empty value is the default. */
export const SettingField = z.strictObject({
  value: z.string(),
  /** Sender id of the person who said it. */
  by: z.string(),
  at: z.int(),
});
export type SettingField = z.infer<typeof SettingField>;

export const OwnerSettings = z.object({
  schemaVersion: z.literal(1),
  /** Raised by each change, so that no two changes start from the same reading. */
  round: z.int(),
  /** By names such as `identity.style` and `skill.notes.is`. */
  fields: asText(z.record(z.string(), SettingField)),
});
export type OwnerSettings = z.infer<typeof OwnerSettings>;

const NOTHING_SET: OwnerSettings = { schemaVersion: 1, round: 0, fields: {} };

export const ownerSettingsKey = (space: string): Key => settingKey(space, 'owner');

/** A record that only counts grants sets nothing. Undefined if this release cannot read it. */
export const readOwnerSettings = (item: Item | undefined): OwnerSettings | undefined => {
  const isBare = item === undefined || (item.schemaVersion === 1 && item.round === undefined);
  return isBare ? NOTHING_SET : OwnerSettings.safeParse(item).data;
};

/** @throws StoredItemError if this release cannot read the record */
export const parseOwnerSettings = (item: Item | undefined): OwnerSettings => {
  const settings = readOwnerSettings(item);
  if (settings === undefined) throw new StoredItemError('setting owner', 'it is not of a form this release knows');
  return settings;
};

/** @throws StoredItemError if this release cannot read the record */
export const loadOwnerSettings = async (table: Pick<Table, 'load'>, space: string): Promise<OwnerSettings> =>
  parseOwnerSettings(await loadItem(table, ownerSettingsKey(space)));

/** Value of a field; empty for the default. */
export const settingOf = ({ fields }: OwnerSettings, field: string): string =>
  Object.hasOwn(fields, field) ? (fields[field]?.value ?? '') : '';

const IDENTITY_FIELDS = ['name', 'owner', 'style'] as const;
export type IdentityField = (typeof IDENTITY_FIELDS)[number];

export interface Identity {
  /** Empty for "Passepartout". */
  readonly assistant: string;
  /** Empty for "the owner". */
  readonly user: string;
  /** Empty for the usual style. */
  readonly style: string;
}

/** The agent's identity: by the owner's settings (`/identity`), else by the environment. */
export const identityOf = (set: OwnerSettings | undefined, usual: Omit<Identity, 'style'>): Identity => ({
  assistant: (set && settingOf(set, 'identity.name')) || usual.assistant,
  user: (set && settingOf(set, 'identity.owner')) || usual.user,
  style: set === undefined ? '' : settingOf(set, 'identity.style'),
});

const charsMaxOf = (field: IdentityField): number =>
  field === 'style' ? IDENTITY_STYLE_CHARS_MAX : IDENTITY_NAME_CHARS_MAX;

/** One bounded line, as it stands in every prompt; or a sentence why it is refused. */
export const parseIdentityText = (field: IdentityField, text: string): { readonly text: string } | string =>
  parseSettingText(text, charsMaxOf(field));

/** The same for any setting. */
export const parseSettingText = (text: string, charsMax: number): { readonly text: string } | string => {
  const line = text
    .toWellFormed()
    // A pasted text may carry invisible characters that its reader does not know of.
    .replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\s]+/gu, ' ')
    .trim();
  if (line === '') return 'there is nothing in it';
  if (line.length > charsMax) return `it is longer than ${charsMax} characters`;
  const asAction = { author: 'owner', target: 'tool', text: line, explanation: '' } as const;
  return findSecretFormat(asAction) === undefined ? { text: line } : 'it holds what looks like a secret';
};

const NAME_PREFIX = 'chat.';

export const chatNameField = (name: string): string => `${NAME_PREFIX}${name}`;

/** A chat, or the console. */
type ChatPlace = Pick<ReplyRoute, 'target' | 'to' | 'topic'>;
interface WebhookPlace {
  readonly target: 'webhook';
  readonly to: string;
  /** It is there, and its fields have a place for a text. */
  readonly takesText: boolean;
}
export type NamedPlace = ChatPlace | WebhookPlace;
/** Places that the owner may name in a text to others. A name may be of several. */
export type Places = ReadonlyMap<string, readonly NamedPlace[]>;

/** Webhooks by name, and whether each takes a text. */
export type TextTakers = ReadonlyMap<string, boolean>;

const WEBHOOK_PREFIX = 'webhook:';

/** A place as the owner's settings name it. */
export const placeWord = ({ target, to }: NamedPlace): string =>
  target === 'webhook' ? `${WEBHOOK_PREFIX}${to}` : chatOf({ target, to });

const placeIn = (word: string, webhooks: TextTakers): NamedPlace => {
  if (!word.startsWith(WEBHOOK_PREFIX)) return chatRoute(word);
  const to = word.slice(WEBHOOK_PREFIX.length);
  return { target: 'webhook', to, takesText: webhooks.get(to) === true };
};

/**
 * The console, what the owner named, and the webhooks by their own names: a chat of the same name
 * comes first. An unreadable record names nothing.
 */
export const placesOf = (settings: OwnerSettings | undefined, webhooks: TextTakers = new Map()): Places => {
  const named = new Map<string, readonly NamedPlace[]>([
    [MAIN_CONSOLE.target, [MAIN_CONSOLE]],
    ...Object.entries(settings?.fields ?? {}).flatMap(([field, { value }]) =>
      field.startsWith(NAME_PREFIX) && value !== ''
        ? [[field.slice(NAME_PREFIX.length), value.split(',').map((word) => placeIn(word, webhooks))] as const]
        : [],
    ),
  ]);
  const others = [...webhooks].filter(([name]) => !named.has(name));
  return new Map([...named, ...others.map(([to, takesText]) => [to, [{ target: 'webhook', to, takesText }]] as const)]);
};

/** The name of this chat alone; undefined if it has none. */
export const nameOf = (settings: OwnerSettings | undefined, chat: string): string | undefined =>
  [...placesOf(settings)].find(
    ([, [one, ...others]]) => one !== undefined && placeWord(one) === chat && others.length === 0,
  )?.[0];

/** The names of several chats, of which this is one. */
export const listsOf = (settings: OwnerSettings | undefined, chat: string): readonly string[] =>
  [...placesOf(settings)].flatMap(([name, places]) =>
    places.length > 1 && places.some((one) => placeWord(one) === chat) ? [name] : [],
  );

/**
 * Mute hours, `on` for voice notes and for a line of figures, whether it hears of memory, `all` if
 * each message is heard.
 */
export const CHAT_SETTINGS = ['mute', 'voice', 'lines', 'memory', 'listen', 'language'] as const;
export type ChatSetting = (typeof CHAT_SETTINGS)[number];

export const chatField = (kind: ChatSetting, chat: string): string => `${kind}.${chat}`;

/** Empty for a chat that is not set so, or if the record cannot be read. */
export const chatSettingOf = (settings: OwnerSettings | undefined, kind: ChatSetting, chat: string): string =>
  settings === undefined ? '' : settingOf(settings, chatField(kind, chat));

/** All conversations of the console have one language. */
export const languageField = ({ target, to }: Pick<ReplyRoute, 'target' | 'to'>): string =>
  chatField('language', target === MAIN_CONSOLE.target ? MAIN_CONSOLE.target : chatOf({ target, to }));

/** In which code speaks there; the usual one if none is set, or the record cannot be read. */
export const languageOf = (settings: OwnerSettings | undefined, route: Pick<ReplyRoute, 'target' | 'to'>): Language =>
  (settings && spokenLanguage(settingOf(settings, languageField(route)))) ?? USUAL_LANGUAGE;

const PREFIX = 'memory.';

export const memoryField = (chat: string): string => chatField('memory', chat);

/** An unreadable record names no chat (I3). */
export const chatMemoryOf = (reply: ReplyRoute, settings: OwnerSettings | undefined): ChatMemory => {
  if (!isGroup(reply)) return 'open';
  const said = settings === undefined ? '' : settingOf(settings, memoryField(chatOf(reply)));
  return ChatMemory.safeParse(said).data ?? 'closed';
};

/** Groups that an approver named. */
export const namedChats = (
  settings: OwnerSettings,
): readonly { readonly chat: string; readonly as: 'open' | 'ask'; readonly by: string; readonly at: number }[] =>
  Object.entries(settings.fields).flatMap(([field, { value, by, at }]) =>
    field.startsWith(PREFIX) && (value === 'open' || value === 'ask')
      ? [{ chat: field.slice(PREFIX.length), as: value, by, at }]
      : [],
  );
