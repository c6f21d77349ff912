/** AWS Signature Version 4: it covers the whole body, the method and the signed headers. */
import { createHmac, createSecretKey, hash, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export type Service = 'dynamodb' | 'sqs' | 'sts' | 'lambda';

/** One name: DynamoDB Local keeps a database per access key. Only the secret opens anything. */
export const makeCredentials = (): Credentials => ({
  accessKeyId: 'local',
  secretAccessKey: randomBytes(30).toString('base64url'),
});

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const ALGORITHM = 'AWS4-HMAC-SHA256';
const SHAPE =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/((\d{8})\/[^/]+\/(dynamodb|sqs|sts|lambda)\/aws4_request), *SignedHeaders=([a-z0-9;-]+), *Signature=([0-9a-f]{64})$/;
/** STS names its action in the body, Lambda in the path. */
const requiredBy = (service: Service): readonly string[] =>
  service === 'sts' || service === 'lambda' ? ['host'] : ['host', 'x-amz-target'];

const sha256 = (text: string | Uint8Array): string => hash('sha256', text, 'hex');
const hmac = (key: KeyObject, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Days and services whose keys are kept. */
const KEYS_MAX = 8;
/** Key objects: made of bytes for each request, a key costs seven times the check. */
const keys = new Map<string, KeyObject>();
/** The key of a service's day, made once. */
const signingKey = (secret: string, scope: string): KeyObject => {
  const name = `${secret}/${scope}`;
  const known = keys.get(name);
  if (known !== undefined) return known;
  const derive = (key: KeyObject, part: string): KeyObject => createSecretKey(hmac(key, part));
  const key = scope.split('/').reduce(derive, createSecretKey(`AWS4${secret}`, 'utf8'));
  if (keys.size >= KEYS_MAX) keys.clear();
  keys.set(name, key);
  return key;
};

const compute = (
  secret: string,
  scope: string,
  signed: string,
  headers: Headers,
  body: Uint8Array,
  path = '/',
): Buffer => {
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`);
  const request = `POST\n${path}\n\n${lines.join('')}\n${signed}\n${sha256(body)}`;
  const date = String(headers['x-amz-date'] ?? '');
  return hmac(signingKey(secret, scope), `${ALGORITHM}\n${date}\n${scope}\n${sha256(request)}`);
};

export const isSigned = (
  credentials: Credentials,
  service: Service,
  headers: Headers,
  body: Uint8Array,
  path = '/',
): boolean => {
  const match = SHAPE.exec(String(headers.authorization ?? ''));
  const [, accessKeyId = '', scope = '', day = '', signedFor = '', signed = '', signature = ''] = match ?? [];
  if (accessKeyId !== credentials.accessKeyId || signedFor !== service) return false;
  if (!String(headers['x-amz-date'] ?? '').startsWith(day)) return false;
  if (!requiredBy(service).every((name) => signed.split(';').includes(name))) return false;
  const expected = compute(credentials.secretAccessKey, scope, signed, headers, body, path);
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
};

/** Pure but for the cached key of the day. @param date as `20261122T120000Z` */
export const signRequest = (
  credentials: Credentials,
  request: {
    readonly service: Service;
    readonly host: string;
    readonly region: string;
    readonly target: string;
    readonly date: string;
  },
  body: Uint8Array,
): Readonly<Record<string, string>> => {
  const scope = `${request.date.slice(0, 8)}/${request.region}/${request.service}/aws4_request`;
  const headers = { host: request.host, 'x-amz-date': request.date, 'x-amz-target': request.target };
  const signed = Object.keys(headers).join(';');
  const signature = compute(credentials.secretAccessKey, scope, signed, headers, body).toString('hex');
  const credential = `${credentials.accessKeyId}/${scope}`;
  return {
    ...headers,
    authorization: `${ALGORITHM} Credential=${credential}, SignedHeaders=${signed}, Signature=${signature}`,
  };
};
