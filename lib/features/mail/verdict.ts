/**
 * The receiver's word on a mail's sender. It checked SPF and DKIM; here its word on DMARC is
 * read (RFC 8601, RFC 7489), from the topmost Authentication-Results field under the name that the
 * owner gave it. It writes above all that came with the mail, so a field of that name further down
 * may be the sender's own. Without such a field nobody vouches for the mail. Pure.
 */
import { type Field, valuesOf } from './head.ts';

/** `none`: nobody vouches for it. `fail`: its domain says that it does not come from there. */
export type Verdict = 'pass' | 'fail' | 'none';

/** Without comments, which nest (RFC 5322, 3.2.2). What stands in quotes is none. */
const withoutComments = (text: string): string => {
  let depth = 0;
  let isQuoted = false;
  let kept = '';
  for (const [part = ''] of text.matchAll(/\\[\s\S]|[\s\S]/g)) {
    if (part === '"' && depth === 0) isQuoted = !isQuoted;
    if (part === '(' && !isQuoted) depth += 1;
    if (depth === 0) kept += part;
    if (part === ')' && !isQuoted) depth = Math.max(0, depth - 1);
  }
  return kept;
};

/** @param authservId undefined: the owner named no receiver */
export const verdictOf = (fields: readonly Field[], authservId: string | undefined, domain: string): Verdict => {
  const found = valuesOf(fields, 'authentication-results')
    .map(withoutComments)
    .find((value) => /^\s*([^\s;]+)/.exec(value)?.[1]?.toLowerCase() === authservId?.toLowerCase());
  if (authservId === undefined || found === undefined) return 'none';
  // A result in quotes is a word of somebody.
  const results = found
    .replace(/"[^"]*"/g, '')
    .split(';')
    .slice(1)
    .flatMap((one) => /^\s*dmarc(?:\s*\/\s*\d+)?\s*=\s*([a-z]+)(.*)$/is.exec(one) ?? []);
  if (results.length !== 3) return 'none';
  const [, result = '', properties = ''] = results;
  const [, about] = /\sheader\.from\s*=\s*([^\s;]+)/i.exec(properties) ?? [];
  if (result.toLowerCase() === 'fail') return 'fail';
  return result.toLowerCase() === 'pass' && about?.toLowerCase() === domain ? 'pass' : 'none';
};
