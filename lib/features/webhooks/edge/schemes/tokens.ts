/**
 * For senders that cannot sign: they send the secret itself. A reader of one request can send
 * others, so a scheme that signs is better if there is one.
 */

import { lookUp } from '../../../../core/text/template.ts';
import type { Refusal } from '../../refusal-texts.ts';
import { isEqual, isId, type Proof, type Scheme } from '../scheme.ts';

const BEARER = /^bearer +(\S+)$/i;
const BASIC = /^basic +(\S+)$/i;
const PATH_TOKEN = /^[A-Za-z0-9_-]{24,}$/;

const proofOf = (isGenuine: boolean, id: string | undefined): Proof | Refusal => {
  if (!isGenuine) return ['wrongToken'];
  return { id: id !== undefined && isId(id) ? id : undefined };
};

/** Of the validation by which Azure Event Grid asks: a GUID. */
const CODE = /^[\w-]{1,100}$/;
/** Of Microsoft Graph: any words, which are no markup. */
const WORDS = /^[\w .:;,+/=-]{1,1000}$/;
/** Of the sender of CloudEvents: a host's name. */
const ORIGIN = /^[\w.:-]{1,253}$/;

/**
 * Services that sign nothing ask whether an address wants their events: learn.microsoft.com, "Event
 * Grid event delivery" and "Receive change notifications through webhooks" (of Graph); CloudEvents,
 * "HTTP 1.1 Web Hooks", "Abuse protection".
 */
const TOKEN = {
  root: 'token',
  takesForm: true,
  options: { id: 'possible', event: 'possible' },
  answer: (body) => {
    const [kind, code] = [lookUp(body, 'list.0.eventType'), lookUp(body, 'list.0.data.validationCode')];
    return kind === 'Microsoft.EventGrid.SubscriptionValidationEvent' && typeof code === 'string' && CODE.test(code)
      ? { text: JSON.stringify({ validationResponse: code }), isJson: true }
      : undefined;
  },
  answerEmpty: (query) => {
    const words = query.get('validationToken') ?? '';
    return WORDS.test(words) ? { text: words, isJson: false } : undefined;
  },
  answerOptions: ({ 'webhook-request-origin': origin = '' }) =>
    ORIGIN.test(origin)
      ? { text: 'yes', isJson: false, headers: { 'webhook-allowed-origin': origin, 'webhook-allowed-rate': '*' } }
      : undefined,
} as const satisfies Partial<Scheme>;

/** A header of the owner's choice. */
export const headerToken: Scheme = {
  ...TOKEN,
  where: 'any header that the sender can set',
  carries: ({ headers }, { options }) => /./.test(headers[options.header ?? ''] ?? ''),
  options: { header: 'needed', ...TOKEN.options },
  verify: ({ headers }, secret, { options }) =>
    proofOf(isEqual(headers[options.header ?? ''] ?? '', secret), headers[options.id ?? '']),
};

/** `Authorization: Bearer …` (RFC 6750). Home Assistant can send it. */
export const bearer: Scheme = {
  ...TOKEN,
  where: 'the header Authorization: Bearer …',
  carries: ({ headers }) => BEARER.test(headers.authorization ?? ''),
  verify: ({ headers }, secret, { options }) => {
    const [, token = ''] = BEARER.exec(headers.authorization ?? '') ?? [];
    return proofOf(isEqual(token, secret), headers[options.id ?? '']);
  },
};

/** `Authorization: Basic …` (RFC 7617). */
export const basic: Scheme = {
  ...TOKEN,
  where: 'user name and password of HTTP Basic authentication; the secret is user:password',
  carries: ({ headers }) => BASIC.test(headers.authorization ?? ''),
  secretProblem: (secret) => (/^[^:]+:.+$/s.test(secret) ? undefined : 'must be user:password'),
  verify: ({ headers }, secret, { options }) => {
    const [, encoded = ''] = BASIC.exec(headers.authorization ?? '') ?? [];
    return proofOf(isEqual(encoded, Buffer.from(secret).toString('base64')), headers[options.id ?? '']);
  },
};

/** `POST /webhook/<source>/<secret>`: weak, because addresses stand in logs and histories. */
export const pathToken: Scheme = {
  ...TOKEN,
  where: 'the end of the address: …/webhook/<source>/<secret>. This is weak: addresses stand in logs',
  carries: ({ pathToken: token = '' }) => PATH_TOKEN.test(token),
  secretProblem: (secret) => (PATH_TOKEN.test(secret) ? undefined : 'must be 24 or more of A-Z a-z 0-9 _ -'),
  verify: ({ headers, pathToken: token = '' }, secret, { options }) =>
    proofOf(isEqual(token, secret), headers[options.id ?? '']),
};
