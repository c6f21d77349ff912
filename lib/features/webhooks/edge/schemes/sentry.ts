/** Sentry: docs.sentry.io, "Webhooks" of an integration, and the pages of its resources. */
import { hmac } from '../scheme.ts';

export const sentry = hmac(
  { signature: 'sentry-hook-signature' },
  {
    where: 'Settings, Custom Integrations, your integration: Client Secret',
    forms: {
      issue: 'Sentry issue {{action}}: {{data.issue.title}} in {{data.issue.project.slug}} {{data.issue.web_url}}',
      event_alert: 'Sentry alert “{{data.triggered_rule}}”: {{data.event.title}} {{data.event.web_url}}',
      metric_alert: 'Sentry alert {{action}}: {{data.description_title}} {{data.web_url}}',
    },
    eventHeader: 'sentry-hook-resource',
    words: {
      comment: 'data.comment_id',
      error: 'data.error',
      event_alert: 'data.event',
      installation: 'data.installation',
      issue: 'data.issue',
      metric_alert: 'data.description_title',
    },
    hasAction: true,
  },
);
