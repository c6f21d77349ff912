/** Zoom: developers.zoom.us, "Using webhooks". */
import { createHmac } from 'node:crypto';
import { lookUp } from '../../../runbooks/template.ts';
import { hmac, named } from '../scheme.ts';

export const zoom = hmac(
  { signature: 'x-zm-signature', prefix: 'v0=', time: 'x-zm-request-timestamp', signed: 'v0:{time}:{body}' },
  {
    where: 'your app, Feature: Secret Token',
    nameEvent: (body) => named(body.event),
    answer: (body, secret) => {
      const plainToken = lookUp(body, 'payload.plainToken');
      if (body.event !== 'endpoint.url_validation' || typeof plainToken !== 'string') return undefined;
      const encryptedToken = createHmac('sha256', secret).update(plainToken).digest('hex');
      return { text: JSON.stringify({ plainToken, encryptedToken }), isJson: true };
    },
  },
);
