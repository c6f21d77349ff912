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
import { FORM_LEFT_OUT } from '../../text/left-out.ts';
import { SECRET_FORMATS, type SecretFormat } from '../../text/secret-format-table.ts';
import { decodedRuns } from '../../text/secret-prints.ts';
import { type ActionString, formsSeen, stringsOf } from './action-strings.ts';

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
/** Text by chance is shorter in what is no text. */
const PRINTABLE_RUN = /[\t\n\r -~]{20,}/g;

const isFoundIn = (text: string, { pattern, isSecret = () => true }: SecretFormat): boolean => {
  for (const match of text.matchAll(new RegExp(pattern, `${pattern.flags}g`)))
    if (isSecret(match[1] ?? match[0])) return true;
  return false;
};

const fieldOf = (strings: readonly ActionString[], format: SecretFormat): string =>
  strings.find(({ value }) => withDecoded(formsSeen(value)).some((text) => isFoundIn(text, format)))?.field ??
  'the action';

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

const findFormatIn = (text: string): SecretFormat | undefined => {
  const hints = hintsIn(text.toLowerCase());
  return SECRET_FORMATS.find(
    (format) => (format.hints.length === 0 || format.hints.some((hint) => hints.has(hint))) && isFoundIn(text, format),
  );
};

/** With what stands in them in base64 or hex, if it is text. */
const withDecoded = (forms: readonly string[], decoded = decodedRuns(forms.at(-1) ?? '')): readonly string[] => [
  ...forms,
  ...decoded.flatMap((run) => run.match(PRINTABLE_RUN) ?? []),
];

/** The first format found in a text, of which `formsSeen` and `decodedRuns` gave the forms. */
export const findFormatName = (forms: readonly string[], decoded: readonly string[]): string | undefined =>
  findFormatIn(withDecoded(forms, decoded).join(FIELD_END))?.name;

interface FoundFormat {
  readonly name: string;
  readonly field: string;
}

/** The words that stand in a proposal for a secret count as the secret. */
const findLeftOut = (strings: readonly ActionString[]): FoundFormat | undefined => {
  for (const { field, value } of strings) {
    const name = FORM_LEFT_OUT.exec(value)?.[1];
    if (name !== undefined) return { name, field };
  }
  return undefined;
};

/** The first form found, and its field. */
export const findSecretFormat = (action: Action): FoundFormat | undefined => {
  const strings = stringsOf(action);
  const format = findFormatIn(strings.flatMap(({ value }) => withDecoded(formsSeen(value))).join(FIELD_END));
  if (format !== undefined) return { name: format.name, field: fieldOf(strings, format) };
  return action.author === 'model' ? findLeftOut(strings) : undefined;
};

export const checkSecretFormats = (action: Action, _facts: Facts): Verdict => {
  const found = findSecretFormat(action);
  if (found === undefined) return PASS;
  return { verdict: 'block', reason: `${found.field} holds what looks like a secret: ${found.name}` };
};
