/**
 * Finds the values of configured secrets in an action: what Reason and Act run to make the fact the gate judges (I11).
 * A value is found as it is, in pieces, in any case, split by anything but letters and digits, and
 * in the usual encodings, also inside a longer encoded text (`secret-pieces.ts`); in any field, and
 * across argument values. A value with few letters and digits is found exactly as it is, split by
 * white space or invisible characters, and in base64, hex and percent encoding.
 *
 * Takes the secrets by name; gives names and fields, never values. Pure.
 */

import type { Action } from '../../signal/action.ts';
import { canonicalText } from '../../text/canonical-text.ts';
import { bareForms, findPiecesOf, isFoundInPieces } from '../../text/secret-pieces.ts';
import { formsOf, stringsOf } from './action-strings.ts';
import { findSecretFormat } from './secret-formats.ts';

/** A shorter secret is not searched for: it would be found in ordinary words. */
export const SECRET_CHARS_MIN = 6;

export interface FoundSecret {
  readonly name: string;
  readonly field: string;
}

const GAPS = /(?:\s|\p{Cf})+/gu;
/** White space as JSON and shells write it; apart from real gaps, since a value may itself end in a backslash. */
const ESCAPED_GAPS = /\\[nrt]/g;
/** Without white space and invisible characters; and without the escapes that stand for them. */
export const compact = (text: string): string => text.replace(GAPS, '');
export const compactEscapes = (text: string): string => compact(text).replace(ESCAPED_GAPS, '');

/**
 * The part of base64 that stays the same whatever stands before and after: with `shift` bytes before the value, the
 * first and last characters also depend on the neighbours and are left out.
 */
const base64Core = (bytes: Buffer, shift: number): string => {
  const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  return encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
};

/** What a secret's value is looked for as, in compacted text. */
export interface Needles {
  readonly name: string;
  readonly exact: readonly string[];
  /** In lower-case text. */
  readonly hex: string;
}

/** Of one value, under its name. */
export const needlesOf = (name: string, value: string): Needles => {
  const bytes = Buffer.from(value, 'utf8');
  const base64 = [0, 1, 2].map((shift) => base64Core(bytes, shift));
  const base64url = base64.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'));
  const spellings = [value, canonicalText(value), encodeURIComponent(value.toWellFormed())];
  const exact = [...spellings.map(compact), compactEscapes(value)].filter(
    (needle) => needle.length >= SECRET_CHARS_MIN,
  );
  return { name, exact: [...new Set([...exact, ...base64, ...base64url])], hex: bytes.toString('hex') };
};

const isFoundIn = (text: string, needles: Needles): boolean =>
  needles.exact.some((needle) => text.includes(needle)) || text.toLowerCase().includes(needles.hex);

/**
 * Which secrets stand in which fields of the action; each pair once, in the order of the secrets. Values shorter than
 * SECRET_CHARS_MIN characters are not searched for.
 */
export const findConfiguredSecrets = (
  action: Action,
  secrets: ReadonlyMap<string, string>,
): { name: string; field: string }[] => {
  const searched = [...secrets].filter(([, value]) => compact(value).length >= SECRET_CHARS_MIN);
  if (searched.length === 0) return [];
  const findPieces = findPiecesOf(new Map(searched));
  const exactly = searched.filter(([, value]) => !isFoundInPieces(value));
  const strings = stringsOf(action);
  const acrossArgs = strings.filter(({ field }) => field === 'args').map(({ value }) => value);
  const pairs = [...strings, { field: 'args', value: acrossArgs.join('') }].flatMap(({ field, value }) => {
    const forms = formsOf(value);
    const compacted = new Set(
      exactly.length === 0 ? [] : forms.flatMap((form) => [compact(form), compactEscapes(form)]),
    );
    const found = exactly
      .map(([name, secret]) => needlesOf(name, secret))
      .filter((needles) => [...compacted].some((text) => isFoundIn(text, needles)));
    return [...findPieces(bareForms(forms)), ...found.map(({ name }) => name)].map((name) => ({ name, field }));
  });
  const inOrder = searched.flatMap(([name]) => pairs.filter((pair) => pair.name === name));
  return [...new Map(inOrder.map((pair) => [`${pair.name}\n${pair.field}`, pair])).values()];
};

/** Whether a text holds what looks like a secret, or the value of one this function holds: such a text is not sent to be embedded (I11). Pure. */

/** Read as an action's text is, so that both find the same. */
export const holdsSecret = (text: string, secrets: ReadonlyMap<string, string>): boolean => {
  const asAction = { author: 'model', target: 'tool', text, explanation: '' } as const;
  return findSecretFormat(asAction) !== undefined || findConfiguredSecrets(asAction, secrets).length > 0;
};
