/** Linear: linear.app/developers/webhooks. Its time stands in the body, which is signed. */
import { hmac, named } from '../scheme.ts';

export const linear = hmac(
  { signature: 'linear-signature' },
  {
    where: 'Settings, API, Webhooks, New webhook: Signing secret',
    isUnique: true,
    timeMember: 'webhookTimestamp',
    forms: {
      Issue: '{{actor.name}}: {{action}} issue {{data.identifier}} “{{data.title}}”, {{data.state.name}}: {{url}}',
      Comment: '{{actor.name}} on “{{data.issue.title}}”: {{data.body}} {{url}}',
    },
    nameEvent: (body) => named(body.type, body.action),
  },
);
