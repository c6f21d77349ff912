/** The answers of the verb of lines: fixed texts with names filled in. */
import { textTable } from '../../core/base/language.ts';
import { buildNotices } from '../../core/judge/notices.ts';

const EN = {
  onlyChats: 'the page and the terminal show this beside each answer; name the chat behind on or off',
  thisChat: 'this chat',
};
export type LineTexts = typeof EN;

const STATES = {
  on: (chat: string) =>
    `Below my answers in ${chat} one line says model, rules, cost, what waits and what is in focus. /why tells more.`,
  tap: (chat: string) =>
    `Where I did or tried something in ${chat}, the button “Why?” below my answer shows why. /why tells more.`,
  off: (chat: string) => `My answers in ${chat} come without that line and without its button.`,
} as const;

const NOTICES = {
  linesSet: (chat: string, state: keyof typeof STATES) => STATES[state](chat),
};
export type LineNotices = typeof NOTICES;

export const lineTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
export const lineNotices = buildNotices(
  textTable(NOTICES, { de: async () => (await import('./texts-german.ts')).NOTICES }),
);
