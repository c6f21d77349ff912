/** Standard Webhooks 1.0, under its own header names and those of Svix. */
import { type HmacForm, hasSignature, type Scheme, verifyHmac } from '../scheme.ts';

const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/_-]{4,}={0,2}$/;

const formOf = (vendor: string): HmacForm => ({
  signature: `${vendor}-signature`,
  prefix: 'v1,',
  separator: ' ',
  encoding: 'base64',
  id: `${vendor}-id`,
  time: `${vendor}-timestamp`,
  signed: '{id}.{time}.{body}',
  keyOf: (secret) => Buffer.from(secret.slice(PREFIX.length), 'base64'),
});
const FORMS = { webhook: formOf('webhook'), svix: formOf('svix') };

export const standard: Scheme = {
  where: 'the sender takes or shows a signing secret that begins with whsec_',
  root: 'shared secret',
  carries: (head) => hasSignature(FORMS.webhook, head) || hasSignature(FORMS.svix, head),
  takesForm: true,
  secretProblem: (secret) =>
    secret.startsWith(PREFIX) && BASE64.test(secret.slice(PREFIX.length))
      ? undefined
      : 'must begin with whsec_, and base64 follows',
  signing: () => FORMS.webhook,
  verify: (request, secret, _source, { now }) =>
    verifyHmac(request.headers['svix-signature'] === undefined ? FORMS.webhook : FORMS.svix, request, secret, now),
};
