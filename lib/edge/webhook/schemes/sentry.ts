/** Sentry: docs.sentry.io, "Webhooks" of an integration. */
import { hmac, named } from '../scheme.ts';

export const sentry = hmac(
  { signature: 'sentry-hook-signature', id: 'request-id' },
  {
    where: 'Settings, Custom Integrations, your integration: Client Secret',
    forms: {
      issue: 'Sentry issue {{action}}: {{data.issue.title}} in {{data.issue.project.slug}} {{data.issue.web_url}}',
      event_alert: 'Sentry alert “{{data.triggered_rule}}”: {{data.event.title}} {{data.event.web_url}}',
      metric_alert: 'Sentry alert {{action}}: {{data.description_title}} {{data.web_url}}',
    },
    nameEvent: (headers, body) => named(headers['sentry-hook-resource'], body.action),
  },
);
