/** Meta (WhatsApp, Instagram, Messenger): developers.facebook.com, "Webhooks: Getting started". */
import { hmac, isEqual, named } from '../scheme.ts';

export const meta = hmac(
  { signature: 'x-hub-signature-256', prefix: 'sha256=' },
  {
    where: 'your app, Settings, Basic: App secret; Webhooks: Verify token is the verifyToken you chose here',
    options: { verifyToken: 'needed' },
    nameEvent: (body) => named(body.object),
    answerGet: ({ query }, { options }) => {
      const isOurs = isEqual(query.get('hub.verify_token') ?? '', options.verifyToken ?? '');
      const challenge = query.get('hub.challenge') ?? '';
      return isOurs && query.get('hub.mode') === 'subscribe' && /^\w{1,256}$/.test(challenge)
        ? { text: challenge, isJson: false }
        : undefined;
    },
  },
);
