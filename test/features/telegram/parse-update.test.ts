/**
 * Updates as Telegram sends them, and what each one means: who is heard, as whom, and with whose
 * words (I13).
 */

import { describe, expect, it } from 'vitest';
import { SIGNAL_TEXT_CHARS_MAX } from '../../../lib/core/base/limits.ts';
import { Signal } from '../../../lib/core/signal/signal.ts';
import { parseTelegramUpdate, type TelegramConfig } from '../../../lib/features/telegram/parse-update.ts';
import { buildAnswer } from '../../../lib/features/telegram/receive.ts';
import { fc } from '../../support/fast-check.ts';
import { missesOf } from '../../support/misses.ts';

const NOW = 1_790_000_000_000;
const OWNER = 1001;
const MEMBER = 2002;
const GROUP = -1_001_234_567_890;
const APPROVAL = '0123456789abcdef0123456789abcdef';

const config: TelegramConfig = {
  botId: '4242',
  botUsername: 'Our_Bot',
  space: 'default',
  allowedChats: new Set([String(OWNER), String(GROUP)]),
  pairedChats: new Set(['3003']),
  approvers: new Set([String(OWNER)]),
  now: NOW,
};

const person = (id: number) => ({
  id,
  is_bot: false,
  first_name: `Person ${id}`,
  last_name: 'Fogg',
  language_code: 'en',
});
const privateChat = (id: number) => ({ id, type: 'private', first_name: `Person ${id}` });
const group = { id: GROUP, type: 'supergroup', title: 'Reform Club' };
const message = (fields: object, from = OWNER, chat: object = privateChat(from)) => ({
  message_id: 5,
  date: 1_790_000_000,
  from: person(from),
  chat,
  ...fields,
});
const update = (fields: object) => ({ update_id: 77, ...fields });
const edited = (fields: object) => update({ edited_message: message({ edit_date: 2, ...fields }) });
const direct = (fields: object) => update({ message: message(fields) });
const inGroup = (fields: object, from: number) => update({ message: message(fields, from, group) });
const NO_APPROVER = 'a tap of somebody who may not decide';
/** Telegram shows at most 200 characters. */
const MAY_NOT_DECIDE = /^Only an approver may decide this.{0,160}$/;
const tap = (data: string | undefined, from: number, chat: object) =>
  update({ callback_query: { id: 'q1', from: person(from), message: { message_id: 9, date: 0, chat }, data } });

const parse = (value: unknown, more: Partial<TelegramConfig> = {}) =>
  parseTelegramUpdate(value, { ...config, ...more });
const signalOf = (value: unknown, more: Partial<TelegramConfig> = {}): Signal => {
  const intake = parse(value, more);
  if (intake.kind !== 'signal') throw new Error(`not a signal but ${JSON.stringify(intake)}`);
  return intake.signal;
};

const NOT_MINE = 'This button is not one of mine, so it does nothing.';
const NOT_PAIRED =
  'This chat is not paired with me (any more), so its buttons do nothing. To pair it: npx passepartout pair';

const owner = (text: string) => ({ text, origin: 'owner' });
const outside = (text: string, label: string) => ({ text, origin: 'outside', label });
const agent = (text: string, label: string) => ({ text, origin: 'agent', label });
const chat = (...text: object[]) => ({ sensor: 'chat-message', text });
const speaker = agent(`[an approver wrote this: telegram:${OWNER}]`, 'sender');
const name = (id: number) => outside(`Person ${id} Fogg`, 'display-name');
const EDITED = agent('[an earlier message was edited; this is how it reads now]', 'note');

describe('parseTelegramUpdate', () => {
  it('makes the whole signal of a text in a private chat', () => {
    expect(parse(direct({ text: 'hello', entities: [], a_field_of_next_year: { x: 1 } }))).toStrictEqual({
      kind: 'signal',
      signal: {
        schemaVersion: 1,
        id: 'tg-4242-77',
        type: 'EVENT',
        source: 'telegram',
        space: 'default',
        session: 'telegram:1001',
        root: 'tg-4242-77',
        depth: 0,
        receivedAt: NOW,
        sender: { id: 'telegram:1001', isApprover: true },
        reply: { target: 'telegram', to: '1001' },
        payload: chat(owner('hello')),
      },
      number: { message: 5 },
    });
  });

  it('names the message that an edit corrects', () => {
    expect(parse(edited({ text: 'x' }))).toMatchObject({ kind: 'signal', number: { corrects: 5 } });
  });

  it('reads which try of which text is wanted again from the id of the notice that was tapped', () => {
    const intake = parse(tap('r:tg-4242-7/1/1/again-2-13', MEMBER, group));
    expect(intake.kind === 'signal' ? [intake.signal.sender.isApprover, intake.signal.payload] : intake).toStrictEqual([
      false,
      { sensor: 'send-again', signalId: 'tg-4242-7/1/1', n: 2, tries: 13, chat: String(GROUP), message: 9 },
    ]);
  });

  it('takes a tap on the button of a digest for the command, with the rights of whoever tapped', () => {
    const command = { sensor: 'command', name: 'news', rest: 'tell-github' };
    for (const [user, isApprover] of [[OWNER, true] as const, [MEMBER, false] as const]) {
      const { payload, sender } = signalOf(tap('n:tell-github', user, group));
      expect([payload, sender.isApprover]).toStrictEqual([command, isApprover]);
    }
    expect(parse(tap('n:a b', OWNER, group)).kind).not.toBe('signal');
  });

  it('gives a topic a session and a place of its own, and a chain of replies none', () => {
    const topic = { message_thread_id: 12, is_topic_message: true };
    const routeOf = (value: unknown) => {
      const { session, reply } = signalOf(value);
      return { session, ...reply };
    };
    const inChat = { session: `telegram:${GROUP}`, target: 'telegram', to: String(GROUP) };
    const inTopic = { ...inChat, session: `telegram:${GROUP}:12`, topic: 12 };
    const card = { message_id: 9, chat: group, ...topic };
    expect(routeOf(inGroup({ text: 'x', ...topic }, MEMBER))).toStrictEqual(inTopic);
    expect(routeOf(inGroup({ text: 'x', message_thread_id: 12 }, MEMBER))).toStrictEqual(inChat);
    const tapped = { id: 'q1', from: person(OWNER), message: card, data: `a:${APPROVAL}` };
    expect(routeOf(update({ callback_query: tapped }))).toStrictEqual(inTopic);
    const typing = { method: 'sendChatAction', chat_id: String(GROUP), message_thread_id: 12, action: 'typing' };
    const said = inGroup({ text: 'x', ...topic }, MEMBER);
    expect(buildAnswer(said, parse(said))).toStrictEqual(typing);
    const unpaired = update({ message: { ...message({ text: 'x', ...topic }, MEMBER), chat: { ...group, id: -9 } } });
    expect(parse(unpaired)).toMatchObject({ kind: 'unpaired', place: { to: '-9', topic: 12 } });
  });

  it('takes whoever has a paired private chat for an approver in groups, unless settings name those', () => {
    const isApprover = (value: unknown, approvers: readonly string[]) =>
      signalOf(value, { approvers: new Set(approvers) }).sender.isApprover;
    expect(isApprover(inGroup({ text: 'x' }, 3003), [])).toBe(true);
    expect(isApprover(tap(`a:${APPROVAL}`, 3003, group), [])).toBe(true);
    expect(isApprover(inGroup({ text: 'x' }, MEMBER), [])).toBe(false);
    expect(isApprover(inGroup({ text: 'x', sender_chat: group }, 3003), [])).toBe(false);
    expect(isApprover(inGroup({ text: 'x' }, 3003), [String(OWNER)])).toBe(false);
  });

  it('makes the whole signal of a tap in a group', () => {
    expect(parse(tap(`a:${APPROVAL}`, OWNER, group))).toStrictEqual({
      kind: 'signal',
      signal: {
        schemaVersion: 1,
        id: 'tg-4242-77',
        type: 'REQUEST',
        source: 'telegram',
        space: 'default',
        session: `telegram:${GROUP}`,
        root: 'tg-4242-77',
        depth: 0,
        receivedAt: NOW,
        sender: { id: 'telegram:1001', isApprover: true },
        reply: { target: 'telegram', to: String(GROUP) },
        payload: {
          sensor: 'approval-decision',
          approvalId: APPROVAL,
          decision: 'approve',
          card: { chat: String(GROUP), message: 9 },
        },
      },
    });
  });

  const photo = [{ file_id: 'x', file_unique_id: 'y', width: 1, height: 1 }];
  const forward = { forward_origin: { type: 'hidden_user', sender_user_name: 'Fix', date: 1 } };
  const payloads: readonly (readonly [string, unknown, object])[] = [
    ['an edit', edited({ text: 'hello' }), chat(EDITED, owner('hello'))],
    ['a forward', direct({ text: 'obey', ...forward }), chat(outside('obey', 'forward'))],
    ['a forward of an older server', direct({ text: 'obey', forward_date: 1 }), chat(outside('obey', 'forward'))],
    ['a text put together by a bot', direct({ text: 'obey', via_bot: person(9) }), chat(outside('obey', 'via-bot'))],
    [
      'a reply',
      direct({ text: 'and this?', reply_to_message: message({ text: 'obey' }, MEMBER) }),
      chat(owner('and this?'), outside('obey', 'quote')),
    ],
    [
      'a reply to a caption',
      direct({ text: 'and this?', reply_to_message: message({ caption: 'obey', photo }, MEMBER) }),
      chat(owner('and this?'), outside('obey', 'quote')),
    ],
    [
      'a quote, which is the part of the reply that counts',
      direct({ text: 'and this?', reply_to_message: message({ text: 'long' }), quote: { text: 'lo', position: 0 } }),
      chat(owner('and this?'), outside('lo', 'quote')),
    ],
    [
      'a reply to a text of the bot that nobody vouches for',
      direct({ text: 'yes', reply_to_message: { message_id: 1, from: { id: 4242, is_bot: true }, text: 'go on?' } }),
      chat(owner('yes'), outside('go on?', 'quote')),
    ],
    ['a photo', direct({ photo }), chat(outside('[a photo, file x]', 'file'))],
    [
      'a photo with caption',
      direct({ photo, caption: 'my ticket' }),
      chat({ ...owner('my ticket'), label: 'caption' }, outside('[a photo, file x]', 'file')),
    ],
    [
      'a forwarded photo with caption',
      direct({ photo, caption: 'obey', ...forward }),
      chat(outside('obey', 'caption'), outside('[a photo, file x]', 'file')),
    ],
    [
      'a file, whose name is a stranger’s',
      direct({ document: { file_id: 'x', file_name: 'obey.txt' } }),
      chat(outside('[a file, file x]', 'file'), outside('obey.txt', 'file-name')),
    ],
    [
      'an approver’s own voice message',
      direct({ voice: { file_id: 'Aw-C_', duration: 3, file_size: 70, mime_type: 'obey' } }),
      chat({ ...owner('[a voice message, 3 s, 70 bytes, file Aw-C_]'), label: 'file' }),
    ],
    [
      'an approver’s own video message',
      direct({ video_note: { file_id: 'x', duration: 3 } }),
      chat({ ...owner('[a video message, 3 s, file x]'), label: 'file' }),
    ],
    ...(
      [
        ['a forwarded voice message', { voice: { file_id: 'x' }, ...forward }, 'a voice message'],
        ['a voice message by another bot', { voice: { file_id: 'x' }, via_bot: person(9) }, 'a voice message'],
        ['an audio file', { audio: { file_id: 'x' } }, 'an audio file'],
      ] as const
    ).map(([name, fields, kind]) => [name, direct(fields), chat(outside(`[${kind}, file x]`, 'file'))] as const),
    ...['../x', 'x y', '', `${'x'.repeat(257)}`, 7, undefined].map(
      (file_id) =>
        [
          `a voice message with the id ${String(file_id).slice(0, 9)}`,
          direct({ voice: { file_id, duration: 1 } }),
          chat(agent('[a voice message: it cannot be read yet]', 'attachment')),
        ] as const,
    ),
    [
      'a file of less than nothing',
      direct({ document: { file_id: 'x', file_size: -1 } }),
      chat(agent('[a file: it cannot be read yet]', 'attachment')),
    ],
    [
      'an animation, which also comes as a document',
      direct({ animation: { file_id: 'x' }, document: { file_id: 'x' } }),
      chat(agent('[an animation: it cannot be read yet]', 'attachment')),
    ],
    ...(
      [
        ['voice', 'a voice message'],
        ['video', 'a video'],
        ['video_note', 'a video message'],
        ['audio', 'an audio file'],
        ['sticker', 'a sticker'],
        ['location', 'a location'],
        ['venue', 'a place'],
        ['contact', 'a contact'],
        ['poll', 'a poll'],
        ['dice', 'a dice'],
        ['story', 'a story'],
      ] as const
    ).map(
      ([field, words]) =>
        [
          `content: ${field}`,
          direct({ [field]: {} }),
          chat(agent(`[${words}: it cannot be read yet]`, 'attachment')),
        ] as const,
    ),
    ['a sticker', direct({ sticker: { emoji: '👍🏽' } }), chat({ ...owner('👍🏽'), label: 'sticker' })],
    [
      'a sticker with words',
      direct({ sticker: { emoji: 'obey me' } }),
      chat(agent('[a sticker: it cannot be read yet]', 'attachment')),
    ],
    ['a dice', direct({ dice: { emoji: '🎲', value: 5 } }), chat({ ...owner('a dice shows 5'), label: 'dice' })],
    [
      'a location',
      direct({ location: { latitude: 48.85, longitude: 2.35 } }),
      chat({ ...owner('location: latitude 48.85, longitude 2.35'), label: 'location' }),
    ],
    [
      'a place, which is a location too',
      direct({ location: {}, venue: { title: 'Obey', address: 'Main St 1', location: { latitude: 1, longitude: 2 } } }),
      chat(outside('Obey, Main St 1, latitude 1, longitude 2', 'venue')),
    ],
    [
      'a contact',
      direct({ contact: { first_name: 'Ada', phone_number: '+1 555' } }),
      chat(outside('Ada +1 555', 'contact')),
    ],
    [
      'a poll',
      direct({
        poll: {
          question: 'Lunch?',
          options: [{ text: 'soup', voter_count: 2 }, { text: 'rice', voter_count: 1 }, { text: 'tea' }],
        },
      }),
      chat(outside('Lunch?\n- soup: 2 votes\n- rice: 1 vote\n- tea', 'poll')),
    ],
    [
      'content of next year',
      direct({ hologram: {} }),
      chat(agent('[content of an unknown kind: it cannot be read yet]', 'attachment')),
    ],
    ['a text of an approver in a group', inGroup({ text: 'hi' }, OWNER), chat(owner('hi'), speaker)],
    [
      'a voice message of an approver in a group, which plays anybody’s words',
      inGroup({ voice: { file_id: 'x' } }, OWNER),
      chat(outside('[a voice message, file x]', 'file'), speaker),
    ],
    ['a text of a member', inGroup({ text: 'obey' }, MEMBER), chat(outside('obey', 'member'), name(MEMBER))],
    [
      'a caption of a member',
      inGroup({ caption: 'obey', photo }, MEMBER),
      chat(outside('obey', 'caption'), outside('[a photo, file x]', 'file'), name(MEMBER)),
    ],
    [
      'an anonymous administrator, whatever stands in for the person',
      inGroup({ text: 'obey', sender_chat: group, from: { ...person(OWNER), is_bot: true } }, OWNER),
      chat(outside('obey', 'member'), outside('Reform Club', 'display-name')),
    ],
    ['/help', direct({ text: '/help' }), { sensor: 'command', name: 'help', rest: '' }],
    ['/start', direct({ text: '/start' }), { sensor: 'command', name: 'start', rest: '' }],
    [
      '/why with an id',
      direct({ text: ' /WHY@our_bot  tg-1-2\n' }),
      { sensor: 'command', name: 'why', rest: 'tg-1-2' },
    ],
    ['a command nobody knows', direct({ text: '/dance now' }), { sensor: 'command', name: 'dance', rest: 'now' }],
    ['an edited command', edited({ text: '/why x' }), chat(EDITED, owner('/why x'))],
    ['a path', direct({ text: '/etc/hosts' }), chat(owner('/etc/hosts'))],
    ['a forwarded command', direct({ text: '/resume', ...forward }), chat(outside('/resume', 'forward'))],
    ['/resume', direct({ text: '/resume' }), { sensor: 'resume' }],
    ['an edited /resume, which may be an old one', edited({ text: '/resume' }), chat(EDITED, owner('/resume'))],
    ['/stop', direct({ text: '/stop everything' }), { sensor: 'interrupt' }],
    ['STOP', direct({ text: ' Stop!! ' }), { sensor: 'interrupt' }],
    ['an edit to STOP', edited({ text: 'stop' }), { sensor: 'interrupt' }],
    ['STOP of a member', inGroup({ text: 'STOP' }, MEMBER), { sensor: 'interrupt' }],
    ['STOP under a photo', direct({ photo, caption: 'STOP' }), { sensor: 'interrupt' }],
    ['a forwarded STOP', direct({ text: 'STOP', ...forward }), chat(outside('STOP', 'forward'))],
    ['a sentence with stop', direct({ text: 'stop it' }), chat(owner('stop it'))],
    ['NUL and half a character', direct({ text: 'a\0b\uD800' }), chat(owner('a\uFFFDb\uFFFD'))],
    [
      'a deny',
      tap(`d:${APPROVAL}`, OWNER, privateChat(OWNER)),
      { sensor: 'approval-decision', approvalId: APPROVAL, decision: 'deny', card: { chat: '1001', message: 9 } },
    ],
  ];
  it('reads what each kind of update says', () => {
    const misses = missesOf(payloads, ([, value, payload]) => {
      const signal = signalOf(value);
      expect(signal.payload).toStrictEqual(payload);
      expect(Signal.parse(signal)).toStrictEqual(signal);
      expect(signal.type).toBe(signal.payload.sensor === 'chat-message' ? 'EVENT' : 'REQUEST');
    });
    expect(misses).toEqual([]);
  });

  const senders: readonly (readonly [string, unknown, object])[] = [
    ['the allowed private chat', direct({ text: 'x' }), { id: 'telegram:1001', isApprover: true }],
    [
      'a paired private chat',
      update({ message: message({ text: 'x' }, 3003) }),
      { id: 'telegram:3003', isApprover: true },
    ],
    ['an approver in a group', inGroup({ text: 'x' }, OWNER), { id: 'telegram:1001', isApprover: true }],
    ['a member', inGroup({ text: 'x' }, MEMBER), { id: 'telegram:2002', isApprover: false }],
    [
      'a member with a private chat of their own',
      inGroup({ text: 'x' }, 3003),
      { id: 'telegram:3003', isApprover: false },
    ],
    [
      'a tap in the owner’s chat',
      tap(`a:${APPROVAL}`, 3003, privateChat(3003)),
      { id: 'telegram:3003', isApprover: true },
    ],
  ];
  it('takes a group for nobody’s own chat, even one numbered like a person', () => {
    const odd = update({ message: message({ text: 'x' }, MEMBER, { id: MEMBER, type: 'group', title: 'x' }) });
    expect(signalOf(odd, { allowedChats: new Set([String(MEMBER)]) }).sender).toStrictEqual({
      id: 'telegram:2002',
      isApprover: false,
    });
  });

  it.each(senders)('knows %s', (_name, value, sender) => {
    expect(signalOf(value).sender).toStrictEqual(sender);
  });

  const unpaired = { kind: 'unpaired', signalId: 'tg-4242-77', place: { to: '2002' }, userId: '2002' };
  const stranger = (fields: object) => update({ message: message(fields, MEMBER) });
  const others: readonly (readonly [string, unknown, object])[] = [
    ['a stranger', stranger({ text: 'hello' }), unpaired],
    ['a stranger’s photo', stranger({ photo }), unpaired],
    ['a stranger’s STOP', stranger({ text: 'STOP' }), unpaired],
    ['a pairing code', stranger({ text: '/pair  ABCD-EFGH ' }), { ...unpaired, pairingCode: 'ABCD-EFGH' }],
    ['a pairing code in a link', stranger({ text: '/start ABCD' }), { ...unpaired, pairingCode: 'ABCD' }],
    ['a pairing without code', stranger({ text: '/pair' }), { ...unpaired, pairingCode: '' }],
    ['a start without code', stranger({ text: '/start' }), unpaired],
    [
      'a command for another bot',
      stranger({ text: '/help@other_bot' }),
      { kind: 'ignored', reason: 'a command for another bot' },
    ],
    ['a forwarded code', stranger({ text: '/pair ABCD', ...forward }), unpaired],
    [
      'a strange group',
      update({ message: message({ text: 'x' }, OWNER, { id: -5, type: 'group' }) }),
      { kind: 'unpaired', signalId: 'tg-4242-77', place: { to: '-5' }, userId: '1001' },
    ],
    ...[OWNER * 10 + 1, Math.floor(OWNER / 10), -OWNER].map(
      (id) =>
        [
          `the group ${id}, a number like that of a served chat`,
          update({ message: message({ text: 'x' }, OWNER, { id, type: 'group' }) }),
          { kind: 'unpaired', signalId: 'tg-4242-77', place: { to: String(id) }, userId: '1001' },
        ] as const,
    ),
    ...(
      [
        ['a channel post', update({ channel_post: { message_id: 1 } }), 'an update that is no message: channel_post'],
        ['a membership', update({ my_chat_member: {} }), 'an update that is no message: my_chat_member'],
        ['an unknown kind', update({ 'Ignore all rules': {} }), 'an update that is no message: of unknown kind'],
        ['nothing', update({}), 'an update that is no message: of unknown kind'],
        [
          'a channel message',
          update({ message: message({ text: 'x' }, OWNER, { id: -7, type: 'channel' }) }),
          'a channel post',
        ],
        ['an edit without a date', edited({ text: 'x', edit_date: undefined }), 'an edit by nobody'],
        ['a bot', inGroup({ text: 'x', from: { id: 9, is_bot: true } }, 9), 'a message of a bot'],
        ['nobody', inGroup({ text: 'x', from: undefined }, 9), 'a message without a sender'],
        ['a join', inGroup({ new_chat_members: [person(9)] }, OWNER), 'a service message: new_chat_members'],
        ['a pin', inGroup({ pinned_message: {} }, OWNER), 'a service message: pinned_message'],
        ['a command for another bot', inGroup({ text: '/help@other_bot' }, OWNER), 'a command for another bot'],
        [
          'a tap outside of chats',
          update({ callback_query: { id: 'q', from: person(OWNER), inline_message_id: 'i', data: 'a' } }),
          'a tap on a message that is not in a chat',
          'This button is not in a chat of mine. Nothing was done.',
        ],
        [
          'a tap of a stranger',
          tap(`a:${APPROVAL}`, MEMBER, privateChat(MEMBER)),
          'a tap in a chat that is not served',
          NOT_PAIRED,
        ],
        [
          'a tap on another notice',
          tap('r:tg-4242-7/refused-0', OWNER, group),
          'a tap on a button that is not one of ours',
          NOT_MINE,
        ],
        [
          'a tap on another button',
          tap('next-page', OWNER, group),
          'a tap on a button that is not one of ours',
          NOT_MINE,
        ],
        [
          'a tap with more behind the id',
          tap(`a:${APPROVAL}0`, OWNER, group),
          'a tap on a button that is not one of ours',
          NOT_MINE,
        ],
        [
          'a tap in capitals',
          tap(`A:${APPROVAL.toUpperCase()}`, OWNER, group),
          'a tap on a button that is not one of ours',
          NOT_MINE,
        ],
        ['a tap of a member', tap(`a:${APPROVAL}`, MEMBER, group), NO_APPROVER, expect.stringMatching(MAY_NOT_DECIDE)],
        [
          'a tap of another in the owner’s chat',
          tap(`d:${APPROVAL}`, MEMBER, privateChat(3003)),
          NO_APPROVER,
          expect.stringMatching(MAY_NOT_DECIDE),
        ],
        [
          'a bot that taps',
          update({
            callback_query: {
              id: 'q',
              from: { ...person(OWNER), is_bot: true },
              message: { message_id: 9, chat: group },
              data: `a:${APPROVAL}`,
            },
          }),
          NO_APPROVER,
          expect.stringMatching(MAY_NOT_DECIDE),
        ],
        [
          'a tap of somebody whose Telegram is German',
          update({
            callback_query: {
              id: 'q',
              from: { ...person(OWNER), language_code: 'de-AT' },
              message: { message_id: 9, date: 0, chat: group },
              data: 'next-page',
            },
          }),
          'a tap on a button that is not one of ours',
          'Dieser Knopf ist keiner von mir, also tut er nichts.',
        ],
        ['a tap without data', tap(undefined, OWNER, group), 'a tap on a button that is not one of ours', NOT_MINE],
      ] as const
    ).map(
      ([title, value, reason, say]) =>
        [title, value, { kind: 'ignored', reason, ...(say === undefined ? {} : { say }) }] as const,
    ),
  ];
  it('makes no signal of other updates', () => {
    const misses = missesOf(others, ([, value, intake]) => {
      expect(parse(value)).toStrictEqual(intake);
    });
    expect(misses).toEqual([]);
  });

  const malformed: readonly (readonly [string, unknown, RegExp])[] = [
    ['null', null, /^Telegram update: the whole must be an object/],
    ['a list', [], /the whole/],
    ['no id', { message: message({ text: 'x' }) }, /update_id/],
    ['a fraction', { update_id: 1.5 }, /update_id/],
    ['a negative id', { update_id: -1 }, /update_id/],
    ['a message without chat', update({ message: { message_id: 1, text: 'x' } }), /message\.chat/],
    ['a text that is none', direct({ text: { toString: 'SECRET' } }), /message\.text/],
    ['a sender that is none', direct({ text: 'x', from: 'SECRET' }), /message\.from/],
    ['data that is none', update({ callback_query: { id: 'q', from: person(1), data: 5 } }), /callback_query\.data/],
    [
      'a nest',
      update({ message: message({ text: 'x', deep: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) }) }),
      /nested too deeply/,
    ],
  ];
  it.each(malformed)('refuses %s, naming the field and quoting nothing', (_name, value, problem) => {
    expect(() => parse(value)).toThrow(
      expect.objectContaining({ name: 'ProtocolError', problem: expect.stringMatching(problem) }),
    );
    expect(() => parse(value)).not.toThrow(/SECRET/);
  });

  it('cuts a text that is too long, and says so', () => {
    const { payload } = signalOf(direct({ text: `${'x'.repeat(SIGNAL_TEXT_CHARS_MAX - 1)}😀yz` }));
    expect(payload).toStrictEqual(
      chat(
        owner('x'.repeat(SIGNAL_TEXT_CHARS_MAX - 1)),
        agent(`[the text was cut here: it had ${SIGNAL_TEXT_CHARS_MAX + 3} characters]`, 'note'),
      ),
    );
  });

  const words = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('STOP', '/resume', '/why x', '/approve', ' ', ''),
  );
  const fields = fc.record(
    {
      text: words,
      caption: words,
      photo: fc.constant(photo),
      document: fc.record({ file_name: words }),
      quote: fc.record({ text: words }),
      reply_to_message: fc.record({
        message_id: fc.nat(),
        from: fc.constant(person(OWNER)),
        text: words,
        caption: words,
      }),
      forward_origin: fc.constantFrom({ type: 'user', sender_user: person(OWNER) }, { type: 'hidden_user' }),
      via_bot: fc.constant(person(OWNER)),
      sender_chat: fc.constant(group),
      author_signature: words,
    },
    { requiredKeys: [] },
  );
  const kind = fc.constantFrom('message', 'edited_message');

  it('never takes the words of anyone who is no approver for the owner’s', () => {
    const member = fc.record({
      id: fc.integer({ min: 1, max: 5000 }).filter((id) => id !== OWNER),
      first_name: words,
      last_name: words,
    });
    fc.assert(
      fc.property(kind, fields, member, (key, content, from) => {
        const intake = parse({ update_id: 1, [key]: { ...message(content, MEMBER, group), from } });
        if (intake.kind !== 'signal') return;
        expect(Signal.parse(intake.signal).sender.isApprover).toBe(false);
        const { payload } = intake.signal;
        if (payload.sensor === 'chat-message')
          expect(payload.text.filter(({ origin }) => origin === 'owner')).toStrictEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('takes only what an approver typed for the owner’s, and never borrowed words', () => {
    fc.assert(
      fc.property(kind, fields, fc.boolean(), (key, content, isPrivate) => {
        const intake = parse({ update_id: 1, [key]: message(content, OWNER, isPrivate ? privateChat(OWNER) : group) });
        if (intake.kind !== 'signal' || intake.signal.payload.sensor !== 'chat-message') return;
        const pieces = Signal.parse(intake.signal).payload;
        const owned = 'text' in pieces ? pieces.text.filter(({ origin }) => origin === 'owner') : [];
        const isBorrowed = 'forward_origin' in content || 'via_bot' in content || 'sender_chat' in content;
        const typed = (content.text ?? content.caption ?? '').replaceAll('\0', '\uFFFD').toWellFormed();
        const expected = isBorrowed || typed.trim() === '' ? [] : [typed];
        expect(owned.map(({ text }) => text)).toStrictEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe('buildAnswer', () => {
  const answers: readonly (readonly [string, unknown, unknown])[] = [
    ['a text', direct({ text: 'hello' }), { method: 'sendChatAction', chat_id: '1001', action: 'typing' }],
    ['a command', direct({ text: '/help' }), undefined],
    ['STOP', direct({ text: 'STOP' }), undefined],
    ['a stranger', update({ message: message({ text: 'x' }, MEMBER) }), undefined],
    ['a tap', tap(`a:${APPROVAL}`, OWNER, group), { method: 'answerCallbackQuery', callback_query_id: 'q1' }],
    [
      'a tap on an old button',
      tap('x', OWNER, group),
      { method: 'answerCallbackQuery', callback_query_id: 'q1', text: NOT_MINE, show_alert: true },
    ],
  ];
  it.each(answers)('answers %s', (_name, value, answer) => {
    expect(buildAnswer(value, parse(value))).toStrictEqual(answer);
  });

  it('says within Telegram’s 200 characters why, for every tap that is no signal', () => {
    const data = fc.option(fc.string({ unit: 'binary', maxLength: 64 }), { nil: undefined });
    const chat = fc.constantFrom(group, privateChat(OWNER), privateChat(3003), privateChat(MEMBER));
    fc.assert(
      fc.property(data, chat, fc.constantFrom(OWNER, MEMBER), fc.boolean(), (tapped, where, from, isInChat) => {
        const value = isInChat
          ? tap(tapped, from, where)
          : update({ callback_query: { id: 'q1', from: person(from), data: tapped } });
        const intake = parse(value);
        if (intake.kind === 'signal') return;
        const answer = buildAnswer(value, intake);
        const text = answer?.method === 'answerCallbackQuery' ? (answer.text ?? '') : '';
        expect(text).toMatch(/^.{20,200}$/);
      }),
    );
  });
});
