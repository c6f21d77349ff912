/** The texts of lines in German. */
import type { LineNotices, LineTexts } from './texts.ts';

export const DE: LineTexts = {
  onlyChats: 'Seite und Terminal zeigen das neben jeder Antwort; der Chat steht hinter on oder off',
  thisChat: 'dieser Chat',
};

const STATES = {
  on: (chat: string) =>
    `Unter meinen Antworten sagt eine Zeile Modell, Regeln, Kosten, was wartet und was im Blick ist: ${chat}. /why sagt mehr.`,
  tap: (chat: string) =>
    `Wo ich etwas tat oder versuchte, zeigt der Knopf „Warum?“ unter meiner Antwort, warum: ${chat}. /why sagt mehr.`,
  off: (chat: string) => `Meine Antworten kommen ohne diese Zeile und ohne ihren Knopf: ${chat}.`,
} as const;

export const NOTICES: LineNotices = {
  linesSet: (chat, state) => STATES[state](chat),
};
