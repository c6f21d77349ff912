/**
 * Ed25519 signatures (RFC 8032) over canonical JSON. The hash's domain is part of the signed bytes,
 * so a signature of one kind never passes for another. Pure.
 */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { type HashDomain, hashOf } from '../../core/base/canonical.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { isHashSigned, SPKI_PREFIX } from '../../core/evidence/signed-hash.ts';

const KEY_BYTES = 32;
/** DER in front of the 32 bytes of an Ed25519 private key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

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

/** False for any value, key or signature that does not fit. Never throws. */
export const isSignedBy = (publicKey: string, domain: HashDomain, value: unknown, signature: string): boolean => {
  try {
    return isHashSigned(publicKey, hashOf(domain, value), signature);
  } catch {
    return false;
  }
};
