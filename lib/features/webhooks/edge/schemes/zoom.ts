/** Zoom: developers.zoom.us, "Using webhooks". */
import { createHmac } from 'node:crypto';
import { lookUp } from '../../../../core/text/template.ts';
import { hmac, named } from '../scheme.ts';

/**
 * Zoom sends a word of 22 letters. The answer is an HMAC by the very key that signs events: of a
 * longer text, such as `v0:time:body`, it would be the signature of an event.
 */
const PLAIN_TOKEN = /^[\w+/=-]{1,64}$/;

export const zoom = hmac(
  { signature: 'x-zm-signature', prefix: 'v0=', time: 'x-zm-request-timestamp', signed: 'v0:{time}:{body}' },
  {
    where: 'your app, Feature: Secret Token',
    forms: { '': 'Zoom: {{event}} “{{payload.object.topic}}” {{payload.object.start_time}}' },
    nameEvent: (body) => named(body.event),
    answer: (body, secret) => {
      const plainToken = lookUp(body, 'payload.plainToken');
      if (body.event !== 'endpoint.url_validation' || typeof plainToken !== 'string' || !PLAIN_TOKEN.test(plainToken))
        return undefined;
      const encryptedToken = createHmac('sha256', secret).update(plainToken).digest('hex');
      return { text: JSON.stringify({ plainToken, encryptedToken }), isJson: true };
    },
  },
);
