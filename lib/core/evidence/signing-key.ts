/**
 * Signing keys that are kept as text: a secret of the log's writer, or a file of the local stack.
 * The form is `PRIVATE+KEY+<name>+<id>+<base64>`, which Go's `note` package reads too. Pure: the 32
 * random bytes of a new key come in as a value. Errors never hold the key.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { ProtocolError } from '../base/errors.ts';
import { type Checkpoint, renderCheckpoint } from './checkpoint.ts';
import { buildVerifierKey, type NoteSignature, renderNote, type VerifierKey } from './signed-note.ts';

export interface SigningKey {
  readonly verifier: VerifierKey;
  readonly sign: (text: string) => NoteSignature;
  /** The key as text, which is a secret. */
  readonly render: () => string;
}

const ED25519 = 0x01;
const SEED_BYTES = 32;
/** PKCS #8 puts this before the 32 bytes of an Ed25519 key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_PREFIX_BYTES = 12;
const KEY_LINE = /^PRIVATE\+KEY\+([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/u;

/** @param seed 32 random bytes */
export const privateKeyOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });

export const publicBytesOf = (key: KeyObject): Uint8Array =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(SPKI_PREFIX_BYTES);

/** @param seed 32 random bytes. @throws ProtocolError */
export const buildSigningKey = (name: string, seed: Uint8Array): SigningKey => {
  if (seed.length !== SEED_BYTES) throw new ProtocolError('a signing key is made of 32 bytes');
  const key = privateKeyOf(seed);
  const verifier = buildVerifierKey(name, publicBytesOf(key));
  return {
    verifier,
    sign: (text) => ({ name, keyId: verifier.id, signature: sign(null, Buffer.from(text), key) }),
    render: () => `PRIVATE+KEY+${name}+${verifier.id}+${Buffer.concat([Buffer.of(ED25519), seed]).toString('base64')}`,
  };
};

/** @throws ProtocolError if the text is not such a key */
export const parseSigningKey = (text: string): SigningKey => {
  const [, name = '', id = '', encoded = ''] = KEY_LINE.exec(text) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (name === '' || bytes[0] !== ED25519 || bytes.length !== SEED_BYTES + 1)
    throw new ProtocolError('this is not a signing key of Ed25519');
  const key = buildSigningKey(name, bytes.subarray(1));
  if (key.verifier.id !== id) throw new ProtocolError('a signing key has another id than its name and bytes');
  return key;
};

/** The checkpoint with a signature of each key: two keys after a rotation. */
export const signCheckpoint = (checkpoint: Checkpoint, keys: readonly Pick<SigningKey, 'sign'>[]): string => {
  const text = renderCheckpoint(checkpoint);
  return renderNote({ text, signatures: keys.map((key) => key.sign(text)) });
};
