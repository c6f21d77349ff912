/** Twilio: twilio.com/docs, "Webhooks security". It signs the address and the form's fields. */
import { createHash, createHmac } from 'node:crypto';
import { isEqual, named, type Scheme, WRONG_SIGNATURE } from '../scheme.ts';

/** SHA-1 in base64. */
const SIGNATURE = /^[A-Za-z0-9+/]{27}=$/;

const fieldsOf = (bytes: Uint8Array): string =>
  [...new URLSearchParams(Buffer.from(bytes).toString('utf8'))]
    .map(([name, value]) => `${name}${value}`)
    .sort()
    .join('');

export const twilio: Scheme = {
  where: 'Account, API keys and tokens: Auth token; url is the address as you gave it to Twilio',
  root: 'shared secret',
  carries: ({ headers }) => SIGNATURE.test(headers['x-twilio-signature'] ?? ''),
  options: { url: 'needed' },
  takesForm: true,
  isUnique: true,
  verify: ({ headers, query, bytes }, secret, { options }) => {
    const { url = '' } = options;
    const address = `${url}${query.size === 0 || url.includes('?') ? '' : `?${query}`}`;
    // The hash of a JSON body counts if it stands in the address that is signed.
    const hash = new URLSearchParams(address.split('?')[1]).get('bodySHA256');
    const signed = `${address}${hash === null ? fieldsOf(bytes) : ''}`;
    const expected = createHmac('sha1', secret).update(signed).digest('base64');
    if (!isEqual(headers['x-twilio-signature'] ?? '', expected)) return WRONG_SIGNATURE;
    if (hash !== null && !isEqual(hash.toLowerCase(), createHash('sha256').update(bytes).digest('hex')))
      return ['wrongBodyHash'];
    // Fields in another order, or cut elsewhere, have the same signature.
    return { signed };
  },
  forms: { '': '{{line}} {{ErrorMessage}}' },
  values: ({ From: from, To: to, Body: words, CallStatus: call, MessageStatus, SmsStatus }) => {
    const status = MessageStatus ?? SmsStatus;
    if (typeof call === 'string') return { line: `Call from ${from} to ${to}: ${call}` };
    if (typeof words === 'string' && (status === undefined || status === 'received'))
      return { line: `${from}: ${words}` };
    return typeof status === 'string' && typeof to === 'string' ? { line: `Message to ${to}: ${status}` } : {};
  },
  nameEvent: ({ MessageStatus, SmsStatus, CallStatus, type }) =>
    named(MessageStatus ?? SmsStatus ?? CallStatus ?? type ?? 'message'),
};
