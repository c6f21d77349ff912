/** Changes that can be taken back, in German; `texts.ts` has the names and values. */
import { sentenceInGerman } from '../../core/tools/sentences-german.ts';
import type { UndoTexts } from './texts.ts';

/** By the tool; the rows of `undoes` have the same in English. */
const BY_HAND: Readonly<Record<string, string>> = {
  revoke: '„Ähnliches erlauben …“ auf der nächsten Karte gibt eine neue.',
  'remove-runner': 'In einem Terminal koppelt ihn "npx passepartout runners pair <name>" neu.',
  'remove-chat': '"npx passepartout pair" in einem Terminal koppelt ihn neu.',
  'remove-mcp-server': '/mcp add mit seiner Adresse fragt ihn neu.',
};

export const DE: UndoTexts = {
  sentence: sentenceInGerman,
  set: (field, value) => `${field} auf ${value === '' ? 'nichts' : `„${value}“`} setzen`,
  granted: (sentence) => `Wieder ohne Frage erlauben: ${sentence}`,
  revoked: (id) => `Die Erlaubnis ${id} zurücknehmen`,
  byHand: (tool, how) => BY_HAND[tool] ?? how,
};
