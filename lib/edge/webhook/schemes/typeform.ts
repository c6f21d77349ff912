/** Typeform: typeform.com/developers, "Secure your webhooks". */
import { hmac, named } from '../scheme.ts';

export const typeform = hmac(
  { signature: 'typeform-signature', prefix: 'sha256=', encoding: 'base64' },
  {
    where: 'form, Connect, Webhooks, Edit: Secret',
    idMember: 'event_id',
    nameEvent: (body) => named(body.event_type),
  },
);
