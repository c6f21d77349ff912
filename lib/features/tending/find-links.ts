/**
 * Finds links in notes that lead nowhere: to a note that was forgotten, or that memory does not
 * have. A link to an address, to a file of another kind or into its own note is not looked at.
 * Pure.
 */

import { findLinks } from '../../core/memory/links.ts';
import type { LiveObject } from '../../core/memory/object.ts';
import type { Objects } from '../../core/memory/read.ts';
import { caseless } from '../../core/text/canonical-text.ts';

export interface BrokenLink {
  readonly object: LiveObject;
  readonly target: string;
  /** It named a note by an id that is gone: no note will ever have it again. */
  readonly isGone: boolean;
  /** Title of the only note that was surely meant. */
  readonly meant?: string;
}

const ID = /^(?:id:)?([0-9a-f]{32})$/i;
const SCHEME = /^[a-z][a-z0-9+-]{1,32}:(?!:)/i;
const NOTE_FILE = /\.(?:md|markdown|org)$/i;
const OTHER_FILE = /\.[a-z0-9]{1,5}$/i;

const fold = (text: string): string => caseless(text).replace(/\s+/gu, ' ').trim();
/** Letters and digits alone. */
const bareName = (text: string): string => caseless(text).replace(/[^\p{L}\p{N}]+/gu, '');
/** `notes/Bike.md` → `Bike`. */
const fileName = (path: string): string => (path.split('/').at(-1) ?? '').replace(NOTE_FILE, '');

const decode = (target: string): string => {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
};

/** The name of the note that a link means; undefined if it means no note. */
export const noteNameOf = (target: string): string | undefined => {
  const plain = target.replace(/^file:/i, '').replace(/^id:/i, '');
  if (SCHEME.test(plain) || /^[#*^/]{1,2}/.test(plain)) return undefined;
  const [name = ''] = decode(plain).split(/#|\^|::/);
  const isFile = OTHER_FILE.test(name) && !NOTE_FILE.test(name);
  return name.trim() === '' || isFile ? undefined : name.trim();
};

/** Names a link may use for a note. */
const namesOf = ({ attributes: { title = '', key = '', properties = {} } }: LiveObject): readonly string[] => {
  const file = properties['passepartout:file'];
  const id = properties.ID ?? properties.id;
  const named = [title, key, ...[file, id].filter((one) => typeof one === 'string')];
  return [...named, ...(typeof file === 'string' ? [fileName(file)] : [])].filter((name) => name.trim() !== '');
};

interface Names {
  readonly has: (name: string) => boolean;
  /** The title of the only note whose name has the same letters and digits. */
  readonly meant: (name: string) => string | undefined;
}

const buildNames = (notes: readonly LiveObject[]): Names => {
  const exact = new Set<string>();
  const loose = new Map<string, Set<string>>();
  for (const note of notes) {
    for (const name of namesOf(note)) exact.add(fold(name));
    const title = note.attributes.title ?? '';
    if (bareName(title) === '') continue;
    const same = loose.get(bareName(title)) ?? new Set();
    loose.set(bareName(title), same.add(title));
  }
  const isThere = (name: string): boolean => exact.has(fold(name)) || exact.has(fold(fileName(name)));
  return {
    has: isThere,
    meant: (name) => {
      const titles = [...(loose.get(bareName(fileName(name))) ?? [])];
      return titles.length === 1 ? titles[0] : undefined;
    },
  };
};

const linksOf = ({ content, attributes: { links = [] } }: LiveObject): readonly string[] => [
  ...new Set([...links, ...findLinks(content)]),
];

/** Notes that links lead to, by folded name and by id. */
export const linkedNames = (notes: readonly LiveObject[]): ReadonlySet<string> =>
  new Set(
    notes.flatMap((note) =>
      linksOf(note).flatMap((target) => {
        const name = ID.exec(target)?.[1] ?? noteNameOf(target);
        return name === undefined ? [] : [fold(name), fold(fileName(name))];
      }),
    ),
  );

/** Whether some link leads to the note. */
export const isLinked = (note: LiveObject, names: ReadonlySet<string>): boolean =>
  names.has(note.id) || namesOf(note).some((name) => names.has(fold(name)));

export const hasLinks = (note: LiveObject): boolean => linksOf(note).length > 0;

/** @param objects all of memory @param notes those to look at */
export const findBrokenLinks = (objects: Objects, notes: readonly LiveObject[]): readonly BrokenLink[] => {
  const names = buildNames(notes);
  return notes.flatMap((object) =>
    linksOf(object).flatMap((target): readonly BrokenLink[] => {
      const id = ID.exec(target)?.[1]?.toLowerCase();
      if (id !== undefined) return objects.get(id)?.state === 'live' ? [] : [{ object, target, isGone: true }];
      const name = noteNameOf(target);
      if (name === undefined || names.has(name)) return [];
      const meant = names.meant(name);
      return [{ object, target, isGone: false, ...(meant === undefined ? {} : { meant }) }];
    }),
  );
};
