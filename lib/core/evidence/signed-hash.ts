/**
 * Ed25519 signatures (RFC 8032) over a hash of canonical JSON. A key is 32 raw bytes in base64url.
 * Pure. Belongs to the offline verifier: imports node:crypto only.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';

const KEY_BYTES = 32;
/** DER in front of the 32 bytes of an Ed25519 public key (RFC 8410). */
export const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

const publicKeyOf = (publicKey: string): KeyObject | undefined => {
  const bytes = Buffer.from(publicKey, 'base64url');
  if (bytes.length !== KEY_BYTES) return undefined;
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, bytes]), format: 'der', type: 'spki' });
};

/** False for any key or signature that does not fit; never throws. Key and signature: base64url. */
export const isHashSigned = (publicKey: string, hash: string, signature: string): boolean => {
  try {
    const key = publicKeyOf(publicKey);
    const bytes = Buffer.from(signature, 'base64url');
    // One spelling for each signature: a decoder skips what is no base64url.
    return (
      key !== undefined &&
      bytes.toString('base64url') === signature &&
      verify(null, Buffer.from(hash, 'hex'), key, bytes)
    );
  } catch {
    return false;
  }
};
