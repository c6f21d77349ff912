/**
 * The part of `node:crypto` that the verifier uses, for a browser, whose own functions answer
 * later. Strict Ed25519 as OpenSSL has it.
 */
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { Buffer, ENCODE } from './buffer.ts';

const KEY_BYTES = 32;

const ENCODER = new TextEncoder();
/** Most hashed texts fit: none of them gets an array of its own. */
const SCRATCH = new Uint8Array(64 * 1024);
const BYTES_PER_UNIT = 3;

const encode = (text: string): Uint8Array => {
  if (text.length * BYTES_PER_UNIT > SCRATCH.length) return ENCODER.encode(text);
  return SCRATCH.subarray(0, ENCODER.encodeInto(text, SCRATCH).written);
};

const BLANK = sha256.create();
const STATE = sha256.create();
const DIGEST = new Uint8Array(32);

/** In arrays of its own, which the next call takes again. */
const digestOf = (bytes: Uint8Array): Uint8Array => {
  BLANK._cloneInto(STATE).update(bytes).digestInto(DIGEST);
  return DIGEST;
};

/** @param encoding `binary` gives one character a byte */
export const hash = (_algorithm: 'sha256', data: string | Uint8Array, encoding: 'hex' | 'binary' = 'hex'): string =>
  ENCODE[encoding === 'hex' ? 'hex' : 'latin1'](digestOf(typeof data === 'string' ? encode(data) : data));

interface Hashing {
  readonly update: (data: string | Uint8Array) => Hashing;
  readonly digest: (encoding: 'hex' | 'base64' | 'base64url') => string;
}

export const createHash = (_algorithm: 'sha256'): Hashing => {
  const state = sha256.create();
  const hashing: Hashing = {
    update: (data) => {
      state.update(typeof data === 'string' ? Buffer.from(data) : data);
      return hashing;
    },
    digest: (encoding) => Buffer.from(state.digest()).toString(encoding),
  };
  return hashing;
};

/** The point ends the key's DER form. */
export const createPublicKey = ({ key }: { readonly key: Uint8Array }): Uint8Array => key.slice(-KEY_BYTES);

export const verify = (_algorithm: null, data: Uint8Array, key: Uint8Array, signature: Uint8Array): boolean => {
  try {
    return ed25519.verify(signature, data, key, { zip215: false });
  } catch {
    return false;
  }
};
