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

/** Each character moves the others by five bits, so a key depends on three. No hint is shorter. */
const KEY_CHARS = 3;
const KEYS = 2 ** 15;
const nextKey = (key: number, code: number): number => ((key << 5) ^ code) & (KEYS - 1);
/** The hints by the key of their beginning, each with its format. */
const HINTS = Map.groupBy(
  SECRET_FORMATS.flatMap((format) => format.hints.map((hint) => ({ hint, format }))),
  ({ hint }) => [0, 1, 2].reduce((key, at) => nextKey(key, hint.charCodeAt(at)), 0),
);
const WITHOUT_HINTS = SECRET_FORMATS.filter(({ hints }) => hints.length === 0);
const isKnown = Uint8Array.from({ length: KEYS }, (_, key) => (HINTS.has(key) ? 1 : 0));
/** Separates fields, so that no match runs from one into the next. */
const FIELD_END = '\u0000';
/** Text by chance is shorter in what is no text. */
const PRINTABLE_RUN = /[\t\n\r -~]{20,}/g;

const isFoundIn = (text: string, { pattern, isSecret = () => true }: SecretFormat): boolean => {
  if (!pattern.test(text)) return false;
  for (const match of text.matchAll(new RegExp(pattern, `${pattern.flags}g`)))
    if (isSecret(match[1] ?? match[0])) return true;
  return false;
};

const fieldOf = (strings: readonly ActionString[], format: SecretFormat): string =>
  strings.find(({ value }) => withDecoded(formsSeen(value)).some((text) => isFoundIn(text, format)))?.field ??
  'the action';

/** Those whose hints the text holds, and those without any. */
const possibleIn = (lowerCase: string): ReadonlySet<SecretFormat> => {
  const possible = new Set(WITHOUT_HINTS);
  let key = 0;
  for (let end = 0; end < lowerCase.length; end += 1) {
    key = nextKey(key, lowerCase.charCodeAt(end));
    if (isKnown[key] === 0) continue;
    for (const { hint, format } of HINTS.get(key) ?? [])
      if (lowerCase.startsWith(hint, end - KEY_CHARS + 1)) possible.add(format);
  }
  return possible;
};

const findFormatIn = (text: string): SecretFormat | undefined => {
  const possible = possibleIn(text.toLowerCase());
  return SECRET_FORMATS.find((format) => possible.has(format) && isFoundIn(text, format));
};

/** With what stands in them in base64 or hex, if it is text. */
const withDecoded = (forms: readonly string[], decoded = decodedRuns(forms.at(-1) ?? '')): readonly string[] =>
  decoded.length === 0 ? forms : [...forms, ...decoded.flatMap((run) => run.match(PRINTABLE_RUN) ?? [])];

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
