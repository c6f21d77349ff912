/** The answers about settings in English, the typed source. Problems of a form come as values. */

import { textTable } from '../../base/language.ts';
import type { IdentityField } from '../../ledger/owner-settings.ts';
import type { ShownSetting } from './operations.ts';

const IDENTITY: Readonly<Record<IdentityField, string>> = {
  name: 'My name',
  owner: 'My owner',
  style: 'How I speak',
};

export const EN = {
  identity: (field: IdentityField): string => IDENTITY[field],
  noOwner: 'as the setting MEMEX_USER says, if any',
  usualStyle: 'the usual: briefly, in the language I am spoken to',

  notSet: 'not set',
  /** The place that a value comes from. @param time of one that is stored */
  from: ({ from, by }: ShownSetting, time: string): string =>
    from === 'stored' ? `set by ${by} on ${time} UTC` : from,
  version: (version: number) =>
    `Version ${version}. To change one: /config set <name> <value>. All others: .env, then a start.`,
  keysStay:
    'Keys stay in the environment: PROVIDER_CASCADE switches on any provider that has its key there, and PROVIDERS one without a key.',
  noSetting: (name: string, isFixed: boolean, live: string) =>
    `${isFixed ? `${name} cannot be changed while I run` : `there is no setting ${name}`}; these can be changed: ${live}`,
  needsValue: (name: string) => `${name} needs a value; /config reset ${name} takes what was set back`,
  skillMissing: (name: string, why: string) => `the skill ${name} is missing (${why})`,

  modelForm: 'it must be auto, cognition, reasoning or <provider>/<model>',
  noProvider: (name: string, those: string) => `the provider ${name} is not configured; these are: ${those}`,

  notNamed: (chat: string) => `no chat is named ${chat}; /chats lists them`,
  namesSeveral: (chat: string) => `${chat} is the name of several chats; name one of them`,
  takesNoText: (webhook: string) =>
    `the fields of the webhook ${webhook} have no place for a text; call-webhook sends them`,
  nameTaken: (name: string) => `${name} is the name of another place`,
  mostChats: (most: number) => `a name is of at most ${most} chats`,
  webhookNamed: 'a webhook has its name already; it may be one of several: mum,team',
  sameConversation: 'that is this very conversation; name another place',
  onlyGroups: 'only a group has this: in a private chat I answer each message. Name a group behind it',
  thisGroup: 'this group',
  noNames: 'No chat has a name. To name one: /chats name <chat> <name>',
};
export type SettingTexts = typeof EN;

export const settingTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
