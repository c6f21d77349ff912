/** The answers of the verb of lines: fixed texts with names filled in. */
import { textTable } from '../../core/base/language.ts';
import { buildNotices } from '../../core/judge/notices.ts';

const EN = {
  onlyChats: 'the page and the terminal show this beside each answer; name the chat behind on or off',
  thisChat: 'this chat',
};
export type LineTexts = typeof EN;

const NOTICES = {
  linesSet: (chat: string, state: 'on' | 'off') =>
    state === 'on'
      ? `Below my answers in ${chat} one line says model, rules, cost and what waits. /why tells more.`
      : `My answers in ${chat} come without that line.`,
};
export type LineNotices = typeof NOTICES;

export const lineTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
export const lineNotices = buildNotices(
  textTable(NOTICES, { de: async () => (await import('./texts-german.ts')).NOTICES }),
);
