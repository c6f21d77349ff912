/** Meta (WhatsApp, Instagram, Messenger): developers.facebook.com, "Webhooks: Getting started". */
import * as z from 'zod/mini';
import type { JsonObject } from '../../../../core/base/json.ts';
import { hmac, isEqual, named } from '../scheme.ts';

const Text = z.catch(z.optional(z.string()), undefined);
const Message = z.object({
  from: Text,
  type: Text,
  text: z.catch(z.optional(z.object({ body: z.string() })), undefined),
});
const Status = z.object({ recipient_id: Text, status: Text });
const Direct = z.object({ sender: z.object({ id: z.string() }), message: z.object({ text: z.string() }) });
const Value = z.object({ messages: z.catch(z.array(Message), []), statuses: z.catch(z.array(Status), []) });
const Body = z.object({
  entry: z.array(
    z.object({
      changes: z.catch(z.array(z.object({ value: z.unknown() })), []),
      messaging: z.catch(z.array(z.unknown()), []),
    }),
  ),
});

/** One post may hold many messages, of WhatsApp in `changes` and of the others in `messaging`. */
const tellFirst = (body: JsonObject): JsonObject => {
  const entries = Body.safeParse(body).data?.entry ?? [];
  const lines = entries.flatMap(({ changes, messaging }) => [
    ...changes.flatMap(({ value }) => {
      const { messages, statuses } = Value.safeParse(value).data ?? { messages: [], statuses: [] };
      return [
        ...messages.map(({ from = '', type = 'message', text }) => `${from}: ${text?.body ?? `[${type}]`}`),
        ...statuses.map(({ recipient_id: to = '', status = '' }) => `Message to ${to}: ${status}`),
      ];
    }),
    ...messaging.flatMap((one) => {
      const { sender, message } = Direct.safeParse(one).data ?? {};
      return message === undefined ? [] : [`${sender?.id}: ${message.text}`];
    }),
  ]);
  const [first] = lines;
  if (first === undefined) return {};
  return { line: lines.length === 1 ? first : `${first} (and ${lines.length - 1} more)` };
};

export const meta = hmac(
  { signature: 'x-hub-signature-256', prefix: 'sha256=' },
  {
    where: 'your app, Settings, Basic: App secret; Webhooks: Verify token is the verifyToken you chose here',
    options: { verifyToken: 'needed' },
    forms: { '': '{{line}}' },
    values: tellFirst,
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
