/**
 * Finds the values of configured secrets in any field of an action, and across argument values
 * (I11). A value is found in pieces, in any case, split by other characters, and in the usual
 * encodings (`secret-pieces.ts`). A value with few letters and digits is found only as it is, split
 * by white space or invisible characters, or in base64, hex and percent encoding. Gives names,
 * never values. Pure.
 */

import type { Action } from '../../signal/action.ts';
import { canonicalText } from '../../text/canonical-text.ts';
import { CONFIGURED_LEFT_OUT } from '../../text/left-out.ts';
import { bare, bareForms, findPiecesOf, isFoundInPieces } from '../../text/secret-pieces.ts';
import { decodedRuns, findPrintsOf, SECRET_PRINTS } from '../../text/secret-prints.ts';
import { formsSeen, stringsOf } from './action-strings.ts';
import { findFormatName } from './secret-formats.ts';

/** A shorter secret is not searched for: it would be found in ordinary words. */
export const SECRET_CHARS_MIN = 6;

export interface FoundSecret {
  readonly name: string;
  readonly field: string;
}

const GAPS = /(?:\s|\p{Cf})+/gu;
/** White space as JSON and shells write it. Apart from real gaps: values may end in a backslash. */
const ESCAPED_GAPS = /\\[nrt]/g;
/** Without white space and invisible characters. */
export const compact = (text: string): string => text.replace(GAPS, '');
export const compactEscapes = (text: string): string => compact(text).replace(ESCAPED_GAPS, '');

/**
 * The part of base64 that is the same whatever stands before and after. With `shift` bytes before
 * the value, its first and last characters depend on the neighbours.
 */
const base64Core = (bytes: Buffer, shift: number): string => {
  const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  return encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
};

/** The forms of one secret to look for in compacted text. */
export interface Needles {
  readonly name: string;
  readonly exact: readonly string[];
  /** To look for in lower-case text. */
  readonly hex: string;
}

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

interface Search {
  /** In the order in which they are named. */
  readonly names: readonly string[];
  /** Names of the secrets in a text, of which `formsSeen` and `decodedRuns` gave the forms. */
  readonly find: (forms: readonly string[], decoded: readonly string[]) => readonly string[];
}

const buildSearch = (secrets: ReadonlyMap<string, string>): Search => {
  const searched = [...secrets].filter(
    ([name, value]) => name !== SECRET_PRINTS && compact(value).length >= SECRET_CHARS_MIN,
  );
  const prints = findPrintsOf(secrets.get(SECRET_PRINTS));
  const findPieces = findPiecesOf(new Map(searched));
  const exactly = searched.filter(([, value]) => !isFoundInPieces(value));
  const findExactly = (forms: readonly string[]): readonly string[] => {
    if (exactly.length === 0) return [];
    const compacted = new Set(forms.flatMap((form) => [compact(form), compactEscapes(form)]));
    return exactly
      .map(([name, secret]) => needlesOf(name, secret))
      .filter((needles) => [...compacted].some((text) => isFoundIn(text, needles)))
      .map(({ name }) => name);
  };
  return {
    names: [...new Set([...searched.map(([name]) => name), ...(prints?.names ?? [])])],
    find: (forms, decoded) => {
      const texts = bareForms(forms);
      return [...findPieces(texts), ...findExactly(forms), ...(prints?.find([...texts, ...decoded.map(bare)]) ?? [])];
    },
  };
};

/** The secrets found, each once a field. Words that stand for a secret count as the secret. */
export const findConfiguredSecrets = (
  action: Action,
  secrets: ReadonlyMap<string, string>,
): { name: string; field: string }[] => {
  const { names, find } = buildSearch(secrets);
  if (names.length === 0) return [];
  const strings = stringsOf(action);
  const acrossArgs = strings.filter(({ field }) => field === 'args').map(({ value }) => value);
  const pairs = [...strings, { field: 'args', value: acrossArgs.join('') }].flatMap(({ field, value }) => {
    const leftOut = action.author === 'model' ? CONFIGURED_LEFT_OUT.exec(value)?.[1] : undefined;
    const forms = formsSeen(value);
    return [...find(forms, decodedRuns(forms.at(-1) ?? '')), ...(leftOut === undefined ? [] : [leftOut])].map(
      (name) => ({ name, field }),
    );
  });
  const inOrder = names.flatMap((name) => pairs.filter((pair) => pair.name === name));
  return [...new Map(inOrder.map((pair) => [`${pair.name}\n${pair.field}`, pair])).values()];
};

export interface SecretInText {
  readonly name: string;
  /** It is a value of a setting; else it only has the form of a secret. */
  readonly isConfigured: boolean;
}

/** The first secret in a text. */
export const findSecret = (text: string, secrets: ReadonlyMap<string, string>): SecretInText | undefined => {
  const forms = formsSeen(text);
  const decoded = decodedRuns(forms.at(-1) ?? '');
  const [configured] = buildSearch(secrets).find(forms, decoded);
  const name = configured ?? findFormatName(forms, decoded);
  return name === undefined ? undefined : { name, isConfigured: configured !== undefined };
};

/** Whether a text holds a secret, configured or by its form. Such a text is not embedded (I11). */
export const holdsSecret = (text: string, secrets: ReadonlyMap<string, string>): boolean =>
  findSecret(text, secrets) !== undefined;
