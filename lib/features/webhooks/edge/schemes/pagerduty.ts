/** PagerDuty: developer.pagerduty.com, "Webhook signatures" (V3). */
import { lookUp } from '../../../../core/text/template.ts';
import { hmac, named } from '../scheme.ts';

export const pagerduty = hmac(
  { signature: 'x-pagerduty-signature', prefix: 'v1=', separator: ',' },
  {
    where: 'Integrations, Generic Webhooks (v3), New Webhook: the secret is shown once',
    idMember: 'event.id',
    forms: {
      'incident.annotated':
        'PagerDuty: a note on “{{event.data.incident.summary}}”: {{event.data.content}} {{event.data.incident.html_url}}',
      incident:
        'PagerDuty: {{event.event_type}} #{{event.data.number}} “{{event.data.title}}” of {{event.data.service.summary}}: {{event.data.html_url}}',
    },
    nameEvent: (body) => named(lookUp(body, 'event.event_type')),
  },
);
