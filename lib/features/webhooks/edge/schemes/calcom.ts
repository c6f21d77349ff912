/** Cal.com: cal.com/docs, "Webhooks". */
import { lookUp } from '../../../../core/text/template.ts';
import { hmac, named } from '../scheme.ts';

export const calcom = hmac(
  { signature: 'x-cal-signature-256' },
  {
    where: 'Settings, Developer, Webhooks, New: Secret',
    forms: { '': '{{triggerEvent}}{{of}}' },
    // A meeting that begins or ends has the members of `payload` in the body itself.
    values: (body) => {
      const [title, start] = ['title', 'startTime'].map((name) => lookUp(body, `payload.${name}`) ?? body[name]);
      const words = [title, start].filter((one) => typeof one === 'string').join(', ');
      return { of: words === '' ? '' : `: ${words}` };
    },
    nameEvent: (body) => named(body.triggerEvent),
  },
);
