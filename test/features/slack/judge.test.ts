/** The makers' own framework and client judge our signatures, payloads and the tests' server. */
import { App, type Receiver, verifySlackRequest } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildManifest } from '../../../infra/features/slack/manifest.ts';
import { DECIDE } from '../../../lib/features/slack/parse-payload.ts';
import { messageBody } from '../../../lib/features/slack/rich-text.ts';
import { slack as scheme } from '../../../lib/features/webhooks/edge/schemes/slack.ts';
import { BOT_TOKEN, buttonsOf, SIGNING_SECRET, type SlackServer, startSlackServer, wordsOf } from './slack-server.ts';

let server: SlackServer;
beforeAll(async () => {
  server = await startSlackServer();
});
afterAll(async () => await server.close());

const isTakenByBolt = (headers: Readonly<Record<string, string>>, body: string, nowMilliseconds: number): boolean => {
  const { 'x-slack-signature': signature = '', 'x-slack-request-timestamp': time = '' } = headers;
  try {
    verifySlackRequest({
      signingSecret: SIGNING_SECRET,
      body,
      headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': Number(time) },
      nowMilliseconds,
    });
    return true;
  } catch {
    return false;
  }
};

const isTakenByUs = async (headers: Readonly<Record<string, string>>, body: string, now: number): Promise<boolean> => {
  const request = {
    method: 'POST',
    headers,
    query: new URLSearchParams(),
    pathToken: undefined,
    bytes: Buffer.from(body),
  };
  const source = { scheme: 'slack', secrets: [SIGNING_SECRET], options: {} };
  return !Array.isArray(await scheme.verify(request, SIGNING_SECRET, source, { now, fetchText: async () => '' }));
};

describe('signatures', () => {
  const now = 1_790_000_000_000;
  const signed = (at: number, body = '{"a":"ä"}') => server.sign(body, at);
  it.each<readonly [string, () => Readonly<Record<string, string>>, string, boolean]>([
    ['right', () => signed(now), '{"a":"ä"}', true],
    ['four minutes old', () => signed(now - 240_000), '{"a":"ä"}', true],
    ['six minutes old', () => signed(now - 360_000), '{"a":"ä"}', false],
    ['of another body', () => signed(now), '{"a":"b"}', false],
    ['of another version', () => ({ ...signed(now), 'x-slack-signature': 'v1=00' }), '{"a":"ä"}', false],
    [
      'with another time',
      () => ({ ...signed(now), 'x-slack-request-timestamp': String(now / 1000 - 1) }),
      '{"a":"ä"}',
      false,
    ],
    ['missing', () => ({}), '{"a":"ä"}', false],
  ])('%s: ours is that of Slack', async (_, headers, body, isRight) => {
    expect(isTakenByBolt(headers(), body, now)).toBe(isRight);
    expect(await isTakenByUs(headers(), body, now)).toBe(isRight);
  });
});

describe('payloads of the server', () => {
  it('are what Bolt takes for messages, mentions, reactions, taps and submissions', async () => {
    let process: App['processEvent'] | undefined;
    const receiver: Receiver = {
      init: (app) => {
        process = (event) => app.processEvent(event);
      },
      start: async () => undefined,
      stop: async () => undefined,
    };
    const authorize = async () => ({ botToken: BOT_TOKEN, botId: 'B0AGENT', botUserId: 'U0AGENT' });
    const app = new App({ receiver, authorize, clientOptions: { slackApiUrl: `${server.apiRoot}/` } });
    const seen: string[] = [];
    app.message(async ({ message }) => void seen.push(`message ${'text' in message ? message.text : ''}`));
    app.event('app_mention', async ({ event }) => void seen.push(`mention ${event.text}`));
    app.event('reaction_added', async ({ event }) => void seen.push(`reaction ${event.reaction}`));
    app.event('app_home_opened', async ({ event }) => void seen.push(`home ${event.tab}`));
    app.action(/.*/, async ({ action, ack }) => {
      await ack();
      seen.push(`tap ${'value' in action ? action.value : ''}`);
    });
    app.view(DECIDE, async ({ view, ack }) => {
      await ack();
      seen.push(`view ${view.private_metadata}`);
    });
    const shown = {
      ts: '1.000001',
      channel: 'D0FOGG',
      text: '',
      blocks: messageBody({ text: 'May I?', entities: [] }, [[{ text: 'Yes', data: 'a:1' }]]).blocks as never,
    };
    const [button] = buttonsOf(shown.blocks);
    const view = {
      type: 'modal',
      callback_id: DECIDE,
      private_metadata: '{}',
      blocks: [],
      title: { type: 'plain_text', text: 'x' },
    };
    for (const body of [
      server.messageOf('D0FOGG', 'U0FOGG', 'hi'),
      server.messageOf('C0REFORM', 'U0FOGG', '<@U0AGENT> hi'),
      server.eventOf({
        type: 'reaction_added',
        user: 'U0FOGG',
        reaction: 'tada',
        item_user: 'U0AGENT',
        event_ts: '1.000002',
        item: { type: 'message', channel: 'D0FOGG', ts: '1.000001' },
      }),
      server.eventOf({ type: 'app_home_opened', user: 'U0FOGG', channel: 'D0FOGG', tab: 'home', event_ts: '1.000002' }),
      server.tapOf(shown, button?.action ?? {}, 'U0FOGG'),
      server.submissionOf({ id: 'V0', user: 'U0FOGG', view }),
    ])
      await process?.({ body, ack: async () => undefined });
    expect(seen).toStrictEqual([
      'message hi',
      'mention <@U0AGENT> hi',
      'reaction tada',
      'home home',
      'tap a:1',
      'view {}',
    ]);
  });
});

it('answers the makers’ client as Slack does', async () => {
  const client = new WebClient(BOT_TOKEN, { slackApiUrl: `${server.apiRoot}/` });
  const sent = await client.chat.postMessage({
    channel: 'C0REFORM',
    ...(messageBody({ text: 'a <b> & *c*', entities: [{ type: 'bold', offset: 0, length: 1 }] }) as {
      text: string;
      blocks: [];
    }),
  });
  expect(wordsOf(server.sent('C0REFORM')[0]?.blocks ?? [])).toBe('a <b> & *c*');
  await client.chat.update({ channel: 'C0REFORM', ts: sent.ts ?? '', text: 'changed' });
  await expect(client.chat.update({ channel: 'C0REFORM', ts: '1.000001', text: 'x' })).rejects.toMatchObject({
    data: { error: 'message_not_found' },
  });
  await client.filesUploadV2({ channel_id: 'C0REFORM', filename: 'a.txt', content: 'tea' });
  // It sends a form, and Slack takes both.
  expect(server.shared.at(-1)?.name).toBe('a.txt');
  expect(String(server.shared.at(-1)?.bytes)).toContain('\r\n\r\ntea\r\n');
});

it('asks Slack for no more than the channel needs', () => {
  expect(buildManifest('https://agent.example/slack').settings).toMatchObject({
    event_subscriptions: { request_url: 'https://agent.example/slack' },
    interactivity: { request_url: 'https://agent.example/slack' },
    socket_mode_enabled: false,
    org_deploy_enabled: false,
  });
  const { scopes } = buildManifest().oauth_config;
  expect(scopes.bot.filter((scope) => /channels:|groups:|users:|admin/.test(scope))).toStrictEqual([]);
});
