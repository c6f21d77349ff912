/**
 * A memory object: one node of what the agent remembers, as stored. Its hash covers id, type, attributes, nonce, the hash
 * of the content and the children, so that any change shows; its id carries nothing of the content. A forgotten object
 * keeps that hash and a tombstone. Content, tags, nonce and content hash go, because a short text could be guessed from
 * a hash that no nonce protects. All pure: ids, nonces and times come in as values.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { ProtocolError } from '../errors.ts';
import { hashOf } from '../evidence/canonical.ts';
import { MEMORY_CONTENT_CHARS_MAX, MEMORY_TAG_CHARS_MAX, MEMORY_TAGS_MAX } from '../limits.ts';
import { Origin } from '../signal/signal.ts';

/** 128 bits in lower-case hex. */
const Bits128 = z.string().check(z.regex(/^[0-9a-f]{32}$/));
const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const MemoryId = Bits128;

export const Attributes = z.strictObject({
  tags: z
    .array(z.string().check(z.minLength(1), z.maxLength(MEMORY_TAG_CHARS_MAX)))
    .check(z.maxLength(MEMORY_TAGS_MAX)),
});
export type Attributes = z.infer<typeof Attributes>;

const common = {
  schemaVersion: z.literal(1),
  id: MemoryId,
  type: z.literal('note'),
  scope: z.literal('memex'),
  /** Worst origin of what it was made from; never improves (I13). */
  origin: Origin,
  /** 1 for a new object; counts contents. */
  version: z.int().check(z.positive()),
  createdAt: z.int(),
  updatedAt: z.int(),
  /** Signal and effect that wrote this version. */
  bySignal: z.string(),
  byEffect: z.string(),
  hash: Sha256,
};

export const LiveObject = z.object({
  state: z.literal('live'),
  ...common,
  attributes: Attributes,
  content: z.string().check(z.minLength(1), z.maxLength(MEMORY_CONTENT_CHARS_MAX)),
  nonce: Bits128,
  contentHash: Sha256,
});
export type LiveObject = z.infer<typeof LiveObject>;

export const ForgottenObject = z.object({
  state: z.literal('forgotten'),
  ...common,
  tombstone: z.strictObject({ forgottenAt: z.int(), bySignal: z.string() }),
});
export type ForgottenObject = z.infer<typeof ForgottenObject>;

export const MemoryObject = z.discriminatedUnion('state', [LiveObject, ForgottenObject]);
export type MemoryObject = z.infer<typeof MemoryObject>;

/** The id of the object an effect makes: the same for every try of that effect, and of no other. */
export const memoryIdOf = (effectId: string): string =>
  createHash('sha256').update(`passepartout/memory-id\n${effectId}`).digest('hex').slice(0, 32);

export const contentHashOf = (content: string): string => hashOf('memory-content', content);

/** What an object's hash covers. Notes have no children yet; the empty list keeps their hashes valid once trees come. */
export const memoryHashOf = (parts: {
  readonly id: string;
  readonly type: string;
  readonly attributes: Attributes;
  readonly nonce: string;
  readonly contentHash: string;
}): string =>
  hashOf('memory-object', {
    id: parts.id,
    type: parts.type,
    attributes: parts.attributes,
    nonce: parts.nonce,
    contentHash: parts.contentHash,
    children: [],
  });

export interface NewNote {
  readonly text: string;
  readonly tags: readonly string[];
  readonly origin: Origin;
  readonly effectId: string;
  readonly signalId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** 128 random bits in hex. */
  readonly nonce: string;
}

/** Builds the first version of a note. @throws ProtocolError naming what does not fit, never quoting it. */
export const buildNote = (note: NewNote): LiveObject => {
  const id = memoryIdOf(note.effectId);
  const attributes: Attributes = { tags: [...new Set(note.tags)] };
  const contentHash = contentHashOf(note.text);
  const built = LiveObject.safeParse({
    state: 'live',
    schemaVersion: 1,
    id,
    type: 'note',
    scope: 'memex',
    origin: note.origin,
    version: 1,
    createdAt: note.now,
    updatedAt: note.now,
    bySignal: note.signalId,
    byEffect: note.effectId,
    attributes,
    content: note.text,
    nonce: note.nonce,
    contentHash,
    hash: memoryHashOf({ id, type: 'note', attributes, nonce: note.nonce, contentHash }),
  });
  if (built.success) return built.data;
  const fields = new Set(built.error.issues.map((issue) => String(issue.path[0])));
  throw new ProtocolError(`a memory object does not fit: ${[...fields].join(', ')}`);
};

/** The tombstone of an object: the same whichever of its versions it stands for. */
export const buildForgotten = (
  object: MemoryObject,
  tombstone: { readonly forgottenAt: number; readonly bySignal: string },
): ForgottenObject => {
  if (object.state === 'forgotten') return object;
  const { attributes: _a, content: _c, nonce: _n, contentHash: _h, ...kept } = object;
  return { ...kept, state: 'forgotten', tombstone: { ...tombstone } };
};
