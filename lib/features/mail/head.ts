/** The head of a mail (RFC 5322): its fields, its one sender, and the ids that it names. Pure. */
import { addressParser, decodeWords } from 'postal-mime';

export interface Field {
  /** In lower case. */
  readonly name: string;
  /** Unfolded; words that RFC 2047 encodes stay as they came. */
  readonly value: string;
}

/** Honest heads have some 60. */
const FIELDS_MAX = 500;

export const readFields = (head: string): readonly Field[] =>
  head
    .replace(/\r\n?/g, '\n')
    .replace(/\n\n[\s\S]*$/, '')
    .replace(/\n[ \t]+/g, ' ')
    .split('\n', FIELDS_MAX)
    .flatMap((line) => {
      const [, name = '', value = ''] = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:(.*)$/.exec(line) ?? [];
      return name === '' ? [] : [{ name: name.toLowerCase(), value: value.trim() }];
    });

export const valuesOf = (fields: readonly Field[], wanted: string): readonly string[] =>
  fields.flatMap(({ name, value }) => (name === wanted ? [value] : []));
export const firstOf = (fields: readonly Field[], wanted: string): string => valuesOf(fields, wanted)[0] ?? '';

/**
 * The address in the one From field, in lower case; undefined if there are several or none. A
 * verdict on a domain is about one address, and nobody could say which of several.
 */
export const senderIn = (fields: readonly Field[]): string | undefined => {
  const all = valuesOf(fields, 'from');
  const [found, ...others] = addressParser(all.join(), { flatten: true });
  return all.length !== 1 || others.length > 0 ? undefined : found?.address?.toLowerCase();
};

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** Characters of a subject that are shown: a line. */
const SUBJECT_CHARS_MAX = 300;
export const subjectIn = (fields: readonly Field[]): string =>
  decodeWords(firstOf(fields, 'subject'))
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, SUBJECT_CHARS_MAX)
    .toWellFormed();

/** Ids of one field that are kept: the newest of a long thread, and the first. */
const IDS_MAX = 20;
export const idsIn = (fields: readonly Field[], wanted: string): readonly string[] => {
  const all = firstOf(fields, wanted).match(/<[^<>\s]{1,250}>/g) ?? [];
  return all.length <= IDS_MAX ? all : [...all.slice(0, 1), ...all.slice(1 - IDS_MAX)];
};
