/** The texts of lines in German. */
import type { LineWords } from './line-texts.ts';
import type { LineNotices, LineTexts } from './texts.ts';

export const DE: LineTexts = {
  onlyChats: 'Seite und Terminal zeigen das neben jeder Antwort; der Chat steht hinter on oder off',
  thisChat: 'dieser Chat',
};

export const WORDS: LineWords = {
  rules: (count) => `${count} Regeln geprüft`,
  waiting: (count) => (count === 1 ? '1 Nachricht wartet' : `${count} Nachrichten warten`),
  inFocus: 'eine Notiz im Fokus',
};

export const NOTICES: LineNotices = {
  linesSet: (chat, state) =>
    state === 'on'
      ? `Unter meinen Antworten sagt eine Zeile Modell, Regeln, Kosten und was wartet: ${chat}. /why sagt mehr.`
      : `Meine Antworten kommen ohne diese Zeile: ${chat}.`,
};
