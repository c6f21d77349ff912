/**
 * Changes that tidy memory up, each plainly right: a link to a note that is gone becomes words, a
 * link whose note was surely meant leads there, duplicates become one, a task that nobody touched
 * for a year is closed. They follow from memory's state, so that no note's words can ask for
 * others. Pure.
 */
import { DAY_MS } from '../../core/base/limits.ts';
import { makeVisible } from '../../core/base/make-visible.ts';
import type { Edit } from '../../core/memory/edit.ts';
import { MEMORY_LINKS_MAX, MEMORY_OBJECT_TAGS_MAX, MEMORY_PROPERTIES_MAX } from '../../core/memory/limits.ts';
import { replaceLink } from '../../core/memory/links.ts';
import { MERGED_PROPERTY } from '../../core/memory/made-notes.ts';
import type { LiveObject, MemoryObject } from '../../core/memory/object.ts';
import type { ObjectAttributes } from '../../core/memory/object-parts.ts';
import { childrenOf } from '../../core/memory/outline.ts';
import type { Objects } from '../../core/memory/read.ts';
import { titleOf } from '../../core/memory/rollback.ts';
import { joinOrigins, type Origin } from '../../core/signal/signal.ts';
import { defang } from '../../core/text/tappable.ts';
import type { Duplicates } from './find-duplicates.ts';
import { isFromFile, type Untidy } from './find-untidy.ts';
import { MERGED_NOTES_MAX, type Mend } from './mend.ts';

/** A task nobody touched for a year. */
const CLOSE_TASK_MS = 365 * DAY_MS;

/** The mends that memory's state asks for, in a fixed order. @param now epoch milliseconds */
export const findMends = (objects: Objects, untidy: Untidy, now: number): readonly Mend[] => {
  const isOwn = (object: LiveObject): boolean => !isFromFile(objects, object);
  return [
    ...untidy.brokenLinks
      .filter(({ object }) => isOwn(object))
      .flatMap(({ object: { id }, target: link, isGone, meant }): readonly Mend[] => {
        if (isGone) return [{ kind: 'unlink', id, target: link }];
        return meant === undefined ? [] : [{ kind: 'relink', id, target: link, to: meant }];
      }),
    ...untidy.duplicates
      .filter((group) => group.every(isOwn))
      .map((group): Mend => {
        const [first, ...others] = group.slice(0, MERGED_NOTES_MAX).map(({ id }) => id);
        return { kind: 'merge', id: first ?? '', others };
      }),
    ...untidy.staleTasks
      .filter((object) => isOwn(object) && object.updatedAt < now - CLOSE_TASK_MS)
      .map(({ id }): Mend => ({ kind: 'close', id })),
  ];
};

const isSame = (a: Mend, b: Mend): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Those of the wanted mends that memory's state still asks for. */
export const stillDue = (wanted: readonly Mend[], due: readonly Mend[]): readonly Mend[] =>
  due.filter((one) => wanted.some((mend) => isSame(mend, one)));

export const nameOf = (object: MemoryObject | undefined): string => {
  if (object?.state !== 'live') return 'a note that is gone';
  const title = titleOf(object);
  const shown = makeVisible(object.origin === 'outside' ? defang(title) : title);
  return `“${shown}” (${object.id.slice(0, 8)})`;
};

export const describeMend = (mend: Mend, objects: Objects): string => {
  const name = nameOf(objects.get(mend.id));
  switch (mend.kind) {
    case 'unlink':
      return `${name}: the link to “${makeVisible(mend.target)}” becomes plain words`;
    case 'relink':
      return `${name}: the link to “${makeVisible(mend.target)}” leads to “${makeVisible(mend.to)}”`;
    case 'merge':
      return `${name} stays; of those that say the same it removes: ${mend.others.map((id) => id.slice(0, 8)).join(', ')}`;
    case 'close':
      return `${name}: the task is closed as CANCELLED`;
    default: {
      const never: never = mend;
      return never;
    }
  }
};

const joinLists = (lists: readonly (readonly string[])[], most: number): string[] =>
  [...new Set(lists.flat())].slice(0, most);

type Properties = NonNullable<ObjectAttributes['properties']>;

/** The first one's value stands; lists are joined, because they may name sources. */
const joinProperties = (group: readonly LiveObject[]): Properties => {
  const joined: Properties = {};
  for (const [name, value] of group.flatMap(({ attributes }) => Object.entries(attributes.properties ?? {}))) {
    const there = joined[name];
    if (there === undefined) joined[name] = value;
    else if (Array.isArray(there) && Array.isArray(value))
      joined[name] = joinLists([there, value], MEMORY_PROPERTIES_MAX);
  }
  return joined;
};

/** A batch that changed the object before left it with a higher version. */
const versionAfter = ({ id, version }: LiveObject, edits: readonly Edit[]): number =>
  version + edits.filter((edit) => edit.kind === 'update' && edit.id === id).length;

interface MendChange {
  readonly object: LiveObject;
  readonly attributes?: ObjectAttributes;
  readonly content?: string;
  /** Its own if absent. */
  readonly origin?: Origin;
}

/** Refused if somebody else changed the object since. */
const updateOf = ({ object, ...change }: MendChange, edits: readonly Edit[]): Edit => ({
  kind: 'update',
  id: object.id,
  origin: object.origin,
  ...change,
  expectedVersion: versionAfter(object, edits),
});

const mergedAttributes = (group: Duplicates, first: LiveObject): ObjectAttributes => {
  const properties = joinProperties(group);
  const links = joinLists(
    group.map(({ attributes }) => attributes.links ?? []),
    MEMORY_LINKS_MAX,
  );
  const before = properties[MERGED_PROPERTY];
  const others = group.filter(({ id }) => id !== first.id).map(({ id }) => id);
  const merged = joinLists([Array.isArray(before) ? before : [], others], MEMORY_PROPERTIES_MAX);
  const tags = joinLists(
    group.map(({ attributes }) => attributes.tags),
    MEMORY_OBJECT_TAGS_MAX,
  );
  return {
    ...first.attributes,
    tags,
    ...(links.length === 0 ? {} : { links }),
    properties: { ...properties, [MERGED_PROPERTY]: merged },
  };
};

const mergeEdits = (group: Duplicates, objects: Objects, edits: readonly Edit[]): readonly Edit[] => {
  const [first, ...others] = group;
  if (first === undefined || others.length === 0) return [];
  const origin = joinOrigins(group.map((object) => object.origin));
  return [
    updateOf({ object: first, attributes: mergedAttributes(group, first), origin }, edits),
    ...others.flatMap((object): readonly Edit[] => [
      ...childrenOf(objects, object).map(
        (child): Edit => ({ kind: 'move', id: child.id, place: { parentId: first.id } }),
      ),
      updateOf({ object }, edits),
      { kind: 'remove', id: object.id },
    ]),
  ];
};

const withLink = (object: LiveObject, link: string, to: string | undefined): MendChange => {
  const { links = [], ...attributes } = object.attributes;
  const rest = links.flatMap((one) => (one !== link ? [one] : to === undefined ? [] : [to]));
  return {
    object,
    content: replaceLink(object.content, link, to),
    attributes: { ...attributes, ...(rest.length === 0 ? {} : { links: [...new Set(rest)] }) },
  };
};

/** The object as earlier edits of the same batch leave its words. */
const afterEdits = (object: LiveObject, edits: readonly Edit[]): LiveObject => {
  const last = edits.findLast((edit) => edit.kind === 'update' && edit.id === object.id);
  if (last?.kind !== 'update') return object;
  return { ...object, content: last.content ?? object.content, attributes: last.attributes ?? object.attributes };
};

const editsOf = (mend: Mend, objects: Objects, edits: readonly Edit[]): readonly Edit[] => {
  const liveOf = (id: string): readonly LiveObject[] => {
    const found = objects.get(id);
    return found?.state === 'live' ? [afterEdits(found, edits)] : [];
  };
  const [object] = liveOf(mend.id);
  if (object === undefined) return [];
  switch (mend.kind) {
    case 'merge':
      return mergeEdits([object, ...mend.others.flatMap(liveOf)], objects, edits);
    case 'close':
      return [updateOf({ object, attributes: { ...object.attributes, todo: 'CANCELLED' } }, edits)];
    case 'unlink':
      return [updateOf(withLink(object, mend.target, undefined), edits)];
    case 'relink':
      return [updateOf(withLink(object, mend.target, mend.to), edits)];
    default: {
      const never: never = mend;
      return never;
    }
  }
};

/** All mends as edits of one commit. Those whose notes are gone give none. */
export const buildMendEdits = (mends: readonly Mend[], objects: Objects): readonly Edit[] => {
  const edits: Edit[] = [];
  for (const mend of mends) edits.push(...editsOf(mend, objects, edits));
  return edits;
};
