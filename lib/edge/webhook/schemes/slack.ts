/** Slack: docs.slack.dev, "Verifying requests from Slack" and "url_verification". */
import { lookUp } from '../../../runbooks/template.ts';
import { hmac, named } from '../scheme.ts';

export const slack = hmac(
  {
    signature: 'x-slack-signature',
    prefix: 'v0=',
    time: 'x-slack-request-timestamp',
    signed: 'v0:{time}:{body}',
  },
  {
    where: 'your app, Basic Information: Signing Secret; then Event Subscriptions: Request URL',
    takesForm: true,
    idMember: 'event_id',
    forms: {
      app_mention: '{{event.user}} in {{event.channel}}: {{event.text}}',
      message: '{{event.user}} in {{event.channel}}: {{event.text}}',
    },
    nameEvent: (body) => named(lookUp(body, 'event.type') ?? body.command ?? body.type),
    answer: ({ type, challenge }) =>
      type === 'url_verification' && typeof challenge === 'string' ? { text: challenge, isJson: false } : undefined,
  },
);
