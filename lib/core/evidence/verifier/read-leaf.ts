/**
 * Reads a leaf by hand, as strictly as the schema of its writer (`../leaf.ts`); a test holds the
 * two together. Pure; imports only canonical JSON and limits.
 */

import { canonicalJson } from '../../base/canonical.ts';
import { LEAF_CHANGES_MAX } from '../../base/limits.ts';
import { LEAF_BYTES_MAX } from '../limits.ts';
import type { RecordKind } from '../record-hash.ts';
import { type Fields, hasExactly, readCount, readFieldList, readFields, readText } from './fields.ts';

export interface ReadLeaf {
  readonly kind: RecordKind;
  readonly space: string;
  readonly id: string;
  readonly hash: string;
  readonly at: number;
  /** Present only if the leaf came later than the merge delay. */
  readonly loggedAt: number | undefined;
  /** State of an effect, approval, occurrence or job; empty for other records. */
  readonly state: string;
  readonly fields: Fields;
}

const COMMON = ['v', 'kind', 'space', 'id', 'hash', 'signal', 'actor', 'at'];
/** A leaf that came later than the merge delay has its own time. */
const LATE = ['loggedAt'];
const STATES: Readonly<Record<string, readonly string[]>> = {
  effect: ['suspended', 'claimed', 'done', 'failed', 'unknown', 'refused'],
  approval: ['pending', 'approved', 'denied', 'expired', 'spent'],
  occurrence: ['fired', 'late', 'skipped', 'missed', 'failed', 'unknown', 'did-nothing', 'stopped'],
  job: ['active', 'paused', 'ended', 'removed'],
};
const ID_CHARS_MAX = 256;
const KEY_CHARS_MAX = 512;
const HASH = /^[0-9a-f]{64}$/;

const isHash = (value: unknown): boolean => typeof value === 'string' && HASH.test(value);
const isText = (value: unknown, charsMin: number, charsMax: number): boolean =>
  typeof value === 'string' && value.length >= charsMin && value.length <= charsMax;

const isChange = (change: Fields): boolean =>
  hasExactly(change, ['id', 'old', 'new']) &&
  isText(change.id, 1, ID_CHARS_MAX) &&
  [change.old, change.new].every((hash) => hash === null || isHash(hash));

/** Whether the members beyond the common ones are those of the kind. */
const isKind = (fields: Fields): fields is Fields & { readonly kind: RecordKind } => {
  switch (fields.kind) {
    case 'decision':
      return fields.v === 1
        ? hasExactly(fields, COMMON, LATE)
        : hasExactly(fields, [...COMMON, 'envelope'], LATE) && isHash(fields.envelope);
    case 'tombstone':
    case 'right':
    case 'skill':
    case 'runner-job':
    case 'runner-receipt':
    case 'runner-result':
      return hasExactly(fields, COMMON, LATE);
    case 'effect':
    case 'approval':
    case 'occurrence':
    case 'job':
      return (
        hasExactly(fields, [...COMMON, 'state'], LATE) &&
        STATES[fields.kind]?.includes(readText(fields, 'state') ?? '') === true
      );
    case 'rotation':
      return (
        hasExactly(fields, [...COMMON, 'oldKey', 'newKey'], LATE) &&
        isText(fields.oldKey, 0, KEY_CHARS_MAX) &&
        isText(fields.newKey, 0, KEY_CHARS_MAX)
      );
    case 'commit': {
      const changes = Object.hasOwn(fields, 'changes') ? readFieldList(fields, 'changes') : [];
      return (
        hasExactly(fields, [...COMMON, 'count'], ['changes', ...LATE]) &&
        readCount(fields, 'count') !== undefined &&
        changes !== undefined &&
        changes.length <= LEAF_CHANGES_MAX &&
        changes.every(isChange)
      );
    }
    default:
      return false;
  }
};

const isCommon = (fields: Fields): boolean =>
  (fields.v === 1 || (fields.v === 2 && fields.kind === 'decision')) &&
  /^[a-z0-9-]{1,32}$/.test(readText(fields, 'space') ?? '') &&
  isText(fields.id, 1, ID_CHARS_MAX) &&
  isHash(fields.hash) &&
  isText(fields.signal, 0, ID_CHARS_MAX) &&
  isText(fields.actor, 0, ID_CHARS_MAX) &&
  readCount(fields, 'at') !== undefined &&
  (!Object.hasOwn(fields, 'loggedAt') || readCount(fields, 'loggedAt') !== undefined);

/** @returns undefined unless the text is exactly a leaf as its writer makes it */
export const readLeaf = (text: string): ReadLeaf | undefined => {
  if (text.length > LEAF_BYTES_MAX) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
    if (canonicalJson(value) !== text) return undefined;
  } catch {
    return undefined;
  }
  const fields = readFields(value);
  if (fields === undefined || !isCommon(fields) || !isKind(fields)) return undefined;
  const [space, id, hash] = [
    readText(fields, 'space') ?? '',
    readText(fields, 'id') ?? '',
    readText(fields, 'hash') ?? '',
  ];
  return {
    kind: fields.kind,
    space,
    id,
    hash,
    at: readCount(fields, 'at') ?? 0,
    loggedAt: readCount(fields, 'loggedAt'),
    state: readText(fields, 'state') ?? '',
    fields,
  };
};
