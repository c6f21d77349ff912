/**
 * Ed25519 signatures (RFC 8032) over canonical JSON, for jobs, receipts, results and requests. The
 * hash's domain is part of the signed bytes, so a signature of one kind never passes for another.
 * Keys are 32 raw bytes in base64url. Pure.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { type HashDomain, hashOf } from '../base/canonical.ts';
import { ProtocolError } from '../base/errors.ts';

const KEY_BYTES = 32;
/** DER in front of the 32 bytes of an Ed25519 key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

export interface Signer {
  /** 32 bytes, base64url. */
  readonly publicKey: string;
  /** @returns 64 bytes, base64url. */
  readonly sign: (domain: HashDomain, value: unknown) => string;
}

/** @param seed 32 random bytes. @throws ProtocolError */
export const buildSigner = (seed: Uint8Array): Signer => {
  if (seed.length !== KEY_BYTES) throw new ProtocolError('a signing key is made of 32 bytes');
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    publicKey: spki.subarray(SPKI_PREFIX.length).toString('base64url'),
    sign: (domain, value) => sign(null, Buffer.from(hashOf(domain, value), 'hex'), key).toString('base64url'),
  };
};

const publicKeyOf = (publicKey: string): KeyObject | undefined => {
  const bytes = Buffer.from(publicKey, 'base64url');
  if (bytes.length !== KEY_BYTES) return undefined;
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, bytes]), format: 'der', type: 'spki' });
};

/** False for any value, key or signature that does not fit. Never throws. */
export const isSignedBy = (publicKey: string, domain: HashDomain, value: unknown, signature: string): boolean => {
  try {
    const key = publicKeyOf(publicKey);
    const bytes = Buffer.from(signature, 'base64url');
    return key !== undefined && verify(null, Buffer.from(hashOf(domain, value), 'hex'), key, bytes);
  } catch {
    return false;
  }
};
