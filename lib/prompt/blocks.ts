/**
 * Blocks: how a prompt marks what is not the owner's words. A block is opened and closed by brackets that no content can
 * contain, because they are replaced in every piece of text that enters a prompt; so no text can end its block early, open
 * one, or pass for a part the system wrote. That is labelling, not protection: protection is the gates' (I13). All pure.
 */
import type { Origin, TextPiece } from '../signal/signal.ts';

const OPEN = '\u27e6';
const CLOSE = '\u27e7';
/** The brackets and those that look like them. */
const BRACKETS: readonly (readonly [RegExp, string])[] = [
  [/[\u27e6\u301a\u2e28]/gu, '['],
  [/[\u27e7\u301b\u2e29]/gu, ']'],
];

/** Marks the part of the last message that the system wrote about the present moment. */
export const SITUATION = 'situation';
/** Marks, inside it, why the previous proposal was rejected. */
export const REJECTED = 'rejected';
/** Stands for text from outside that an earlier turn had. */
export const OUTSIDE_OUTLINE = '[text from outside left out]';

/** Any text, made fit for a prompt: whole characters only, and none of our brackets. */
export const cleanText = (text: string): string =>
  BRACKETS.reduce((clean, [pattern, plain]) => clean.replace(pattern, plain), text.toWellFormed());

/** One line for the inside of a block's opening: names and labels may come from outside too. */
const cleanLabel = (label: string): string => cleanText(cleanText(label).replace(/\s+/gu, ' ').trim().slice(0, 100));

/** `content` must be clean, or made of blocks. */
export const block = (name: string, content: string): string => {
  const label = cleanLabel(name);
  return `${OPEN}${label}${CLOSE}\n${content}\n${OPEN}/${label.split(' ')[0]}${CLOSE}`;
};

/** Text of some origin as it stands in a prompt: outside text in a labelled block, anything else as it is. */
export const showText = (text: string, origin: Origin, label: string): string =>
  origin === 'outside' ? block(`outside ${label}`, cleanText(text)) : cleanText(text);

export const showPieces = (pieces: readonly TextPiece[]): string =>
  pieces.map((piece) => showText(piece.text, piece.origin, piece.label ?? 'text')).join('\n');

/** Pieces of an earlier turn: what came from outside is only said to have been there. */
export const outlinePieces = (pieces: readonly TextPiece[]): string =>
  pieces.map((piece) => (piece.origin === 'outside' ? OUTSIDE_OUTLINE : cleanText(piece.text))).join('\n');

/** The text of a user message without what the system wrote into it. For the demo model and for tests. */
export const withoutSituation = (content: string): string => {
  const start = content.indexOf(`${OPEN}${SITUATION}${CLOSE}`);
  return (start < 0 ? content : content.slice(0, start)).trim();
};

/** Whether a user message tells the model that its previous proposal was rejected. */
export const hasRejection = (content: string): boolean => content.includes(`${OPEN}${REJECTED}${CLOSE}`);
