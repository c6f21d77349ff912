/**
 * Configured secrets in the outgoing bytes. The words of a document that is sent on are searched
 * like those of a text file, and may change the permission: so these facts come last.
 */
import { findConfiguredSecrets } from '../../gates/rules/find-secrets.ts';
import { type Action, isText } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { fileIn } from '../../text/file-text.ts';
import { loadParts } from '../../tools/tool.ts';
import type { FactSources } from '../fact-sources.ts';

export const gatherOutgoingWords = async (
  action: Action,
  { setup: { secrets = new Map(), documentText } = {} }: Pick<FactSources, 'setup'>,
  found: Facts,
): Promise<Pick<Facts, 'secrets' | 'tier' | 'policyReason'>> => {
  const file = isText(action) ? fileIn(action.text) : undefined;
  // Few texts send a document on.
  const parts = file && (await loadParts());
  const words = file && (await parts?.documentWords(file, documentText));
  const read = typeof words !== 'string' ? action : { ...action, text: `${action.text ?? ''}\n${words}` };
  const { tier, policyReason } = words === undefined ? found : (parts?.judgeDocument(read, words, found) ?? found);
  return { secrets: [...findConfiguredSecrets(read, secrets)], tier, policyReason };
};
