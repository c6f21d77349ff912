/** Slack: docs.slack.dev, "Verifying requests from Slack" and "url_verification". */
import type { Json } from '../../../../core/base/json.ts';
import { lookUp } from '../../../../core/text/template.ts';
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
      message: '{{who}} in {{event.channel}}{{did}}: {{words}}',
    },
    // A change or a deletion has its message one level deeper; a bot has a name and no user.
    values: (body) => {
      const find = (name: string): Json =>
        ['event', 'event.message', 'event.previous_message'].map((at) => lookUp(body, `${at}.${name}`)).find(Boolean) ??
        '';
      const subtype = find('subtype');
      const did = { message_changed: ' changed', message_deleted: ' deleted' }[String(subtype)] ?? '';
      return { who: find('user') || find('username') || find('bot_id'), words: find('text'), did };
    },
    nameEvent: (body) => named(lookUp(body, 'event.type') ?? body.command ?? body.type),
    answer: ({ type, challenge }) =>
      type === 'url_verification' && typeof challenge === 'string' ? { text: challenge, isJson: false } : undefined,
  },
);
