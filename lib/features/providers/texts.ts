/** The answers of the verbs of providers that no tool gives. */
import { textTable } from '../../core/base/language.ts';

const EN = {
  needsUrl: (name: string) => `${name} needs an address: /provider add ${name} https://…/v1`,
  otherUrl: (name: string, url: string) => `${name} is at ${url}; give another address another name`,
  ofEnvironment: (name: string) => `the environment configures ${name}: change PROVIDERS there`,
  noProvider: (name: string, those: string) => `there is no provider ${name}; these are: ${those}`,
  notAdded: (name: string) => `${name} was not added here: /provider off ${name} switches it off`,
  isOff: (name: string) => `${name} is off already`,
  isOn: (name: string) => `${name} is asked already`,
  oneOrTwo: 'behind the address stands one model, or a small and a large one',
  lastOne: 'this is the only provider that is asked; switch another one on first, or use /stop',
  keyInChat: (name: string) =>
    `a key has no place in a chat: I kept none. Type it in a terminal, where it is not shown: npx passepartout provider add ${name} … (or on the page, Manage, provider). Make a new key if others could read this chat`,
  asked: (place: number) => `${place}.`,
  off: 'off',
  tokens: (count: number) => `${count} tokens`,
  price: (prompt: number, completion: number) => `$${prompt} in, $${completion} out for a million`,
  none: 'No provider is known here. To add one, in a terminal: npx passepartout provider add <name> <url> [model]',
  more: 'The first one is asked; the next one if it fails. To change this: /provider order, off, on, add, try, remove',
};
export type ProviderTexts = typeof EN;

export const providerTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
