/** Twilio: twilio.com/docs, "Webhooks security". It signs the address and the form's fields. */
import { createHash, createHmac } from 'node:crypto';
import { isEqual, isId, named, type Scheme } from '../scheme.ts';

const fieldsOf = (bytes: Uint8Array): string =>
  [...new URLSearchParams(Buffer.from(bytes).toString('utf8'))]
    .map(([name, value]) => `${name}${value}`)
    .sort()
    .join('');

export const twilio: Scheme = {
  where: 'Account, API keys and tokens: Auth token; url is the address as you gave it to Twilio',
  options: { url: 'needed' },
  verify: ({ headers, query, bytes }, secret, { options }) => {
    const hash = query.get('bodySHA256');
    if (hash !== null && !isEqual(hash.toLowerCase(), createHash('sha256').update(bytes).digest('hex')))
      return 'bodySHA256 does not fit the body';
    const isForm = hash === null;
    const address = `${options.url}${query.size === 0 || options.url?.includes('?') ? '' : `?${query}`}`;
    const signed = `${address}${isForm ? fieldsOf(bytes) : ''}`;
    const expected = createHmac('sha1', secret).update(signed).digest('base64');
    if (!isEqual(headers['x-twilio-signature'] ?? '', expected)) return 'the signature does not fit';
    const id = headers['i-twilio-idempotency-token'];
    return { id: id !== undefined && isId(id) ? id : undefined };
  },
  nameEvent: (_headers, body) => named(body.MessageStatus ?? body.SmsStatus ?? body.CallStatus ?? 'message'),
};
