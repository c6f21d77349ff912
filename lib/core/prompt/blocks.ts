/**
 * Blocks: how a prompt marks words that are not the owner's. A block opens and closes with brackets
 * that are replaced in every text that enters a prompt, so no text can end its block, open one, or
 * pass for the system. This only labels; the gates protect (I13). Pure.
 */
import type { Origin, TextPiece } from '../signal/signal.ts';
import { CLOSE, OPEN } from '../text/block-marks.ts';

/** The brackets and those that look like them. */
const BRACKETS: readonly (readonly [RegExp, string])[] = [
  [/[\u27e6\u301a\u2e28]/gu, '['],
  [/[\u27e7\u301b\u2e29]/gu, ']'],
];

/** The part of the last message that the system writes about the present moment. */
export const SITUATION = 'situation';
/** Inside it: why the previous proposal was rejected. */
export const REJECTED = 'rejected';
/** Stands for text from outside in an earlier turn. */
export const OUTSIDE_OUTLINE = '[text from outside left out]';

/** Makes any text fit for a prompt: whole characters only, and none of our brackets. */
export const cleanText = (text: string): string =>
  BRACKETS.reduce((clean, [pattern, plain]) => clean.replace(pattern, plain), text.toWellFormed());

/** A block's label in one line: names may come from outside too. */
const cleanLabel = (label: string): string => cleanText(cleanText(label).replace(/\s+/gu, ' ').trim().slice(0, 100));

/** @param content clean, or made of blocks */
export const block = (name: string, content: string): string => {
  const label = cleanLabel(name);
  return `${OPEN}${label}${CLOSE}\n${content}\n${OPEN}/${label.split(' ')[0]}${CLOSE}`;
};

/** Outside text in a labelled block, other text as it is. */
export const showText = (text: string, origin: Origin, label: string): string =>
  origin === 'outside' ? block(`outside ${label}`, cleanText(text)) : cleanText(text);

export const showPieces = (pieces: readonly TextPiece[]): string =>
  pieces.map((piece) => showText(piece.text, piece.origin, piece.label ?? 'text')).join('\n');

/** Pieces of an earlier turn. Outside text is only said to have been there. */
export const outlinePieces = (pieces: readonly TextPiece[]): string =>
  pieces.map((piece) => (piece.origin === 'outside' ? OUTSIDE_OUTLINE : cleanText(piece.text))).join('\n');

/** A user message without what the system wrote into it. For the demo model and for tests. */
export const withoutSituation = (content: string): string => {
  const start = content.indexOf(`${OPEN}${SITUATION}${CLOSE}`);
  return (start < 0 ? content : content.slice(0, start)).trim();
};

const REJECTION = new RegExp(`${OPEN}${REJECTED}${CLOSE}\\n([^${OPEN}]*)`, 'u');

/** Tells whether a user message says that the previous proposal was rejected. */
export const hasRejection = (content: string): boolean => REJECTION.test(content);

/** The reasons it gives, a line each. */
export const reasonsOfRejection = (content: string): readonly string[] =>
  (REJECTION.exec(content)?.[1] ?? '').split('\n').filter((line) => line.startsWith('- '));
