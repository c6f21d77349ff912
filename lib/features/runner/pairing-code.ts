/**
 * The code that pairs a runner, `<secret>-<fingerprint>`. Only the secret's SHA-256 is sent, and
 * the machine trusts no other key of Act than the one of this fingerprint. Pure.
 */
import { createHash } from 'node:crypto';
import { MINUTE_MS } from '../../core/base/limits.ts';

/** Time to paste a line from one machine into another. */
export const RUNNER_CODE_TTL_MS = 10 * MINUTE_MS;
/** 128 bits in hex: nobody finds another key with the same fingerprint. */
const FINGERPRINT_CHARS = 32;

const CODE = /^([0-9a-f]{32})-([0-9a-f]{32})$/;

export interface PairingCode {
  /** 128 random bits, hex. */
  readonly secret: string;
  readonly fingerprint: string;
}

/** @param publicKey base64url, as a signer gives it */
export const fingerprintOf = (publicKey: string): string =>
  createHash('sha256').update(publicKey).digest('hex').slice(0, FINGERPRINT_CHARS);

export const buildPairingCode = ({ secret, fingerprint }: PairingCode): string => `${secret}-${fingerprint}`;

/** @returns undefined if it is no such code. Spaces and capitals do not matter. */
export const parsePairingCode = (typed: string): PairingCode | undefined => {
  const [, secret, fingerprint] = CODE.exec(typed.trim().toLowerCase()) ?? [];
  return secret === undefined || fingerprint === undefined ? undefined : { secret, fingerprint };
};

/** Names the code's item: all that is stored of the secret. */
export const hashOfSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');
