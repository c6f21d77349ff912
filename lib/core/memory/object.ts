/**
 * A memory object: one stored node. Its hash covers its words and its children's hashes in order,
 * so that a change shows in every ancestor; its id says nothing of its content. `live`; `forgotten`
 * keeps hash, place and tombstone; `removed` does not exist since its commit.
 */

import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { hashOf } from '../base/canonical.ts';
import { defined } from '../base/defined.ts';
import { ProtocolError } from '../base/errors.ts';
import { MEMORY_CONTENT_CHARS_MAX } from '../base/limits.ts';
import { Origin } from '../signal/signal.ts';
import { parseStored } from '../store/parse-stored.ts';
import type { Item } from '../store/table.ts';
import { MEMORY_CHILDREN_MAX } from './limits.ts';
import { Attributes, Bits128, MemoryId, MemoryScope, ObjectAttributes, Sha256 } from './object-parts.ts';

/** `bucket` holds children of a node with too many; people and the model never see one. */
export const MemoryType = z.enum(['note', 'headline', 'document', 'summary', 'bucket']);
export type MemoryType = z.infer<typeof MemoryType>;

/** A child with its hash, so that re-hashing reads no siblings. `height`: the child is a bucket. */
export const ChildRef = z.strictObject({
  id: MemoryId,
  hash: Sha256,
  height: z.optional(z.int().check(z.positive())),
});
export type ChildRef = z.infer<typeof ChildRef>;

const common = {
  schemaVersion: z.literal(2),
  id: MemoryId,
  type: MemoryType,
  scope: MemoryScope,
  /** Worst origin of its sources; never improves (I13). */
  origin: Origin,
  /** Counts changes of its own words, not of place or children. */
  version: z.int().check(z.positive()),
  /** Commit that wrote it; 0 before it is committed. */
  commit: z.int(),
  createdAt: z.int(),
  updatedAt: z.int(),
  /** When its file or buffer last gave it. */
  lastSync: z.optional(z.int()),
  /** Signal and effect that wrote this version. */
  bySignal: z.string(),
  byEffect: z.string(),
  hash: Sha256,
  /** The parent that people see; absent for a root. */
  parentId: z.optional(MemoryId),
  /** The bucket that lists it, if its parent does not. */
  containerId: z.optional(MemoryId),
};

const children = z.array(ChildRef).check(z.maxLength(MEMORY_CHILDREN_MAX));

export const LiveObject = z.object({
  state: z.literal('live'),
  ...common,
  attributes: ObjectAttributes,
  content: z.string().check(z.maxLength(MEMORY_CONTENT_CHARS_MAX)),
  nonce: Bits128,
  contentHash: Sha256,
  children,
});
export type LiveObject = z.infer<typeof LiveObject>;

export const ForgottenObject = z.object({
  state: z.literal('forgotten'),
  ...common,
  tombstone: z.strictObject({ forgottenAt: z.int(), bySignal: z.string() }),
});
export type ForgottenObject = z.infer<typeof ForgottenObject>;

export const RemovedObject = z.object({ state: z.literal('removed'), ...common, children });
export type RemovedObject = z.infer<typeof RemovedObject>;

export const MemoryObject = z.discriminatedUnion('state', [LiveObject, ForgottenObject, RemovedObject]);
export type MemoryObject = z.infer<typeof MemoryObject>;

/** Id of an object that an effect makes: the same for every try. @param n which of several */
export const memoryIdOf = (effectId: string, n = 0): string =>
  createHash('sha256')
    .update(`passepartout/memory-id\n${effectId}${n === 0 ? '' : `\n${n}`}`)
    .digest('hex')
    .slice(0, 32);

export const contentHashOf = (content: string): string => hashOf('memory-content', content);

/** The parts of an object that its hash covers. */
export type HashedParts = Pick<
  LiveObject,
  'id' | 'type' | 'attributes' | 'nonce' | 'contentHash' | 'scope' | 'origin' | 'children'
>;

export const objectHashOf = (object: HashedParts): string => {
  const { id, type, attributes, nonce, contentHash, scope, origin } = object;
  const children = object.children.map(({ hash }) => hash);
  return hashOf('memory-object', { id, type, attributes, nonce, contentHash, children, scope, origin });
};

export const withHash = (object: LiveObject): LiveObject => ({ ...object, hash: objectHashOf(object) });

export interface NewObject {
  readonly id: string;
  readonly type: MemoryType;
  readonly scope: MemoryScope;
  readonly attributes: ObjectAttributes;
  readonly content: string;
  readonly origin: Origin;
  readonly effectId: string;
  readonly signalId: string;
  readonly now: number;
  readonly nonce: string;
}

const NO_HASH = '0'.repeat(64);

/** A first version. @throws ProtocolError that names fields, never their values */
export const buildObject = (given: NewObject): LiveObject => {
  const built = LiveObject.safeParse({
    state: 'live',
    schemaVersion: 2,
    id: given.id,
    type: given.type,
    scope: given.scope,
    origin: given.origin,
    version: 1,
    commit: 0,
    createdAt: given.now,
    updatedAt: given.now,
    bySignal: given.signalId,
    byEffect: given.effectId,
    attributes: given.attributes,
    content: given.content,
    nonce: given.nonce,
    contentHash: contentHashOf(given.content),
    children: [],
    hash: NO_HASH,
  });
  if (built.success) return withHash(built.data);
  throw misfitError(built.error.issues);
};

export const misfitError = (issues: readonly { readonly path: readonly PropertyKey[] }[]): ProtocolError => {
  const fields = new Set(issues.map((issue) => String(issue.path[0])));
  return new ProtocolError(`a memory object does not fit: ${[...fields].join(', ')}`);
};

/** Property with the session of an object of scope `session`. */
export const SESSION_PROPERTY = 'session';

export interface NewNote {
  readonly text: string;
  readonly tags: readonly string[];
  /** A note with a title is a headline. */
  readonly title?: string | undefined;
  readonly todo?: string | undefined;
  /** `memex` if absent. */
  readonly scope?: MemoryScope | undefined;
  /** Only for the scope `session`. */
  readonly session?: string | undefined;
  /** Absent for a root. */
  readonly parentId?: string | undefined;
  readonly origin: Origin;
  readonly effectId: string;
  readonly signalId: string;
  /** Sender's id; `agent` if it is not given. */
  readonly actor?: string;
  readonly now: number;
  readonly nonce: string;
}

/** A note's first version. @throws ProtocolError that names fields, never their values */
export const buildNote = ({ text, tags, title, todo, session, ...note }: NewNote): LiveObject => {
  const attributes = Attributes.safeParse({ tags: [...new Set(tags)] });
  if (!attributes.success) throw misfitError([{ path: ['attributes'] }]);
  if (text === '' && title === undefined) throw misfitError([{ path: ['content'] }]);
  const { scope = 'memex', effectId, signalId, origin, now, nonce } = note;
  const properties = scope === 'session' && session !== undefined ? { [SESSION_PROPERTY]: session } : undefined;
  return buildObject({
    ...{ effectId, signalId, origin, now, nonce, scope },
    id: memoryIdOf(effectId),
    type: title === undefined ? 'note' : 'headline',
    attributes: { ...attributes.data, ...defined({ title, todo, properties }) },
    content: text,
  });
};

/** The tombstone of an object, the same for all its versions. */
export const buildForgotten = (
  object: MemoryObject,
  tombstone: { readonly forgottenAt: number; readonly bySignal: string },
): ForgottenObject => {
  switch (object.state) {
    case 'forgotten':
      return object;
    case 'removed': {
      const { children: _, ...kept } = object;
      return { ...kept, state: 'forgotten', tombstone: { ...tombstone } };
    }
    case 'live': {
      const { attributes: _a, content: _c, nonce: _n, contentHash: _h, children: _r, ...kept } = object;
      return { ...kept, state: 'forgotten', tombstone: { ...tombstone } };
    }
  }
};

/** Stands for a removed object: its place and children, none of its words. */
export const buildRemoved = (object: LiveObject): RemovedObject => {
  const { attributes: _a, content: _c, nonce: _n, contentHash: _h, ...kept } = object;
  return { ...kept, state: 'removed' };
};

export const parseObject = (item: Item): MemoryObject => parseStored(item, MemoryObject, undefined, 2);

export const stampCommit = <T extends MemoryObject>(object: T, commit: number): T => ({ ...object, commit });
