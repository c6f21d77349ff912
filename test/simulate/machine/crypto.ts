/** `node:crypto` with the world's randomness, and private keys that are read once. */
import * as crypto from 'node:crypto';
import { theWire } from './machine.ts';

export {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPublicKey,
  createVerify,
  diffieHellman,
  generateKeyPairSync,
  hash,
  hkdfSync,
  sign,
  timingSafeEqual,
  verify,
  X509Certificate,
} from 'node:crypto';

const privateKeys = new Map<string, crypto.KeyObject>();

export const createPrivateKey = (input: crypto.PrivateKeyInput): crypto.KeyObject => {
  const name = input.key.toString('base64');
  const key = privateKeys.get(name) ?? crypto.createPrivateKey(input);
  privateKeys.set(name, key);
  return key;
};

export const randomBytes = (size: number): Buffer => {
  const bytes = Buffer.allocUnsafe(size);
  const { random } = theWire();
  for (let n = 0; n < size; n += 1) bytes[n] = Math.floor(random() * 256);
  return bytes;
};

export const randomUUID = (): string => randomBytes(16).toString('hex');
