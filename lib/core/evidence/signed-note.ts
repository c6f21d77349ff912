/**
 * Signed notes of C2SP: a text that ends in a line feed, an empty line, and Ed25519 signature lines
 * `— <name> <base64>`. Several keys may sign (rotation, witnesses). Unknown keys are ignored; a
 * wrong signature of a known key spoils the note. Pure: a signer hands in its signature. Belongs to
 * the offline verifier: imports only node:crypto, errors and limits.
 */
import { createPublicKey, hash, verify } from 'node:crypto';
import { ProtocolError } from '../base/errors.ts';
import { CHECKPOINT_BYTES_MAX, LOG_ORIGIN_CHARS_MAX } from './limits.ts';

const CHECKPOINT_SIGNATURES_MAX = 16;

/** A log's public key, written `<name>+<id>+<base64 of 0x01 and the key>`. */
export interface VerifierKey {
  readonly name: string;
  /** First four bytes of SHA-256 over name, line feed, 0x01 and the key; eight hex digits. */
  readonly id: string;
  /** 32 bytes of Ed25519. */
  readonly publicKey: Uint8Array;
}

export interface NoteSignature {
  readonly name: string;
  readonly keyId: string;
  readonly signature: Uint8Array;
}

export interface SignedNote {
  /** The signed text, with its last line feed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

const ED25519 = 0x01;
const KEY_ID_BYTES = 4;
const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** X.509 puts this before the 32 bytes of an Ed25519 key (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const SIGNATURE_LINE = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u;
const KEY_LINE = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROLS = /[\u0000-\u0009\u000b-\u001f]/;

/** Bytes of base64 in its one canonical spelling, or nothing. */
const parseBase64 = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
};

const isName = (name: string): boolean =>
  name !== '' && name.length <= LOG_ORIGIN_CHARS_MAX && name.isWellFormed() && !/[\s+]/u.test(name);

const keyIdOf = (name: string, publicKey: Uint8Array, type: number): string =>
  hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), publicKey])).slice(0, 2 * KEY_ID_BYTES);

/** @param type of a log's key, or of a witness's. @throws ProtocolError */
export const buildVerifierKey = (name: string, publicKey: Uint8Array, type = ED25519): VerifierKey => {
  if (!isName(name)) throw new ProtocolError('a key has no usable name');
  if (publicKey.length !== PUBLIC_KEY_BYTES) throw new ProtocolError('a public key is not 32 bytes long');
  return { name, id: keyIdOf(name, publicKey, type), publicKey };
};

export const renderVerifierKey = ({ name, id, publicKey }: VerifierKey, type = ED25519): string =>
  `${name}+${id}+${Buffer.concat([Buffer.of(type), publicKey]).toString('base64')}`;

/** @throws ProtocolError if the text is no such key, or its id is not of its name and bytes */
export const parseKeyOfType = (text: string, type: number): VerifierKey => {
  const [, name = '', id = '', encoded = ''] = KEY_LINE.exec(text) ?? [];
  const bytes = parseBase64(encoded);
  if (name === '' || bytes?.[0] !== type) throw new ProtocolError('this is not a verifier key of Ed25519');
  const key = buildVerifierKey(name, bytes.subarray(1), type);
  if (key.id !== id) throw new ProtocolError('a verifier key has another id than its name and bytes');
  return key;
};

/** The key of a log. @throws ProtocolError */
export const parseVerifierKey = (text: string): VerifierKey => parseKeyOfType(text, ED25519);

export const isSameKey = (left: VerifierKey, right: VerifierKey): boolean =>
  renderVerifierKey(left) === renderVerifierKey(right);

const isNoteText = (text: string): boolean => text.endsWith('\n') && text.isWellFormed() && !CONTROLS.test(text);

/** The published form. @throws ProtocolError if the text cannot be a note, or has no signature */
export const renderNote = ({ text, signatures }: SignedNote): string => {
  if (!isNoteText(text)) throw new ProtocolError('a note is text that ends in a line feed');
  if (signatures.length === 0) throw new ProtocolError('a note needs a signature');
  const lines = signatures.map(({ name, keyId, signature }) => {
    const encoded = Buffer.concat([Buffer.from(keyId, 'hex'), signature]).toString('base64');
    return `— ${name} ${encoded}\n`;
  });
  return `${text}\n${lines.join('')}`;
};

const parseSignature = (line: string): NoteSignature => {
  const [, name = '', encoded = ''] = SIGNATURE_LINE.exec(line) ?? [];
  const bytes = parseBase64(encoded);
  if (!isName(name) || bytes === undefined || bytes.length <= KEY_ID_BYTES)
    throw new ProtocolError('a note has a malformed signature line');
  return { name, keyId: bytes.subarray(0, KEY_ID_BYTES).toString('hex'), signature: bytes.subarray(KEY_ID_BYTES) };
};

/** Takes a note apart, and checks no signature. @throws ProtocolError on any other form */
export const parseNote = (note: string): SignedNote => {
  if (Buffer.byteLength(note) > CHECKPOINT_BYTES_MAX) throw new ProtocolError('a note is too long');
  if (!isNoteText(note)) throw new ProtocolError('a note holds control characters, or does not end in a line feed');
  // The last empty line is the one that counts: the text may hold others.
  const split = note.lastIndexOf('\n\n');
  if (split < 0) throw new ProtocolError('a note has no signatures');
  const lines = note.slice(split + 2, -1).split('\n');
  if (lines.length > CHECKPOINT_SIGNATURES_MAX) throw new ProtocolError('a note has too many signatures');
  return { text: note.slice(0, split + 1), signatures: lines.map(parseSignature) };
};

/** Whether the key made the signature, by its bytes alone. */
export const isSigned = (text: string, signature: Uint8Array, { publicKey }: VerifierKey): boolean => {
  if (signature.length !== SIGNATURE_BYTES) return false;
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
  return verify(null, Buffer.from(text), key, signature);
};

/** The keys that signed. @throws ProtocolError if one of them is claimed wrongly, or twice */
export const signersOf = (note: SignedNote, keys: readonly VerifierKey[]): readonly VerifierKey[] => {
  const signers: VerifierKey[] = [];
  for (const { name, keyId, signature } of note.signatures) {
    const key = keys.find((one) => one.name === name && one.id === keyId);
    if (key === undefined) continue;
    if (signers.includes(key)) throw new ProtocolError(`the key ${key.id} signed twice`);
    if (!isSigned(note.text, signature, key))
      throw new ProtocolError(`the signature of the key ${key.id} does not fit`);
    signers.push(key);
  }
  return signers;
};
