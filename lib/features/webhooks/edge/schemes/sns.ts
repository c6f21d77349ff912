/**
 * Amazon SNS: docs.aws.amazon.com, "Verifying the signatures of Amazon SNS messages". The secret is
 * the topic's ARN. Its region says at which one host the certificate lies, and which names it may
 * bear; a message of another topic, or older than five minutes, is refused before it is fetched.
 */
import { createVerify, X509Certificate } from 'node:crypto';
import * as z from 'zod/mini';
import { readJson } from '../../../../core/base/json.ts';
import type { Refusal } from '../../refusal-texts.ts';
import { isEqual, isId, isStale, named, parseTime, type Scheme, STALE, WRONG_SIGNATURE } from '../scheme.ts';

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
const TOPIC = /^arn:(aws|aws-cn|aws-us-gov):sns:([a-z]{2}(?:-[a-z]+)+-\d):\d{12}:[A-Za-z0-9_.-]{1,256}$/;
const CERTIFICATE_PATH = /^\/SimpleNotificationService-[0-9a-f]{1,64}\.pem$/;

interface SigningHost {
  readonly host: string;
  /** Names of signing certificates: aws-sdk-java-v2, `SnsHostProvider.signingCertCommonName`. */
  readonly names: readonly string[];
}

const placeOf = (topic: string): SigningHost => {
  const [, partition, region = ''] = TOPIC.exec(topic) ?? [];
  const domain = partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com';
  const host = `sns.${region}.${domain}`;
  if (partition === 'aws-cn') return { host, names: [host, `sns-${region}.${domain}`] };
  if (partition === 'aws-us-gov') return { host, names: [host, 'sns-us-gov-west-1.amazonaws.com'] };
  return { host, names: [host, `sns-signing.${region}.${domain}`, 'sns.amazonaws.com'] };
};

/** An address of https at the host, without port, user and fragment. */
const addressAt = (text: string, host: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && text.startsWith(`https://${host}/`) && url.hash === '' ? url : undefined;
};

const isCertificatePlace = (text: string, host: string): boolean => {
  const url = addressAt(text, host);
  return url !== undefined && text === `https://${host}${url.pathname}` && CERTIFICATE_PATH.test(url.pathname);
};

/** A bare key, or what else a host may serve, is no certificate. */
const readCertificate = (pem: string): X509Certificate | undefined => {
  if (!pem.trimStart().startsWith('-----BEGIN CERTIFICATE-----')) return undefined;
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
};

const findCertificateProblem = (
  certificate: X509Certificate,
  names: readonly string[],
  now: number,
): Refusal | undefined => {
  if (now < certificate.validFromDate.getTime() || now > certificate.validToDate.getTime()) return ['certificateTime'];
  const isAmazons = names.some((name) => certificate.checkHost(name, { wildcards: false }) !== undefined);
  return isAmazons ? undefined : ['certificateName'];
};

const signedTextOf = (message: z.infer<typeof Message>): string | undefined => {
  const lines = SIGNED[message.Type].flatMap((name) => {
    const value = message[name];
    return value === undefined || value === null ? [] : [{ name, value }];
  });
  // In any other field a line feed would let one signed text be read as another message.
  const isPlain = lines.every(({ name, value }) => name === 'Message' || !/[\r\n]/.test(value));
  return isPlain ? lines.map(({ name, value }) => `${name}\n${value}\n`).join('') : undefined;
};

/** The fault of a message, found before its certificate is fetched. */
const findProblem = (message: z.infer<typeof Message>, topic: string, now: number): Refusal | undefined => {
  if (!isEqual(message.TopicArn, topic)) return ['otherTopic'];
  if (!isId(message.MessageId)) return ['malformed', 'MessageId'];
  const sentAt = parseTime(message.Timestamp);
  if (sentAt === undefined) return ['malformed', 'Timestamp'];
  if (isStale(sentAt, now)) return STALE;
  return isCertificatePlace(message.SigningCertURL, placeOf(topic).host) ? undefined : ['certificatePlace'];
};

export const sns: Scheme = {
  where: 'Amazon SNS, Topics, your topic, Create subscription, HTTPS (no raw delivery); the secret is the topic ARN',
  root: "certificate at the sender's host",
  carries: ({ headers }) => Object.hasOwn(SIGNED, headers['x-amz-sns-message-type'] ?? ''),
  secretProblem: (secret) => (TOPIC.test(secret) ? undefined : 'must be the ARN of a topic, arn:aws:sns:…'),
  verify: async ({ bytes }, secret, _source, { now, fetchText }) => {
    const parsed = Message.safeParse(readJson(Buffer.from(bytes).toString('utf8')));
    if (!parsed.success) return ['noMessage'];
    const message = parsed.data;
    const problem = findProblem(message, secret, now);
    if (problem !== undefined) return problem;
    const text = signedTextOf(message);
    if (text === undefined) return ['manyLines'];
    const certificate = readCertificate(await fetchText(message.SigningCertURL));
    if (certificate === undefined) return ['noCertificate'];
    const fault = findCertificateProblem(certificate, placeOf(secret).names, now);
    if (fault !== undefined) return fault;
    const check = createVerify(ALGORITHM[message.SignatureVersion]).update(text);
    return check.verify(certificate.publicKey, message.Signature, 'base64')
      ? { id: message.MessageId }
      : WRONG_SIGNATURE;
  },
  signedMembers: ({ Type: type }) => (type === 'Notification' ? SIGNED.Notification : SIGNED.SubscriptionConfirmation),
  forms: { Notification: '{{title}}: {{words}}' },
  values: ({ Subject: title = null, Message: words = null }) => {
    const alarm = Alarm.safeParse(readJson(String(words))).data;
    if (alarm === undefined) return { title, words };
    return { title: `${alarm.AlarmName} is ${alarm.NewStateValue}`, words: alarm.NewStateReason };
  },
  nameEvent: (body) => named(body.Type),
  answer: async ({ Type: type, SubscribeURL: url }, secret, { fetchText }) => {
    if (type !== 'SubscriptionConfirmation' || typeof url !== 'string') return undefined;
    if (addressAt(url, placeOf(secret).host)?.pathname !== '/') return undefined;
    await fetchText(url);
    return { text: 'confirmed', isJson: false };
  },
};
