/**
 * Codes that pair a chat: shown once to an approver, typed into the chat within minutes. A code has
 * 40 random bits in Crockford's base 32, which has no I, L, O or U; only its hash is stored.
 */
import { createHash } from 'node:crypto';
import { MINUTE_MS } from '../base/limits.ts';
import { IS_NEW } from '../store/condition.ts';
import { pairingKey } from '../store/keys.ts';
import type { Table } from '../store/table.ts';

/** Time to type a code from one window into another. */
const PAIRING_TTL_MS = 10 * MINUTE_MS;

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_CHARS = 8;

/** Pure. @param randomHex at least 10 random hex digits: 5 bits for each of the 8 characters */
export const buildPairingCode = (randomHex: string): string => {
  let bits = BigInt(`0x${randomHex.slice(0, 10)}`);
  let code = '';
  for (let index = 0; index < CODE_CHARS; index += 1) {
    code = ALPHABET.charAt(Number(bits & 31n)) + code;
    bits >>= 5n;
  }
  return code;
};

/** A code as it was generated, from how a person typed it. */
export const normalisePairingCode = (typed: string): string =>
  typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');

/** Key of a code's item; only its hash is stored. */
export const pairingCodeKey = (space: string, typed: string) =>
  pairingKey(space, `code#${createHash('sha256').update(normalisePairingCode(typed)).digest('hex')}`);

interface PairingCodeDeps {
  readonly table: Pick<Table, 'put'>;
  readonly space: string;
  /** Random hex digits. */
  readonly newId: () => string;
  readonly now: () => number;
}

/** `expiresAt` is in epoch milliseconds. */
export const makePairingCode = async ({ table, space, newId, now }: PairingCodeDeps) => {
  const code = buildPairingCode(newId());
  const expiresAtMs = now() + PAIRING_TTL_MS;
  const item = { schemaVersion: 1, expiresAtMs, expiresAt: Math.ceil(expiresAtMs / 1000) };
  await table.put(pairingCodeKey(space, code), item, IS_NEW);
  return { code, expiresAt: expiresAtMs };
};
