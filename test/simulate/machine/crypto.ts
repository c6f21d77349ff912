/** `node:crypto` with the world's randomness. */
import { theWire } from './machine.ts';

export {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hash,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';

export const randomBytes = (size: number): Buffer => {
  const bytes = Buffer.allocUnsafe(size);
  const { random } = theWire();
  for (let n = 0; n < size; n += 1) bytes[n] = Math.floor(random() * 256);
  return bytes;
};

export const randomUUID = (): string => randomBytes(16).toString('hex');
