/**
 * No text that looks like a credential leaves, wherever it stands and however its letters are
 * spelled. The reason names form and field, never the match (I11).
 * - stops: keys and tokens of known providers (`secret-format-table.ts`), private keys, passwords
 *   in connection strings
 * - lets through: prose about secrets, hashes, commit ids, UUIDs, placeholders (`${TOKEN}`)
 */
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { SECRET_FORMATS, type SecretFormat } from '../../text/secret-format-table.ts';
import { type ActionString, formsOf, stringsOf } from './action-strings.ts';

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** Longest first: if one hint begins with another, a match of the longer stands for both. */
const HINTS: readonly string[] = [...new Set(SECRET_FORMATS.flatMap((format) => format.hints))].sort(
  (a, b) => b.length - a.length,
);
const HINTS_PATTERN = HINTS.map(escapePattern).join('|');
/** Clears most texts in one pass. */
const ANY_HINT = new RegExp(HINTS_PATTERN);
/** Separates fields, so that no match runs from one into the next. */
const FIELD_END = '\u0000';

const GLOBAL_PATTERNS: ReadonlyMap<SecretFormat, RegExp> = new Map(
  SECRET_FORMATS.map((format) => [format, new RegExp(format.pattern.source, `${format.pattern.flags}g`)]),
);

const isFoundIn = (text: string, format: SecretFormat): boolean => {
  const { isSecret } = format;
  if (isSecret === undefined) return format.pattern.test(text);
  const pattern = GLOBAL_PATTERNS.get(format) ?? format.pattern;
  for (const match of text.matchAll(pattern)) if (isSecret(match[1] ?? match[0])) return true;
  return false;
};

const fieldOf = (strings: readonly ActionString[], format: SecretFormat): string =>
  strings.find(({ value }) => formsOf(value).some((text) => isFoundIn(text, format)))?.field ?? 'the action';

/** Overlapping hints count too: the search goes on one character after each find. */
const hintsIn = (lowerCase: string): ReadonlySet<string> => {
  const found = new Set<string>();
  if (!ANY_HINT.test(lowerCase)) return found;
  const pattern = new RegExp(HINTS_PATTERN, 'g');
  for (let match = pattern.exec(lowerCase); match !== null; match = pattern.exec(lowerCase)) {
    const [hit] = match;
    if (!found.has(hit)) for (const hint of HINTS) if (hit.startsWith(hint)) found.add(hint);
    pattern.lastIndex = match.index + 1;
  }
  return found;
};

/** The first form found, and its field. */
export const findSecretFormat = (action: Action): { readonly name: string; readonly field: string } | undefined => {
  const strings = stringsOf(action);
  const text = strings.flatMap(({ value }) => formsOf(value)).join(FIELD_END);
  const hints = hintsIn(text.toLowerCase());
  for (const format of SECRET_FORMATS) {
    const isPossible = format.hints.length === 0 || format.hints.some((hint) => hints.has(hint));
    if (isPossible && isFoundIn(text, format)) return { name: format.name, field: fieldOf(strings, format) };
  }
  return undefined;
};

export const checkSecretFormats = (action: Action, _facts: Facts): Verdict => {
  const found = findSecretFormat(action);
  if (found === undefined) return PASS;
  return { verdict: 'block', reason: `${found.field} holds what looks like a secret: ${found.name}` };
};
