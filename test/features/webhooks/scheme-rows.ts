/** A genuine request of each scheme, signed here from the maker's documentation. */
import { createHmac, createPublicKey, createSign, generateKeyPairSync, sign } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { parseSources } from '../../../lib/features/webhooks/edge/sources.ts';
import {
  type ParsedWebhook,
  parseWebhookRequest,
  type WebhookRequest,
} from '../../../lib/features/webhooks/edge/webhook-event.ts';
import { refusalTexts, sayRefusal } from '../../../lib/features/webhooks/refusal-texts.ts';
import { makeCertificate } from '../../support/certificate.ts';

export const NOW = Date.UTC(2026, 0, 15, 12);
export const SECRET = 'a-secret-of-the-sender-1';
export const STANDARD = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;
export const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:alarms';

export type Parts = Partial<WebhookRequest> & { readonly body: string };
export interface Row {
  /** Entry of WEBHOOK_SECRETS. */
  readonly entry: unknown;
  readonly body: string;
  /** Headers and what else a genuine request has. @param at when it is sent */
  readonly make: (body: string, at: number) => Partial<WebhookRequest>;
  /** Name of the event, and the end of its signal's id if the sender gives one. */
  readonly event: string;
  readonly id?: string;
}

/** The same with the sentence of a refusal. */
export const inWords = (parsed: ParsedWebhook): unknown =>
  parsed.kind === 'refused' && parsed.reason !== undefined
    ? { ...parsed, reason: sayRefusal(refusalTexts.en, parsed.reason) }
    : parsed;

export const mac = (text: string, encoding: 'hex' | 'base64' = 'hex', algorithm = 'sha256', key = SECRET): string =>
  createHmac(algorithm, key).update(text).digest(encoding);
export const seconds = (at: number): string => `${at / 1000}`;

export const discord = generateKeyPairSync('ed25519');
export const discordKey = Buffer.from(String(discord.publicKey.export({ format: 'jwk' }).x), 'base64url').toString(
  'hex',
);
const made = makeCertificate('sns.amazonaws.com', NOW);
export const amazon = {
  ...made,
  publicKey: createPublicKey(made.key).export({ type: 'spki', format: 'pem' }).toString(),
};
/** What lies at the address of the certificate; a test may put something else there. */
export const atAmazon = { certificate: amazon.cert };

export const snsBody = (changes: Record<string, string> = {}, key = amazon.key): string => {
  const message: Record<string, string> = {
    Type: 'Notification',
    MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
    TopicArn: TOPIC,
    Subject: 'ALARM: "cpu"',
    Message: '{"AlarmName":"cpu","NewStateValue":"ALARM"}',
    Timestamp: '2026-01-15T12:00:00.000Z',
    SignatureVersion: '2',
    SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem',
    ...changes,
  };
  const names = ['Message', 'MessageId', 'Subject', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const text = names.flatMap((name) => (message[name] === undefined ? [] : [`${name}\n${message[name]}\n`])).join('');
  const Signature = createSign(message.SignatureVersion === '1' ? 'sha1' : 'sha256')
    .update(text)
    .sign(key, 'base64');
  return JSON.stringify({ ...message, Signature });
};

const ISSUE = '{"action":"opened","issue":{"number":7},"repository":{"full_name":"a/b"}}';
const ORDER =
  '{"admin_graphql_api_id":"gid://shopify/Order/7","name":"#7","financial_status":"pending","cancelled_at":null}';
export const BODY = '{"action":"opened","id":"evt_1","type":"x.y"}';
export const of = (scheme: string, more: object = {}) => ({ scheme, secret: SECRET, ...more });
export const headers = (values: Record<string, string>) => ({ headers: values });

export const ROWS: Readonly<Record<string, Row>> = {
  standard: {
    entry: STANDARD,
    body: BODY,
    make: (body, at) =>
      headers({
        'webhook-id': 'msg_1',
        'webhook-timestamp': seconds(at),
        'webhook-signature': new Webhook(STANDARD).sign('msg_1', new Date(at), body),
      }),
    event: 'x.y',
    id: 'msg_1',
  },
  svix: {
    entry: { scheme: 'standard', secret: STANDARD },
    body: BODY,
    make: (body, at) =>
      headers({
        'svix-id': 'msg_1',
        'svix-timestamp': seconds(at),
        'svix-signature': new Webhook(STANDARD).sign('msg_1', new Date(at), body),
      }),
    event: 'x.y',
    id: 'msg_1',
  },
  github: {
    entry: of('github'),
    body: ISSUE,
    make: (body) =>
      headers({
        'x-hub-signature-256': `sha256=${mac(body)}`,
        'x-github-delivery': 'd-1',
        'x-github-event': 'issues',
      }),
    event: 'issues.opened',
  },
  'github, as a form': {
    entry: of('github'),
    body: `payload=${encodeURIComponent(ISSUE)}`,
    make: (body) =>
      headers({
        'content-type': 'application/x-www-form-urlencoded',
        'x-hub-signature-256': `sha256=${mac(body)}`,
        'x-github-delivery': 'd-1',
        'x-github-event': 'issues',
      }),
    event: 'issues.opened',
  },
  gitea: {
    entry: of('gitea'),
    body: '{"action":"opened","pull_request":{"number":7},"review":null}',
    make: (body) =>
      headers({ 'x-gitea-signature': mac(body), 'x-gitea-delivery': 'd-1', 'x-gitea-event': 'pull_request' }),
    event: 'pull_request.opened',
  },
  bitbucket: {
    entry: of('bitbucket'),
    body: '{"push":{"changes":[]},"repository":{"full_name":"a/b"}}',
    make: (body) =>
      headers({ 'x-hub-signature': `sha256=${mac(body)}`, 'x-request-uuid': 'd-1', 'x-event-key': 'repo:push' }),
    event: 'repo:push',
  },
  'gitlab, secret token': {
    entry: of('gitlab'),
    body: '{"object_kind":"merge_request","object_attributes":{"action":"open"}}',
    make: () => headers({ 'x-gitlab-token': SECRET, 'idempotency-key': 'd-1' }),
    event: 'merge_request.open',
    id: 'd-1',
  },
  'gitlab, signing token': {
    entry: { scheme: 'gitlab', secret: STANDARD },
    body: '{"object_kind":"push"}',
    make: (body, at) =>
      headers({
        'webhook-id': 'd-1',
        'webhook-timestamp': seconds(at),
        'webhook-signature': new Webhook(STANDARD).sign('d-1', new Date(at), body),
      }),
    event: 'push',
    id: 'd-1',
  },
  stripe: {
    entry: of('stripe'),
    body: BODY,
    make: (body, at) =>
      headers({ 'stripe-signature': `t=${seconds(at)},v0=ignored,v1=${mac(`${seconds(at)}.${body}`)}` }),
    event: 'x.y',
    id: 'evt_1',
  },
  slack: {
    entry: of('slack'),
    body: '{"type":"event_callback","event_id":"Ev1","event":{"type":"app_mention"}}',
    make: (body, at) =>
      headers({
        'x-slack-request-timestamp': seconds(at),
        'x-slack-signature': `v0=${mac(`v0:${seconds(at)}:${body}`)}`,
      }),
    event: 'app_mention',
    id: 'Ev1',
  },
  linear: {
    entry: of('linear'),
    body: `{"type":"Issue","action":"create","webhookTimestamp":${NOW}}`,
    make: (body) => headers({ 'linear-signature': mac(body), 'linear-delivery': 'd-1' }),
    event: 'Issue.create',
  },
  shopify: {
    entry: of('shopify'),
    body: ORDER,
    make: (body) =>
      headers({
        'x-shopify-hmac-sha256': mac(body, 'base64'),
        'x-shopify-webhook-id': 'd-1',
        'x-shopify-topic': 'orders/create',
      }),
    event: 'orders/create',
  },
  sentry: {
    entry: of('sentry'),
    body: '{"action":"created","data":{"issue":{"id":"1"}}}',
    make: (body) =>
      headers({ 'sentry-hook-signature': mac(body), 'request-id': 'd-1', 'sentry-hook-resource': 'issue' }),
    event: 'issue.created',
  },
  pagerduty: {
    entry: of('pagerduty'),
    body: '{"event":{"id":"01","event_type":"incident.triggered"}}',
    make: (body) =>
      headers({ 'x-pagerduty-signature': `v1=${mac(body, 'hex', 'sha256', 'old-secret')},v1=${mac(body)}` }),
    event: 'incident.triggered',
    id: '01',
  },
  'grafana, without a time': {
    entry: of('grafana'),
    body: '{"status":"firing"}',
    make: (body) => headers({ 'x-grafana-alerting-signature': mac(body) }),
    event: 'firing',
  },
  'grafana, with a time': {
    entry: of('grafana', { time: 'X-Grafana-Alerting-Timestamp' }),
    body: '{"status":"resolved"}',
    make: (body, at) =>
      headers({
        'x-grafana-alerting-timestamp': seconds(at),
        'x-grafana-alerting-signature': mac(`${seconds(at)}:${body}`),
      }),
    event: 'resolved',
  },
  alertmanager: {
    entry: of('alertmanager'),
    body: '{"status":"firing","version":"4"}',
    make: () => headers({ authorization: `Bearer ${SECRET}` }),
    event: 'firing',
  },
  twilio: {
    entry: of('twilio', { url: 'https://example.com/webhook/sms' }),
    body: 'From=%2B14158675310&Body=Hello&MessageStatus=delivered',
    make: (body) => ({
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': mac(
          `https://example.com/webhook/sms${[...new URLSearchParams(body)]
            .map((pair) => pair.join(''))
            .sort()
            .join('')}`,
          'base64',
          'sha1',
        ),
        'i-twilio-idempotency-token': 'd-1',
      },
    }),
    event: 'delivered',
  },
  discord: {
    entry: { scheme: 'discord', secret: discordKey },
    body: '{"type":2,"id":"i-1"}',
    make: (body, at) =>
      headers({
        'x-signature-timestamp': seconds(at),
        'x-signature-ed25519': sign(null, Buffer.from(`${seconds(at)}${body}`), discord.privateKey).toString('hex'),
      }),
    event: 'interaction.2',
    id: 'i-1',
  },
  sns: {
    entry: { scheme: 'sns', secret: TOPIC },
    body: snsBody(),
    make: () => headers({ 'x-amz-sns-message-type': 'Notification' }),
    event: 'Notification',
    id: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  },
  'sns, version 1': {
    entry: { scheme: 'sns', secret: TOPIC },
    body: snsBody({ SignatureVersion: '1' }),
    make: () => headers({ 'x-amz-sns-message-type': 'Notification' }),
    event: 'Notification',
    id: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  },
  zoom: {
    entry: of('zoom'),
    body: '{"event":"meeting.ended"}',
    make: (body, at) =>
      headers({ 'x-zm-request-timestamp': seconds(at), 'x-zm-signature': `v0=${mac(`v0:${seconds(at)}:${body}`)}` }),
    event: 'meeting.ended',
  },
  typeform: {
    entry: of('typeform'),
    body: '{"event_id":"d-1","event_type":"form_response"}',
    make: (body) => headers({ 'typeform-signature': `sha256=${mac(body, 'base64')}` }),
    event: 'form_response',
    id: 'd-1',
  },
  calcom: {
    entry: of('calcom'),
    body: '{"triggerEvent":"BOOKING_CREATED"}',
    make: (body) => headers({ 'x-cal-signature-256': mac(body) }),
    event: 'BOOKING_CREATED',
  },
  meta: {
    entry: of('meta', { verifyToken: 'chosen-by-me' }),
    body: '{"object":"whatsapp_business_account"}',
    make: (body) => headers({ 'x-hub-signature-256': `sha256=${mac(body)}` }),
    event: 'whatsapp_business_account',
  },
  hmac: {
    entry: of('hmac', {
      header: 'X-Sig',
      prefix: 'v=',
      algorithm: 'sha512',
      encoding: 'base64',
      signed: '{time}|{id}|{body}',
      time: 'X-Time',
      id: 'X-Id',
      event: 'X-Event',
    }),
    body: '{"topic":"order.paid","title":"x.y"}',
    make: (body, at) =>
      headers({
        'x-sig': `v=${mac(`${new Date(at).toISOString()}|d-1|${body}`, 'base64', 'sha512')}`,
        'x-time': new Date(at).toISOString(),
        'x-id': 'd-1',
        'x-event': 'order.paid',
      }),
    event: 'order.paid',
    id: 'd-1',
  },
  'header-token': {
    entry: of('header-token', { header: 'X-Api-Key', id: 'X-Id' }),
    body: BODY,
    make: () => headers({ 'x-api-key': SECRET, 'x-id': 'd-1' }),
    event: 'x.y',
    id: 'd-1',
  },
  bearer: {
    entry: of('bearer'),
    body: BODY,
    make: () => headers({ authorization: `Bearer ${SECRET}` }),
    event: 'x.y',
  },
  basic: {
    entry: { scheme: 'basic', secret: 'grafana:password' },
    body: BODY,
    make: () => headers({ authorization: `Basic ${Buffer.from('grafana:password').toString('base64')}` }),
    event: 'x.y',
  },
  'path-token': {
    entry: of('path-token'),
    body: BODY,
    make: () => ({ headers: {}, pathToken: SECRET }),
    event: 'x.y',
  },
};

export const sourcesOf = (entry: unknown) => {
  const { sources, problems } = parseSources(JSON.stringify({ shop: entry }));
  if (problems.length > 0) throw new Error(problems.join());
  return sources;
};
export const requestOf = ({ entry, body, make }: Row, changes: Partial<Parts> = {}, at = NOW): WebhookRequest => ({
  method: 'POST',
  name: 'shop',
  query: new URLSearchParams(),
  pathToken: undefined,
  headers: {},
  sources: sourcesOf(entry),
  now: NOW,
  space: 'default',
  fetchText: (url) => {
    fetched.push(url);
    return Promise.resolve(atAmazon.certificate);
  },
  bytes: Buffer.from(changes.body ?? body),
  ...make(body, at),
  ...changes,
});
export const send = (row: Row, changes: Partial<Parts> = {}, at = NOW) =>
  parseWebhookRequest(requestOf(row, changes, at));
export const fetched: string[] = [];
