/**
 * Plans a change of one note: words, tags, state, properties, place and scope, as edits of one
 * commit. Takes the note and memory as they are; gives the edits, none if nothing would change.
 * A fault is a ProtocolError that says what to do. Pure.
 */
import { canonicalJson } from '../base/canonical.ts';
import { defined } from '../base/defined.ts';
import { ProtocolError } from '../base/errors.ts';
import { MEMORY_ID_SHOWN_CHARS } from '../base/limits.ts';
import type { Origin } from '../signal/signal.ts';
import { isMarkedPrivate } from '../text/privacy.ts';
import type { Edit, TreePlace } from './edit.ts';
import { type LiveObject, type MemoryObject, SESSION_PROPERTY } from './object.ts';
import type { MemoryScope, ObjectAttributes } from './object-parts.ts';
import { ancestorsOf, childrenOf } from './outline.ts';
import { isProject } from './project.ts';
import type { Objects } from './read.ts';
import { projectsAbove } from './scope.ts';

/** Every field that is absent stays as it is. An empty text takes the field away. */
export interface NoteChange {
  readonly text?: string | undefined;
  readonly title?: string | undefined;
  /** All its tags. */
  readonly tags?: readonly string[] | undefined;
  readonly state?: string | undefined;
  /** Those that are named; the others stay. */
  readonly properties?: Readonly<Record<string, string>> | undefined;
  /** `none` makes it a root. */
  readonly parent?: string | undefined;
  /** Its place among its siblings, from 1. */
  readonly order?: number | undefined;
  readonly scope?: MemoryScope | undefined;
}

export interface EditBase {
  readonly objects: Objects;
  /** Conversation of a note that gets the scope `session`. */
  readonly session: string;
  /** Worst origin of all that the change was made from. */
  readonly origin: Origin;
  /** Privacy tags of the space, beside `personal`. */
  readonly privacyTags: readonly string[];
}

export const NO_PARENT = 'none';

const short = (id: string): string => id.slice(0, MEMORY_ID_SHOWN_CHARS);

/** A note that people may edit. @throws ProtocolError that says why there is none */
export const editableNote = (object: MemoryObject | undefined, id: string): LiveObject => {
  if (object === undefined || object.state === 'removed' || object.type === 'bucket')
    throw new ProtocolError(`memory has no object ${short(id)}; recall or /memory show the ids there are`);
  if (object.state === 'forgotten') throw new ProtocolError(`the object ${short(id)} was forgotten`);
  if (object.type === 'summary')
    throw new ProtocolError('summaries of conversations are not edited; /forget erases one');
  return object;
};

/** Names that code keeps its own values under. */
const isReserved = (name: string): boolean => name === SESSION_PROPERTY || name.startsWith('passepartout:');

const changedProperties = (
  object: LiveObject,
  { properties = {}, scope = object.scope }: NoteChange,
  session: string,
): ObjectAttributes['properties'] => {
  const reserved = Object.keys(properties).find(isReserved);
  if (reserved !== undefined) throw new ProtocolError(`the property ${reserved} is set by its scope or its file alone`);
  const kept = new Map(Object.entries(object.attributes.properties ?? {}));
  for (const [name, value] of Object.entries(properties)) {
    if (value === '') kept.delete(name);
    else kept.set(name, value);
  }
  if (scope !== object.scope && object.scope === 'session') kept.delete(SESSION_PROPERTY);
  if (scope !== object.scope && scope === 'session') kept.set(SESSION_PROPERTY, session);
  return kept.size === 0 ? undefined : Object.fromEntries(kept);
};

/** A field as it shall be: an empty text is none. */
const newest = (given: string | undefined, before: string | undefined): string | undefined =>
  given === undefined ? before : given === '' ? undefined : given;

const changedAttributes = (object: LiveObject, change: NoteChange, session: string): ObjectAttributes => {
  const { title, tags, todo, properties: _, ...rest } = object.attributes;
  return {
    ...rest,
    tags: [...new Set(change.tags ?? tags)],
    ...defined({
      title: newest(change.title, title),
      todo: newest(change.state, todo),
      properties: changedProperties(object, change, session),
    }),
  };
};

const liveParent = (objects: Objects, id: string): LiveObject => {
  const parent = objects.get(id);
  if (parent?.state === 'live' && parent.type !== 'bucket' && parent.type !== 'summary') return parent;
  throw new ProtocolError(`memory has no object ${short(id)} to hang it below`);
};

/** @returns undefined if the note stays where it is */
const changedPlace = (object: LiveObject, { parent, order }: NoteChange, objects: Objects): TreePlace | undefined => {
  if (parent === undefined && order === undefined) return undefined;
  const parentId = parent === undefined ? object.parentId : parent === NO_PARENT ? undefined : parent;
  if (parentId === undefined) {
    if (order !== undefined) throw new ProtocolError('notes without a parent have no order: the newest comes first');
    return object.parentId === undefined ? undefined : {};
  }
  const above = liveParent(objects, parentId);
  if (parentId === object.id || ancestorsOf(objects, above).some(({ id }) => id === object.id))
    throw new ProtocolError(`${short(object.id)} would hang below itself: move ${short(parentId)} out of it first`);
  const siblings = childrenOf(objects, above).filter(({ state }) => state === 'live');
  const now = siblings.findIndex(({ id }) => id === object.id);
  if (order === undefined) return now >= 0 ? undefined : { parentId };
  const others = siblings.filter(({ id }) => id !== object.id);
  if (now >= 0 && Math.min(order - 1, others.length) === now) return undefined;
  return { parentId, before: others[order - 1]?.id };
};

/** Whether a note, or anything above it, is marked private. */
const isPrivateAt = (
  object: LiveObject,
  parentId: string | undefined,
  { objects, privacyTags }: Pick<EditBase, 'objects' | 'privacyTags'>,
): boolean => {
  const parent = parentId === undefined ? undefined : objects.get(parentId);
  const line = parent === undefined ? [] : [parent, ...ancestorsOf(objects, parent)];
  return [object, ...line].some((one) => one.state === 'live' && isMarkedPrivate(one, privacyTags));
};

/** @throws ProtocolError if text from outside would make a private note visible */
const checkPrivacy = (before: LiveObject, after: LiveObject, place: TreePlace | undefined, base: EditBase): void => {
  if (base.origin !== 'outside') return;
  const parentId = place === undefined ? before.parentId : place.parentId;
  if (isPrivateAt(before, before.parentId, base) && !isPrivateAt(after, parentId, base))
    throw new ProtocolError('text from outside cannot make a private note visible: type /edit yourself');
};

/** @throws ProtocolError if nobody would find the note any more */
const checkProject = ({ attributes, parentId }: LiveObject, place: TreePlace | undefined, objects: Objects): void => {
  const above = place === undefined ? parentId : place.parentId;
  if (isProject(attributes) || (above !== undefined && projectsAbove(objects, above).length > 0)) return;
  throw new ProtocolError(
    'the scope project needs a project above the note: give it a parent in one, or the scope memex',
  );
};

export const planEdit = (object: LiveObject, change: NoteChange, base: EditBase): readonly Edit[] => {
  const { id } = object;
  const attributes = changedAttributes(object, change, base.session);
  const content = change.text ?? object.content;
  const scope = change.scope ?? object.scope;
  if (content === '' && attributes.title === undefined)
    throw new ProtocolError('a note needs a text or a title; /forget erases it');
  const place = changedPlace(object, change, base.objects);
  const after = { ...object, attributes, content };
  if (scope === 'project' && (scope !== object.scope || place !== undefined)) checkProject(after, place, base.objects);
  checkPrivacy(object, after, place, base);
  const isSame =
    content === object.content &&
    scope === object.scope &&
    canonicalJson(attributes) === canonicalJson(object.attributes);
  const update = {
    kind: 'update',
    id,
    attributes,
    content,
    origin: base.origin,
    expectedVersion: object.version,
  } as const;
  return [
    ...(isSame ? [] : [{ ...update, ...(scope === object.scope ? {} : { scope }) }]),
    ...(place === undefined ? [] : [{ kind: 'move', id, place } as const]),
  ];
};
