/**
 * Checkpoints as C2SP tlog-checkpoint has them. A checkpoint says what a log commits to; it is the
 * text of a signed note: origin, size and root hash in base64, one a line. Each space has an
 * origin. Pure. Belongs to the offline verifier: imports only notes, errors and limits.
 */
import { ProtocolError } from '../base/errors.ts';
import { LOG_LEAVES_MAX } from '../base/limits.ts';
import { LOG_ORIGIN_CHARS_MAX } from './limits.ts';
import { HASH_BYTES, type Hash } from './merkle.ts';
import { parseNote, type SignedNote } from './signed-note.ts';

export interface Checkpoint {
  readonly origin: string;
  /** Leaves of the log. */
  readonly size: number;
  readonly root: Hash;
}

export interface SignedCheckpoint extends Checkpoint {
  readonly note: SignedNote;
}

const SIZE = /^(0|[1-9]\d{0,15})$/;

/** Origin of the log of a space, which is also the name of its keys. */
export const originOf = (space: string): string => `passepartout/${space}`;

const isOrigin = (origin: string): boolean =>
  origin !== '' && origin.length <= LOG_ORIGIN_CHARS_MAX && !/[\s+]/u.test(origin);

/** The text to sign. @throws ProtocolError on unusable values */
export const renderCheckpoint = ({ origin, size, root }: Checkpoint): string => {
  if (!isOrigin(origin)) throw new ProtocolError('a checkpoint has no usable origin');
  if (!Number.isSafeInteger(size) || size < 0 || size > LOG_LEAVES_MAX)
    throw new ProtocolError('a checkpoint has no usable size');
  if (root.length !== HASH_BYTES) throw new ProtocolError('a checkpoint has no usable root');
  return `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`;
};

/** The caller checks its signatures. No extension lines: nobody vouches for what nobody reads. */
export const parseCheckpoint = (note: string): SignedCheckpoint => {
  const parsed = parseNote(note);
  const [origin = '', size = '', encoded = '', end, ...rest] = parsed.text.split('\n');
  const root = Buffer.from(encoded, 'base64');
  if (end !== '' || rest.length > 0) throw new ProtocolError('a checkpoint is three lines');
  if (!isOrigin(origin)) throw new ProtocolError('a checkpoint has no usable origin');
  if (!SIZE.test(size) || Number(size) > LOG_LEAVES_MAX) throw new ProtocolError('a checkpoint has no usable size');
  if (root.length !== HASH_BYTES || root.toString('base64') !== encoded)
    throw new ProtocolError('a checkpoint has no usable root');
  return { origin, size: Number(size), root, note: parsed };
};
