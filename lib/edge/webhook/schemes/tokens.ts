/**
 * For senders that cannot sign: they send the secret itself. A reader of one request can send
 * others, so a scheme that signs is better if there is one.
 */
import { isEqual, isId, type Proof, type Scheme } from '../scheme.ts';

const BEARER = /^bearer +(\S+)$/i;
const BASIC = /^basic +(\S+)$/i;
const PATH_TOKEN = /^[A-Za-z0-9_-]{24,}$/;

const proofOf = (isGenuine: boolean, id: string | undefined): Proof | string => {
  if (!isGenuine) return 'the token does not fit';
  return { id: id !== undefined && isId(id) ? id : undefined };
};

/** A header of the owner's choice. */
export const headerToken: Scheme = {
  where: 'any header that the sender can set',
  root: 'token',
  carries: ({ headers }, { options }) => /./.test(headers[options.header ?? ''] ?? ''),
  takesForm: true,
  options: { header: 'needed', id: 'possible', event: 'possible' },
  verify: ({ headers }, secret, { options }) =>
    proofOf(isEqual(headers[options.header ?? ''] ?? '', secret), headers[options.id ?? '']),
};

/** `Authorization: Bearer …` (RFC 6750). Home Assistant can send it. */
export const bearer: Scheme = {
  where: 'the header Authorization: Bearer …',
  root: 'token',
  carries: ({ headers }) => BEARER.test(headers.authorization ?? ''),
  takesForm: true,
  options: { id: 'possible', event: 'possible' },
  verify: ({ headers }, secret, { options }) => {
    const [, token = ''] = BEARER.exec(headers.authorization ?? '') ?? [];
    return proofOf(isEqual(token, secret), headers[options.id ?? '']);
  },
};

/** `Authorization: Basic …` (RFC 7617). */
export const basic: Scheme = {
  where: 'user name and password of HTTP Basic authentication; the secret is user:password',
  root: 'token',
  carries: ({ headers }) => BASIC.test(headers.authorization ?? ''),
  takesForm: true,
  options: { id: 'possible', event: 'possible' },
  secretProblem: (secret) => (/^[^:]+:.+$/s.test(secret) ? undefined : 'must be user:password'),
  verify: ({ headers }, secret, { options }) => {
    const [, encoded = ''] = BASIC.exec(headers.authorization ?? '') ?? [];
    return proofOf(isEqual(encoded, Buffer.from(secret).toString('base64')), headers[options.id ?? '']);
  },
};

/** `POST /webhook/<source>/<secret>`: weak, because addresses stand in logs and histories. */
export const pathToken: Scheme = {
  where: 'the end of the address: …/webhook/<source>/<secret>. This is weak: addresses stand in logs',
  root: 'token',
  carries: ({ pathToken: token = '' }) => PATH_TOKEN.test(token),
  takesForm: true,
  options: { id: 'possible', event: 'possible' },
  secretProblem: (secret) => (PATH_TOKEN.test(secret) ? undefined : 'must be 24 or more of A-Z a-z 0-9 _ -'),
  verify: ({ headers, pathToken: token = '' }, secret, { options }) =>
    proofOf(isEqual(token, secret), headers[options.id ?? '']),
};
