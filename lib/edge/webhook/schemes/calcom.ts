/** Cal.com: cal.com/docs, "Webhooks". */
import { hmac, named } from '../scheme.ts';

export const calcom = hmac(
  { signature: 'x-cal-signature-256' },
  {
    where: 'Settings, Developer, Webhooks, New: Secret',
    forms: { '': '{{triggerEvent}}: {{payload.title}}, {{payload.startTime}}' },
    nameEvent: (body) => named(body.triggerEvent),
  },
);
