/**
 * Judges the words of a stored document that is sent on by the rules for the words of a text file.
 * Gates see an action, which only names the document. So this runs two of them over the words, and
 * a refusal becomes a denied permission: facts hold no word, and a replay needs none. Pure.
 */

import { isPlainReply } from '../gates/rules/action-kind.ts';
import { checkPrivacy } from '../gates/rules/privacy.ts';
import { findSecretFormat } from '../gates/rules/secret-formats.ts';
import type { Action } from '../signal/action.ts';
import type { Facts } from '../signal/facts.ts';
import { isCutText } from '../text/cut-text.ts';
import { isDrawing } from '../text/drawing.ts';
import { DRAWING, type FileText } from '../text/file-text.ts';

const whyDenied = (read: Action, facts: Facts): string | undefined => {
  if (checkPrivacy(read, facts).verdict === 'block') return 'the document holds what is marked private';
  const found = findSecretFormat(read);
  return found === undefined ? undefined : `the document holds what looks like a secret: ${found.name}`;
};

/** Why nobody can say which words a stored document holds. */
export interface Unreadable {
  readonly why: string;
}

/** @param read the action with the words of the document behind its text */
export const judgeDocument = (read: Action, words: string | Unreadable, facts: Facts): Facts => {
  if (typeof words !== 'string')
    return { ...facts, tier: 'deny', policyReason: `the document cannot be read: ${words.why}` };
  const policyReason = whyDenied(read, facts);
  if (policyReason !== undefined) return { ...facts, tier: 'deny', policyReason };
  const isHalfRead = facts.tier === 'allow' && !isPlainReply(read, facts) && isCutText(words);
  return isHalfRead ? { ...facts, tier: 'ask', policyReason: 'only the beginning of the document is read' } : facts;
};

/** The words of a stored document that a text sends on; undefined if it sends none. */
export const documentWords = async (
  { type, content, stored }: FileText,
  documentText?: (hash: string) => Promise<string | Unreadable | undefined>,
): Promise<string | Unreadable | undefined> => {
  if (type === DRAWING) return isDrawing(content) ? undefined : { why: 'an .svg is shapes and text alone' };
  return stored === undefined || type.startsWith('image/') ? undefined : documentText?.(stored.hash);
};
