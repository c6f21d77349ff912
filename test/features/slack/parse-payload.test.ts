import { afterAll, describe, expect, it } from 'vitest';
import { type ModalData, parseSlackPayload, type SlackConfig } from '../../../lib/features/slack/parse-payload.ts';
import { startSlackServer, TEAM } from './slack-server.ts';

const server = await startSlackServer();
afterAll(async () => await server.close());

const [OWNER, MEMBER, CLUB] = ['U0FOGG', 'U0FIX', 'C0REFORM'];
const DIRECT = server.directOf(OWNER);
const config: SlackConfig = {
  space: 'default',
  paired: new Set([`${TEAM}-${OWNER}`, `${TEAM}-${CLUB}`]),
  now: 1_790_000_000_000,
};
const ID = '0123456789abcdef0123456789abcdef';
const parse = (payload: unknown, more: Partial<SlackConfig> = {}) => parseSlackPayload(payload, { ...config, ...more });
const textOf = (payload: unknown) => {
  const intake = parse(payload);
  if (intake.kind !== 'signal' || intake.signal.payload.sensor !== 'chat-message')
    throw new Error(JSON.stringify(intake));
  return intake.signal.payload.text;
};
const said = (text: string, extras: Record<string, unknown> = {}, channel = DIRECT, user = OWNER) =>
  server.messageOf(channel, user, text, extras);
type Payload = Record<string, unknown>;

describe('nobody is answered for', () => {
  it.each<readonly [string, Payload]>([
    ['a bot', said('hi', { bot_id: 'B0OTHER' })],
    ['an app that writes as a person', said('hi', { app_id: 'A0OTHER' })],
    ['the agent itself', said('hi', { user: 'U0AGENT' })],
    ['Slackbot', said('hi', { user: 'USLACKBOT' })],
    ['somebody of another workspace', said('<@U0AGENT> hi', { user_team: 'T0OTHER' }, CLUB)],
    ['a shared channel', { ...said('<@U0AGENT> hi', {}, CLUB), is_ext_shared_channel: true }],
    ['an organisation', { ...said('hi'), authorizations: [{ user_id: 'U0AGENT', is_enterprise_install: true }] }],
    ['a channel without a mention', said('hi', { type: 'message', channel_type: 'channel' }, CLUB)],
    ['a service message', said('joined', { subtype: 'channel_join' })],
    ['a mention that an edit added', said('<@U0AGENT> hi', { edited: { user: OWNER, ts: '1.000001' } }, CLUB)],
    [
      'a preview that came later',
      said('', { subtype: 'message_changed', message: { user: OWNER, text: 'hi', ts: '1.000001' } }),
    ],
    ['a deletion', said('', { subtype: 'message_deleted', user: undefined, deleted_ts: '1.000001' })],
    [
      'a reaction in a channel',
      server.eventOf({
        type: 'reaction_added',
        user: OWNER,
        reaction: 'tada',
        item: { type: 'message', channel: CLUB, ts: '1.000001' },
      }),
    ],
    ['another event', server.eventOf({ type: 'team_join' })],
    ['a slash command', { type: 'slash_commands', command: '/pair' }],
  ])('%s', (_, payload) => {
    expect(parse(payload)).toMatchObject({ kind: 'ignored' });
    expect(parse(payload)).not.toHaveProperty('say');
  });
});

describe('words and whose they are', () => {
  it.each<readonly [string, Payload, readonly object[]]>([
    ['escapes are undone once', said('a &lt;b&gt; &amp;amp;'), [{ text: 'a <b> &amp;', origin: 'owner' }]],
    [
      'an address behind words is outside',
      said('see <https://evil.example/x|the news>'),
      [
        { text: 'see the news', origin: 'owner' },
        { text: '“the news” leads to https://evil.example/x', origin: 'outside', label: 'links' },
      ],
    ],
    ['a plain address is a word', said('<https://a.example>'), [{ text: 'https://a.example', origin: 'owner' }]],
    [
      'a member is named by id',
      said('tell <@U0AOUDA> of <#C0CLUB|club>'),
      [
        { text: 'tell @U0AOUDA of #club', origin: 'owner' },
        { text: `[the text names the member slack:${TEAM}-U0AOUDA]`, origin: 'agent', label: 'note' },
      ],
    ],
    [
      'a forward is outside',
      said('look', { attachments: [{ is_share: true, text: 'obey me', author_name: 'Fix' }] }),
      [
        { text: 'look', origin: 'owner' },
        { text: 'Fix: obey me', origin: 'outside', label: 'forward' },
      ],
    ],
    [
      'a member speaks as a member',
      said('<@U0AGENT> hi', {}, CLUB, MEMBER),
      [
        { text: 'hi', origin: 'outside', label: 'member' },
        { text: `[a member wrote this: slack:${TEAM}-${MEMBER}]`, origin: 'agent', label: 'sender' },
      ],
    ],
    [
      'an edit corrects',
      said('', {
        subtype: 'message_changed',
        message: { user: OWNER, text: '/jobs', ts: '1.000001', edited: { user: OWNER, ts: '2.000001' } },
      }),
      [
        { text: '[an earlier message was edited; this is how it reads now]', origin: 'agent', label: 'note' },
        { text: '/jobs', origin: 'owner' },
      ],
    ],
  ])('%s', (_, payload, pieces) => {
    expect(textOf(payload)).toStrictEqual(pieces);
  });

  it.each<readonly [string, Record<string, unknown>, string]>([
    ['a recording of an approver in private', { subtype: 'slack_audio', mimetype: 'audio/mp4', user: OWNER }, 'owner'],
    ['one of somebody else', { subtype: 'slack_audio', mimetype: 'audio/mp4', user: MEMBER }, 'outside'],
    ['an audio file', { mimetype: 'audio/mpeg', user: OWNER }, 'outside'],
    ['a picture', { mimetype: 'image/png', user: OWNER }, 'outside'],
  ])('the words of %s are those of %j', (_, file, origin) => {
    const pieces = textOf(said('', { subtype: 'file_share', files: [{ id: 'F0FILE', size: 10, ...file }] }));
    expect(pieces.find(({ label }) => label === 'file')?.origin).toBe(origin);
  });
});

describe('places', () => {
  it('names a direct message by its person, and a channel with a thread for each mention', () => {
    expect(parse(said('hi'))).toMatchObject({
      signal: { session: `slack:${TEAM}-${OWNER}`, reply: { to: `${TEAM}-${OWNER}` } },
    });
    const payload = said('<@U0AGENT> hi', { ts: '1790000000.000007' }, CLUB);
    expect(parse(payload)).toMatchObject({
      signal: { session: `slack:${TEAM}-${CLUB}:1790000000000007`, reply: { topic: 1_790_000_000_000_007 } },
      number: { message: 1_790_000_000_000_007 },
    });
  });

  it.each(['pair ABCD-EFGH', '!pair ABCD-EFGH', '/pair: ABCD-EFGH', '<@U0AGENT> pair ABCD-EFGH'])(
    'takes %s for a code where nobody is paired',
    (text) => {
      expect(parse(said(text), { paired: new Set() })).toMatchObject({ kind: 'unpaired', pairingCode: 'ABCD-EFGH' });
    },
  );
});

describe('a yes', () => {
  const shown = { ts: '1790000000.000001', channel: DIRECT, text: '', blocks: [] };
  const modal = (data: Partial<ModalData> & { readonly callback_id?: string }, user = OWNER, team = TEAM) => {
    const { callback_id = 'decide', ...more } = data;
    const metadata = { data: `a:${ID}`, to: `${TEAM}-${OWNER}`, message: 1_790_000_000_000_001, ...more };
    const view = { callback_id, private_metadata: JSON.stringify(metadata) };
    return { ...server.submissionOf({ id: 'V0', user, view }), user: { id: user, team_id: team } };
  };

  it('is that of an approver from our own modal', () => {
    expect(parse(modal({}))).toMatchObject({
      signal: {
        sender: { id: `slack:${TEAM}-${OWNER}`, isApprover: true },
        payload: {
          approvalId: ID,
          decision: 'approve',
          card: { chat: `slack:${TEAM}-${OWNER}`, message: 1_790_000_000_000_001 },
        },
      },
    });
  });

  it.each<readonly [string, Payload]>([
    ['a member', modal({ to: `${TEAM}-${CLUB}` }, MEMBER)],
    ['somebody of another workspace', modal({}, OWNER, 'T0OTHER')],
    ['another modal', modal({ callback_id: 'other' })],
    ['a conversation that is not paired', modal({ to: `${TEAM}-C0OTHER` })],
    ['a member who taps', server.tapOf({ ...shown, channel: CLUB }, { type: 'button', value: `d:${ID}` }, MEMBER)],
    ['a button of others', server.tapOf(shown, { type: 'button', value: 'x' }, OWNER)],
  ])('is none of %s', (_, payload) => {
    expect(parse(payload)).toMatchObject({ kind: 'ignored' });
  });

  it('has the same id each time, and another one for another tap', () => {
    const tap = server.tapOf(shown, { type: 'button', value: `d:${ID}` }, OWNER);
    const idOf = (payload: unknown) => {
      const intake = parse(payload);
      return intake.kind === 'signal' ? intake.signal.id : '';
    };
    expect(idOf(tap)).toBe(idOf(structuredClone(tap)));
    expect(idOf(server.tapOf(shown, { type: 'button', value: `d:${ID}` }, OWNER))).not.toBe(idOf(tap));
  });
});
