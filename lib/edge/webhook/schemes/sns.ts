/**
 * Amazon SNS: docs.aws.amazon.com, "Verifying the signatures of Amazon SNS messages". The secret is
 * the topic's ARN: a message of another topic is refused, and no subscription to it is confirmed.
 */
import { createPublicKey, createVerify } from 'node:crypto';
import * as z from 'zod/mini';
import { readJson } from '../../../base/json.ts';
import { isEqual, named, type Scheme } from '../scheme.ts';

const Message = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: z.string(),
  TopicArn: z.string(),
  Message: z.string(),
  Timestamp: z.string(),
  SignatureVersion: z.enum(['1', '2']),
  Signature: z.string(),
  SigningCertURL: z.string(),
  Subject: z.optional(z.nullable(z.string())),
  SubscribeURL: z.optional(z.string()),
  Token: z.optional(z.string()),
});

/** The `Message` of an alarm: docs.aws.amazon.com, CloudWatch, "Alarm notifications". */
const Alarm = z.object({ AlarmName: z.string(), NewStateValue: z.string(), NewStateReason: z.string() });

/** Members that are signed, in this order, each with its name. */
const SIGNED = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const;

const ALGORITHM = { 1: 'sha1', 2: 'sha256' } as const;
const HOST = /^sns\.[a-z0-9-]{4,32}\.amazonaws\.com(?:\.cn)?$/;

/** Only Amazon itself may say by which certificate its messages are signed. */
const isAmazons = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' && url.port === '' && url.username === '' && HOST.test(url.hostname);
};

export const sns: Scheme = {
  where: 'Amazon SNS, Topics, your topic, Create subscription, HTTPS (no raw delivery); the secret is the topic ARN',
  secretProblem: (secret) =>
    /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_.-]{1,256}$/.test(secret)
      ? undefined
      : 'must be the ARN of a topic, arn:aws:sns:…',
  verify: async ({ bytes }, secret, _source, { fetchText }) => {
    const parsed = Message.safeParse(readJson(Buffer.from(bytes).toString('utf8')));
    if (!parsed.success) return 'the body is no message of SNS';
    const message = parsed.data;
    if (!isEqual(message.TopicArn, secret)) return 'the message is of another topic';
    if (!isAmazons(message.SigningCertURL)) return 'the certificate is not at Amazon';
    const signed = SIGNED[message.Type].flatMap((name) => {
      const value = message[name];
      return value === undefined || value === null ? [] : [`${name}\n${value}\n`];
    });
    const check = createVerify(ALGORITHM[message.SignatureVersion]).update(signed.join(''));
    const key = createPublicKey(await fetchText(message.SigningCertURL));
    return check.verify(key, message.Signature, 'base64') ? { id: message.MessageId } : 'the signature does not fit';
  },
  forms: { Notification: '{{title}}: {{words}}' },
  values: ({ Subject: title = null, Message: words = null }) => {
    const alarm = Alarm.safeParse(readJson(String(words))).data;
    if (alarm === undefined) return { title, words };
    return { title: `${alarm.AlarmName} is ${alarm.NewStateValue}`, words: alarm.NewStateReason };
  },
  nameEvent: (_headers, body) => named(body.Type),
  answer: async ({ Type: type, SubscribeURL: url }, _secret, { fetchText }) => {
    if (type !== 'SubscriptionConfirmation' || typeof url !== 'string' || !isAmazons(url)) return undefined;
    await fetchText(url);
    return { text: 'confirmed', isJson: false };
  },
};
