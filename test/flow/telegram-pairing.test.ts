/**
 * Chats nobody let in: one polite refusal, never a model call, and a one-time code that opens the
 * door, on the real stack.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatMemoryOf, loadOwnerSettings } from '../../lib/core/ledger/owner-settings.ts';
import { pairingCodeKey } from '../../lib/core/ledger/pairing-code.ts';
import { indexPartitions } from '../../lib/core/store/keys.ts';
import { PAIRING_FAILURES_MAX } from '../../lib/features/chats/pairing.ts';
import { runCli } from '../cli/cli-world.ts';
import { findUnaccounted } from '../support/evidence.ts';
import { call, say, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, SCRIPT_TOKEN, signalIdOf, startTestStack, until } from '../support/stack.ts';

const [STRANGER, NEWCOMER, SECOND, GUESSER, LATE, GROUP] = [6001, 6002, 6003, 6004, 6005, -5004];
const SECRET = `whsec_${Buffer.from('the secret of the target').toString('base64')}`;
const REFUSAL =
  'This bot serves only chats that are paired with it. If it is yours, run "npx passepartout pair" and send me /pair followed by the code.';
const PAIRED = 'This chat is paired. /help says what I can do.';
const FIRST = `${PAIRED}\nShall I write here what nobody asked for, such as events and warnings?\n1. Yes, here\n2. No`;
const WRONG = 'That is no valid pairing code (any more). "npx passepartout pair" prints the line to send here.';

const target = 'http://127.0.0.1:9/hook';
const world = await startTestStack({
  environment: {
    WEBHOOK_TARGETS: JSON.stringify({ deploys: { url: target, secret: SECRET } }),
    WEBHOOK_URLS: JSON.stringify({ deploys: target }),
    ALLOW_LOOPBACK_WEBHOOKS: '1',
  },
  script: (request) =>
    /^deploy$/m.test(userTextOf(request)) && request.messages.every(({ role }) => role !== 'tool')
      ? call('call-webhook', { webhook: 'deploys', body: {}, explanation: 'the owner asked for it' })
      : say(`re ${userTextOf(request)}`),
});
afterAll(world.stop);

const textsTo = (chat: number) => world.telegram.sent(chat).map((message) => message.text);
const write = (chat: number, text: string, from = chat) => world.telegram.sendText(chat, from, text);
const allTaken = () => until('all is taken', () => world.telegram.pending().length === 0);
/** Resolves when everything accepted so far has ended. */
const allEnded = async () => {
  await allTaken();
  await until('all has ended', async () => {
    const { body } = await world.api<{ signals: { state: string }[] }>('GET', '/api/signals?limit=100');
    return body.signals.every(({ state }) => ['acted', 'refused', 'dropped'].includes(state));
  });
};
/** The words shown to whoever tapped; undefined if the tap only ends its waiting mark. */
const toastOf = async ({ callback_query: tapped }: ReturnType<typeof write>) => {
  const answer = await until('the tap is answered', () =>
    world.telegram.calls.find(
      ({ method, params }) => method === 'answerCallbackQuery' && params.callback_query_id === tapped?.id,
    ),
  );
  return answer.params.text;
};
const makeCode = async (): Promise<string> => {
  const answer = await world.api<{ code: string }>('POST', '/api/pairing-codes', {}, APPROVER_TOKEN);
  expect(answer.status).toBe(201);
  expect(answer.body.code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
  return answer.body.code;
};

describe('a chat that is not served', () => {
  it('gets one polite refusal a day, however much it writes, and no model is asked', async () => {
    const updates = ['hello', 'let me in', '/help', 'STOP', '/resume'].map((text) => write(STRANGER, text));
    world.telegram.sendMessage(STRANGER, STRANGER, { photo: [] } as never);
    await allTaken();
    for (const update of updates) world.telegram.redeliver(update.update_id);
    await allEnded();
    expect(textsTo(STRANGER)).toStrictEqual([REFUSAL]);
    expect(world.model.requests).toStrictEqual([]);
    expect(
      (await world.scan()).filter((item) => String(item.pk).startsWith('setting#') && item.sk === 'kill-switch'),
    ).toStrictEqual([]);
  });

  it('gets it too in a group, once for all its members', async () => {
    for (const member of [STRANGER, NEWCOMER, SECOND]) write(GROUP, 'hi all', member);
    await allEnded();
    expect(textsTo(GROUP)).toStrictEqual([REFUSAL]);
    expect(world.model.requests).toStrictEqual([]);
  });

  it('cannot press buttons', async () => {
    const data = `a:${'0'.repeat(32)}`;
    const message = world.telegram.sent(STRANGER)[0]?.message_id ?? 0;
    const update = world.telegram.tap(message, data, STRANGER);
    await allTaken();
    expect((await world.api('GET', `/api/signals/${signalIdOf(update)}`)).status).toBe(404);
    expect(await toastOf(update)).toBe(
      'This chat is not paired with me (any more), so its buttons do nothing. To pair it: npx passepartout pair',
    );
  });
});

describe('a pairing code', () => {
  it('is given to the approver token only', async () => {
    expect((await world.api('POST', '/api/pairing-codes', {}, SCRIPT_TOKEN)).status).toBe(403);
    expect((await world.api('POST', '/api/pairing-codes', {}, 'nobody')).status).toBe(401);
  });

  it('opens the chat that brings it, however it is typed, and no other', async () => {
    const code = await makeCode();
    const typed = `${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase();
    const pair = write(NEWCOMER, `/pair ${typed}`);
    await until('it is paired', () => textsTo(NEWCOMER).length === 1);
    expect(textsTo(NEWCOMER)).toStrictEqual([FIRST]);
    write(NEWCOMER, 'hello again');
    await until('a reply', () => textsTo(NEWCOMER).length === 2);
    world.telegram.redeliver(pair.update_id);
    write(SECOND, `/pair ${code}`);
    write(SECOND, 'and me?');
    await allEnded();
    expect(textsTo(NEWCOMER)).toStrictEqual([FIRST, 're hello again']);
    expect(textsTo(SECOND)).toStrictEqual([WRONG, REFUSAL]);
    expect(world.model.requests).toHaveLength(1);
    expect(JSON.stringify(await world.scan())).not.toContain(code);
  });

  it('is answered as paired when it comes once more', async () => {
    write(NEWCOMER, `/pair ${await makeCode()}`);
    await allEnded();
    expect(textsTo(NEWCOMER).at(-1)).toBe(PAIRED);
  });

  it('is worth nothing after its time', async () => {
    const code = await makeCode();
    await world.table.update(pairingCodeKey('default', code), { set: { expiresAtMs: Date.now() - 1 } });
    write(LATE, `/pair ${code}`);
    await allEnded();
    expect(textsTo(LATE)).toStrictEqual([WRONG]);
  });

  it(`is not looked at any more after ${PAIRING_FAILURES_MAX} tries of a chat in a day`, async () => {
    for (let n = 0; n < PAIRING_FAILURES_MAX + 3; n += 1) write(GUESSER, `/pair ABCDEFG${n}`);
    await allTaken();
    const code = await makeCode();
    write(GUESSER, `/pair ${code}`);
    await allEnded();
    expect(textsTo(GUESSER)).toStrictEqual(Array.from({ length: PAIRING_FAILURES_MAX }, () => WRONG));
    expect(world.model.requests).toHaveLength(1);
  });
});

describe('a paired chat', () => {
  it('decides by the buttons of its cards, and says of any other button that it does nothing', async () => {
    write(NEWCOMER, 'deploy');
    const card = await until('a card', () =>
      world.telegram.sent(NEWCOMER).findLast(({ text = '' }) => text.startsWith('Call the webhook deploys')),
    );
    const button = card.reply_markup?.inline_keyboard[0]?.[1];
    const data = button !== undefined && 'callback_data' in button ? button.callback_data : '';
    const other = world.telegram.tap(card.message_id, 'next-page', NEWCOMER);
    expect(await toastOf(other)).toBe('This button is not one of mine, so it does nothing.');
    const update = world.telegram.tap(card.message_id, data, NEWCOMER);
    expect((await world.settled(signalIdOf(update))).replies).toStrictEqual(['Denied: Call the webhook deploys']);
    expect(await toastOf(update)).toBeUndefined();
    await allEnded();
  });
});

describe('/chats', () => {
  const say = async (text: string): Promise<readonly string[]> =>
    (await world.settled(signalIdOf(write(NEWCOMER, text)))).replies;

  it('lists paired chats, and removes one by a decision with an effect', async () => {
    expect(await say('/chats')).toStrictEqual([
      expect.stringMatching(
        /^6002: a private chat, paired on .* UTC\nTo change one: \/chats name, \/chats mute, \/chats remove <id or name>$/,
      ),
    ]);
    expect(await say('/chats remove 77')).toStrictEqual([expect.stringContaining('the chat 77 is not paired')]);
    expect(await say('/chats remove all')).toStrictEqual([
      expect.stringContaining('no chat is named all; /chats lists them'),
    ]);
    const code = await makeCode();
    write(GROUP, `/pair ${code}`, NEWCOMER);
    await until('the group is paired', () => textsTo(GROUP).at(-1)?.startsWith('This group is paired.'));
    expect(await say('/chats')).toStrictEqual([expect.stringContaining(`\n${GROUP}: a group, paired on`)]);
    write(GROUP, 'deploy', NEWCOMER);
    await until('its card is shown', () => textsTo(GROUP).at(-1)?.includes('waits for your yes'));
    const shown = textsTo(GROUP).length;
    const removal = await world.settled(signalIdOf(write(NEWCOMER, `/chats remove ${GROUP}`)));
    expect(removal).toMatchObject({ state: 'acted', effects: [{ actuator: 'tool', state: 'done' }] });
    expect(removal.replies[0]).toContain(`The chat ${GROUP} is removed`);
    expect(removal.replies[0]).not.toContain('my last message');

    // Its card is ended, and nothing of that is said there.
    const { items } = await world.table.queryIndex({
      index: 'feed',
      partition: indexPartitions.approvalFeed('default'),
      limit: 1,
      isDescending: true,
    });
    const [key] = items.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
    const [ended] = await world.table.load(key === undefined ? [] : [key], { isConsistent: true });
    expect(ended).toMatchObject({ state: 'expired', endedBecause: 'policy', cardChat: String(GROUP) });
    expect(await world.tick()).toMatchObject({ expired: 1 });
    await allEnded();
    expect(textsTo(GROUP)).toHaveLength(shown);

    // The code is known there, and is spent.
    write(GROUP, `/pair ${code}`, NEWCOMER);
    await until('the code is refused', () => textsTo(GROUP).at(-1) === WRONG);
    const before = world.model.requests.length;
    write(GROUP, 'still there?', NEWCOMER);
    await allEnded();
    expect(world.model.requests).toHaveLength(before);
    // It was refused earlier that day, before it was paired.
    expect(textsTo(GROUP).at(-1)).toBe(REFUSAL);
    const tapped = world.telegram.tap(world.telegram.sent(GROUP)[0]?.message_id ?? 0, `a:${'0'.repeat(32)}`, NEWCOMER);
    expect(await toastOf(tapped)).toContain('This chat is not paired with me (any more)');

    write(GROUP, `/pair ${await makeCode()}`, NEWCOMER);
    await until('it is paired again', () => textsTo(GROUP).at(-1)?.startsWith('This group is paired.'));
  });

  it('is given by an approver only', async () => {
    write(GROUP, `/chats remove ${NEWCOMER}`, SECOND);
    await until('it is refused', () => textsTo(GROUP).at(-1)?.startsWith('Only an approver') === true);
    expect(await say('/chats')).toStrictEqual([expect.stringContaining('6002: a private chat')]);
    await allEnded();
  });

  it('follows a group that becomes a supergroup', async () => {
    const moved = -1_000_000_006_003;
    const news = { message_id: 900, date: 1, chat: { id: GROUP, type: 'group', title: 'g' } };
    const from = { id: NEWCOMER, is_bot: false, first_name: 'N' };
    const post = (n: number, message: object) =>
      world.postUpdate({ update_id: 990_000_000 + n, message: { ...news, from, ...message } });
    await say(`/chats name ${GROUP} family`);
    await say(`/chats name ${GROUP},${NEWCOMER} all`);
    await say('/chats mute family 01:00-01:05');
    write(GROUP, '/memory ask', NEWCOMER);
    await allEnded();
    write(GROUP, 'the dog is Rex', NEWCOMER);
    await allEnded();
    const mayHear = async (id: number) =>
      chatMemoryOf({ target: 'telegram', to: `${id}` }, await loadOwnerSettings(world.table, 'default'));
    expect(await mayHear(GROUP)).toBe('ask');
    for (const n of [1, 2]) expect(await post(n, { migrate_to_chat_id: moved })).toMatchObject({ status: 200 });
    expect([await mayHear(GROUP), await mayHear(moved)]).toStrictEqual(['closed', 'ask']);
    const shown = (await say('/chats')).join();
    expect(shown).toMatch(
      new RegExp(`\\n${moved}, named family, one of all: a group, paired on .*, muted 01:00-01:05`),
    );
    expect(shown).toContain(`${NEWCOMER}, one of all: a private chat`);
    expect(shown).not.toContain(`\n${GROUP}`);
    const cli = (...words: readonly string[]) => runCli(words, world.dataDir, { env: { APPROVER_TOKEN } });
    const [file, key] = [join(world.dataDir, 'moved.jsonl'), (await cli('evidence', 'key')).out.trim()];
    await world.tick();
    expect(await cli('evidence', 'export', '--out', file)).toMatchObject({ code: 0 });
    const { code, out } = await cli('verify', file, '--key', key);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/^verified$/m) });
    expect(readFileSync(file, 'utf8')).toContain(`chat ${moved}`);
    // The next message is of the same conversation.
    write(moved, 'and the cat?', NEWCOMER);
    await allEnded();
    expect(textsTo(moved).at(-1)).toContain('and the cat?');
    const asked = JSON.stringify(world.model.requests.at(-1)?.messages);
    expect(asked).toContain('and the cat?');
    expect(asked).toContain('the dog is Rex');
    // Nobody else can move a pairing: a stranger's chat has none.
    const stranger = { id: -77, type: 'group', title: 's' };
    await post(3, { chat: stranger, migrate_to_chat_id: -78 });
    expect((await say('/chats')).join()).not.toContain('-78');
  });

  it('says in the chat that it removes how to pair it again, and then no more', async () => {
    await say(`/chats remove ${NEWCOMER}`);
    await until('it is said there', () => textsTo(NEWCOMER).at(-1)?.includes('This is my last message here.'));
    expect(textsTo(NEWCOMER).at(-1)).toContain('npx passepartout pair');
    write(NEWCOMER, 'and now?');
    await allEnded();
    expect(textsTo(NEWCOMER).at(-1)).toBe(REFUSAL);
  });
});

describe('every outgoing text', () => {
  it('has a decision and an effect, refusals among them', async () => {
    expect(world.telegram.sent().length).toBeGreaterThan(10);
    expect(await findUnaccounted(world)).toStrictEqual([]);
  });
});

describe('a code in a group', () => {
  const PLACE = -5005;
  const [OWNER, MEMBER, FRIEND] = [6105, 6106, 6107];
  const lastTo = (chat: number) => textsTo(chat).at(-1);

  beforeAll(async () => {
    write(OWNER, `/pair ${await makeCode()}`);
    await allEnded();
  });

  it('is looked at although another member used up tries of his own', async () => {
    for (let n = 0; n < PAIRING_FAILURES_MAX + 2; n += 1) write(PLACE, `/pair ABCDEFG${n}`, MEMBER);
    await allEnded();
    expect(textsTo(PLACE)).toStrictEqual(Array.from({ length: PAIRING_FAILURES_MAX }, () => WRONG));
    write(PLACE, `/pair ${await makeCode()}`, OWNER);
    await allEnded();
    expect(lastTo(PLACE)).toMatch(/^This group is paired\. I answer/);
  });

  it.each([
    (code: string) => `/pair ${code}`,
    (code: string) => `/start ${code}`,
    (code: string) => `/pair ${code} please`,
    (code: string) => `/pairs ${code.toLowerCase()}`,
  ])('that is paired opens nothing else once an approver wrote it: %s', async (words) => {
    // A lower-case code of letters alone looks like a word.
    let code = await makeCode();
    while (!/\d/.test(code)) code = await makeCode();
    write(PLACE, words(code), OWNER);
    await allEnded();
    write(MEMBER, `/pair ${code}`);
    await allEnded();
    expect(lastTo(MEMBER)).toBe(WRONG);
  });

  it('that is paired is neither used up nor judged if a member types it', async () => {
    const code = await makeCode();
    for (const one of [code, 'ABCDEFGH']) {
      write(PLACE, `/pair ${one}`, MEMBER);
      await allEnded();
      expect(lastTo(PLACE)).toMatch(/^This group is paired\. I answer/);
    }
    write(FRIEND, `/pair ${code}`);
    await allEnded();
    expect(lastTo(FRIEND)).toBe(FIRST);
  });

  it('says to an approver that it is void, and to one who sends none that the group is paired', async () => {
    write(PLACE, `/pair ${await makeCode()}`, OWNER);
    await allEnded();
    expect(lastTo(PLACE)).toContain('it opens no other chat');
    write(PLACE, '/pair', OWNER);
    await allEnded();
    expect(lastTo(PLACE)).toMatch(/^This group is paired\. I answer/);
  });
});
