/**
 * Seals texts with AES-256-GCM: those that Act keeps under its own secret, and the answer of a
 * browser, which only the login that it belongs to opens (X25519, HKDF-SHA-256). A changed text,
 * another key or another name gives undefined. The command line uses the second half.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

const derive = (secret: string | Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', `passepartout ${purpose}`, KEY_BYTES));

/** The key for what Act keeps, made of the secret that it alone holds. */
export const buildKeepingKey = (secret: string): Uint8Array => derive(secret, 'mcp-login');

/** @param name what the text is and whose, which opening must repeat @returns base64url */
export const seal = (key: Uint8Array, name: string, text: string): string => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(name));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
};

export const unseal = (key: Uint8Array, name: string, sealed: string): string | undefined => {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(name))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
};

const CURVE = { kty: 'OKP', crv: 'X25519' } as const;

/** A point of X25519 as base64url. */
export const PUBLIC_KEY = /^[\w-]{43}$/;
const PUBLIC_CHARS = 43;

export interface LoginKeys {
  /** The `state` of the login's address: unguessable, of this one login. */
  readonly state: string;
  readonly secret: string;
}

export const newLoginKeys = (): LoginKeys => {
  const { x = '', d = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
  return { state: x, secret: d };
};

const publicKeyOf = (x: string): KeyObject => createPublicKey({ key: { ...CURVE, x }, format: 'jwk' });

const sharedKey = (privateKey: KeyObject, publicKey: KeyObject, state: string, sender: string): Uint8Array =>
  derive(diffieHellman({ privateKey, publicKey }), `mcp-answer ${state} ${sender}`);

/** Only who began the login of this state can open it. */
export const sealAnswer = (state: string, answer: string): string => {
  const { privateKey } = generateKeyPairSync('x25519');
  const { x: sender = '' } = privateKey.export({ format: 'jwk' });
  return `${sender}${seal(sharedKey(privateKey, publicKeyOf(state), state, sender), 'answer', answer)}`;
};

export const unsealAnswer = ({ state, secret }: LoginKeys, sealed: string): string | undefined => {
  const sender = sealed.slice(0, PUBLIC_CHARS);
  if (!PUBLIC_KEY.test(sender)) return undefined;
  try {
    const privateKey = createPrivateKey({ key: { ...CURVE, x: state, d: secret }, format: 'jwk' });
    return unseal(sharedKey(privateKey, publicKeyOf(sender), state, sender), 'answer', sealed.slice(PUBLIC_CHARS));
  } catch {
    return undefined;
  }
};
