/**
 * Approvals over Telegram and console on the real stack: a card, who may decide it, and that a yes
 * is spent on one action, once.
 */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { approvalKey } from '../../lib/core/store/keys.ts';
import type { ShownApproval } from '../../lib/core/verbs/approvals/operations.ts';
import { findUnaccounted } from '../support/evidence.ts';
import { call, type ModelServerRequest, type ScriptedAnswer, say, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, SCRIPT_TOKEN, signalIdOf, startTestStack, until } from '../support/stack.ts';
import { startTarget, TARGET_SECRET } from '../support/target.ts';

const [OWNER, OTHER, MEMBER, GROUP, LATER] = [5001, 5002, 5003, -5003, -5004];
const EXPLANATION = 'the owner asked for a deployment';

const target = await startTarget(({ body }) =>
  body.includes('broken') ? { status: 400, body: '{"queued":false}' } : { status: 202, body: '{"queued":true}' },
);
const { posts } = target;

/** Proposes the webhook for `deploy <ref>`, and says what it was told of the outcome. */
const answer = (request: ModelServerRequest): ScriptedAnswer => {
  const results = JSON.stringify(request.messages.filter((message) => message.role === 'tool'));
  if (results.includes('a person denied it')) return say('It was denied.');
  if (results.includes('nobody approved it in time')) return say('It expired.');
  if (results.includes('queued') || results.includes('failed')) return say('It is deployed.');
  const ref = /^deploy (\S+)$/m.exec(userTextOf(request))?.[1];
  if (ref === undefined) return say('I do not know.');
  return call('call-webhook', { webhook: 'deploys', body: { ref }, explanation: EXPLANATION });
};

const world = await startTestStack({
  allowedChats: [OWNER, OTHER, GROUP, LATER],
  approvers: [OWNER],
  environment: target.environmentOf('deploys'),
  script: answer,
});
afterAll(async () => {
  await world.stop();
  target.close();
});
beforeEach(() => {
  posts.length = 0;
});

/** Whether buttons of a message decide something; “Why?” below an answer only shows a line. */
const decides = (keys: unknown): boolean => keys !== undefined && !JSON.stringify(keys).includes('"w:');

const textsTo = (chat: number) => world.telegram.sent(chat).map((message) => message.text);

interface Card {
  readonly signal: string;
  readonly message: number;
  readonly text: string;
  readonly approve: string;
  readonly deny: string;
  readonly id: string;
}

/** Asks for a deployment in a chat and gives the card that comes. */
const openCard = async (chat: number, ref: string): Promise<Card> => {
  const update = world.telegram.sendText(chat, OWNER, `deploy ${ref}`);
  const message = await until('a card', () =>
    world.telegram.sent(chat).find((sent) => sent.text?.includes(`{"ref":"${ref}"}`)),
  );
  const view = await world.settled(signalIdOf(update));
  expect(view).toMatchObject({
    state: 'suspended',
    turn: 'waiting',
    effects: [{ actuator: 'webhook', state: 'suspended' }],
  });
  const row = message.reply_markup?.inline_keyboard[0] ?? [];
  expect(row.map((button) => button.text)).toStrictEqual(['Approve', 'Deny']);
  const [approve = '', deny = ''] = row.map((button) => ('callback_data' in button ? button.callback_data : ''));
  expect(approve).toMatch(/^a:[0-9a-f]{32}$/);
  expect(deny).toBe(`d:${approve.slice(2)}`);
  return {
    signal: view.id,
    message: message.message_id,
    text: message.text ?? '',
    approve,
    deny,
    id: approve.slice(2),
  };
};

/** Taps and gives what the person is told about it. */
/** The tap of somebody who may not decide: Telegram shows them why, and the chat reads nothing. */
const refusedTap = async (card: Card, data: string, from: number, chat: number): Promise<void> => {
  const before = textsTo(chat).length;
  const { callback_query: tapped } = world.telegram.tap(card.message, data, from);
  const answer = await until('the tap is answered', () =>
    world.telegram.calls.find(
      ({ method, params }) => method === 'answerCallbackQuery' && params.callback_query_id === tapped?.id,
    ),
  );
  expect(answer.params.text).toMatch(/^Only an approver may decide this/);
  expect(textsTo(chat)).toHaveLength(before);
};

const tap = async (card: Card, data: string, from: number, chat: number): Promise<string> => {
  const update = world.telegram.tap(card.message, data, from);
  const view = await world.settled(signalIdOf(update));
  expect(view.replies).toHaveLength(1);
  expect(textsTo(chat)).toContain(view.replies[0]);
  await until('the waiting mark ends', () =>
    world.telegram.calls.some(
      ({ method, params, outcome }) =>
        method === 'answerCallbackQuery' && outcome === 'ok' && params.callback_query_id === update.callback_query?.id,
    ),
  );
  return view.replies[0] ?? '';
};

const UTC = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`;

/**
 * The last line of a card that was changed: what happened, by whom and when, and no buttons any
 * more.
 */
const verdictOn = (card: Card, chat: number, verdict: RegExp) =>
  until('the card says what happened', () =>
    world.telegram
      .sent(chat)
      .find(
        (message) =>
          message.message_id === card.message &&
          message.reply_markup === undefined &&
          message.text?.split('\n').some((line) => verdict.test(line)) &&
          message.text.startsWith('Call the webhook deploys: '),
      ),
  );

const ended = (card: Card) =>
  until('the action ends', async () => {
    const view = await world.signal(card.signal);
    return view.isTurnClosed && view;
  });

const isPending = async (card: Card) => {
  expect(await world.signal(card.signal)).toMatchObject({ state: 'suspended', effects: [{ state: 'suspended' }] });
  expect(posts).toStrictEqual([]);
};

describe('an action that needs a person', () => {
  it('shows every field on its card, and none of the approval in the signal', async () => {
    const card = await openCard(OWNER, 'shown');
    expect(card.text).toMatch(/^Call the webhook deploys: /);
    expect(card.text).toContain('To: deploys');
    expect(card.text).toContain('Address: http://127.0.0.1:');
    expect(card.text).toContain(`The model says why: ${EXPLANATION}`);
    expect(card.text).toContain("Asked because: the tool call-webhook needs a person's approval (permissions)");
    expect(card.text).toContain(`Came from: telegram:${OWNER} in telegram:${OWNER}, ${card.signal}`);
    expect(card.text).toMatch(new RegExp(`^Details \\(waits for your yes until ${UTC}\\):$`, 'm'));
    expect(JSON.stringify(await world.signal(card.signal))).not.toContain(card.id);
    expect(JSON.stringify(world.model.requests)).not.toContain(card.id);
    expect(world.log()).not.toContain(card.id);
    await tap(card, card.deny, OWNER, OWNER);
    await ended(card);
  });

  it('is allowed again only within bounds that were shown and chosen, by an approver, in the chat of its card', async () => {
    const grants = async () => {
      const { body } = await world.api<{ grants: readonly { usesMax: number; expiresAt: number }[] }>(
        'GET',
        '/api/grants',
      );
      return body.grants.map(({ usesMax, expiresAt }) => ({ usesMax, expiresAt }));
    };
    const before = await grants();
    const card = await openCard(GROUP, 'similar');
    const shown = () => {
      const message = world.telegram.sent(GROUP).find(({ message_id: id }) => id === card.message);
      const rows = message?.reply_markup?.inline_keyboard ?? [];
      const buttons = rows
        .flat()
        .map((button) => ('callback_data' in button ? button : { text: '', callback_data: '' }));
      return { text: message?.text ?? '', buttons };
    };
    const open = async (from = OWNER) => {
      await world.settled(signalIdOf(world.telegram.tap(card.message, `g:${card.id}`, from)));
      return until('the card changes', () => (from !== OWNER || shown().buttons.length === 4 ? shown() : undefined));
    };
    await refusedTap(card, `g:${card.id}`, MEMBER, GROUP);
    expect(shown().buttons.map(({ text }) => text)).toStrictEqual(['Approve', 'Deny', 'Allow similar…']);

    const first = await open();
    expect(first.text).toMatch(/^Call the webhook deploys: /);
    expect(first.text).toContain('{"ref":"similar"}');
    // Nothing of this call may differ in a task: it has no number, and no declared recipient.
    const words = ['3', '10', '50'].map((uses) =>
      expect.stringMatching(new RegExp(`^${uses} more times until ${UTC}$`)),
    );
    expect(first.buttons.map(({ text }) => text)).toStrictEqual([...words, 'Back']);
    for (const { text, callback_data: data } of first.buttons) {
      expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
      if (text !== 'Back') expect(first.text).toContain(text);
    }
    expect(await grants()).toStrictEqual(before);
    await isPending(card);

    await world.settled(signalIdOf(world.telegram.tap(card.message, first.buttons[3]?.callback_data ?? '', OWNER)));
    await until('the card is as it was', () => shown().buttons.length === 3 && shown().text === card.text);
    const second = await open();
    const stale = 'Those bounds are not the ones shown now; nothing was changed. Tap “Allow similar…” again.';
    for (const data of [first.buttons[0]?.callback_data ?? '', `s:${card.id}:9:${Date.now().toString(36)}`])
      expect(await tap(card, data, OWNER, GROUP)).toBe(stale);
    await refusedTap(card, second.buttons[0]?.callback_data ?? '', MEMBER, GROUP);
    await isPending(card);
    expect(await grants()).toStrictEqual(before);

    const chosen = second.buttons[0];
    expect(await tap(card, chosen?.callback_data ?? '', OWNER, GROUP)).toContain('allowed 3 more times until ');
    expect(await ended(card)).toMatchObject({ state: 'acted' });
    const [grant] = (await grants()).filter((one) => !before.some(({ expiresAt }) => expiresAt === one.expiresAt));
    expect(grant?.usesMax).toBe(3);
    const until3 = `${new Date(grant?.expiresAt ?? 0).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    expect(chosen?.text).toBe(`3 more times until ${until3}`);
    expect(await tap(card, second.buttons[1]?.callback_data ?? '', OWNER, GROUP)).toContain('Nothing was changed');
    expect(await grants()).toHaveLength(before.length + 1);
    const { replies } = await world.settled(signalIdOf(world.telegram.sendText(GROUP, OWNER, '/grants')));
    const id = /^[0-9a-f]{12}/.exec(replies[0] ?? '')?.[0] ?? '';
    await world.settled(signalIdOf(world.telegram.sendText(GROUP, OWNER, `/revoke ${id}`)));
    expect(await grants()).toStrictEqual(before);
  });

  it('is performed once after a tap of its owner, and a second tap is stale', async () => {
    const card = await openCard(OWNER, 'main');
    expect(await tap(card, card.approve, OWNER, OWNER)).toBe('Approved: Call the webhook deploys: ref “main”');
    const view = await ended(card);
    expect(view).toMatchObject({
      state: 'acted',
      effects: [{ actuator: 'webhook', state: 'done', tries: 1 }],
      replies: ['[approval card]', 'It is deployed.'],
    });
    expect(await tap(card, card.approve, OWNER, OWNER)).toBe(
      'Nothing was changed: this is approved already, and was begun.',
    );
    expect(await tap(card, card.deny, OWNER, OWNER)).toBe(
      'Nothing was changed: this is approved already, and was begun.',
    );
    expect(posts).toHaveLength(1);
    const [post] = posts;
    expect(new Webhook(TARGET_SECRET).verify(post?.body ?? '', post?.headers as Record<string, string>)).toStrictEqual({
      ref: 'main',
    });
    expect(textsTo(OWNER).at(-3)).toBe('It is deployed.');
    await verdictOn(card, OWNER, new RegExp(`^APPROVED by telegram:${OWNER} at ${UTC}\\. Done\\.$`));
  });

  it('is known by its end to later turns, and to the list of signals', async () => {
    const doOne = async (ref: string) => {
      const card = await openCard(LATER, ref);
      await tap(card, card.approve, OWNER, LATER);
      return (await ended(card)).id;
    };
    const failed = await doOne('broken');
    const done = await doOne('whole');
    await world.settled(signalIdOf(world.telegram.sendText(LATER, OWNER, 'did it work?')));
    const request = world.model.requests.find((one) => userTextOf(one).includes('did it work?'));
    const tools = request?.messages.map(({ content }) => content?.match(/\[call-webhook: \w+\]/g)).filter(Boolean);
    expect(tools).toStrictEqual([
      ['[call-webhook: suspended]', '[call-webhook: failed]'],
      ['[call-webhook: suspended]', '[call-webhook: done]'],
    ]);
    const { body } = await world.api<{ signals: readonly { id: string; outcome?: string }[] }>('GET', '/api/signals');
    const outcomeOf = (id: string) => body.signals.find((one) => one.id === id)?.outcome;
    expect([outcomeOf(failed), outcomeOf(done)]).toStrictEqual(['failed', undefined]);
  });

  it('is performed once when two taps come at the same time, each several times', async () => {
    const card = await openCard(OWNER, 'race');
    const taps = [card.approve, card.approve].map((data) => world.telegram.tap(card.message, data, OWNER));
    await Promise.all([...taps, ...taps, ...taps].map((update) => world.postUpdate(update)));
    const views = await Promise.all(taps.map((update) => world.settled(signalIdOf(update))));
    const replies = views.map((view) => view.replies[0] ?? '').sort();
    expect(replies[0]).toBe('Approved: Call the webhook deploys: ref “race”');
    expect(replies[1]).toMatch(/^Nothing was changed: this is approved already(, and was begun)?\.$/);
    await ended(card);
    expect(posts).toHaveLength(1);
  });

  it('is decided by no bare word: who types one is told how to decide, and no model is asked', async () => {
    const card = await openCard(OWNER, 'word');
    const say = (text: string) => world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, text)));
    const short = card.id.slice(0, 6);
    for (const word of ['Yes!', 'nein']) {
      const { replies, decision } = await say(word);
      expect(replies[0]).toContain(`\n/approve ${short} or /deny ${short} – Call the webhook deploys: ref “word”`);
      expect(decision?.attempts).toStrictEqual([]);
    }
    await isPending(card);
    expect((await say('yes, and call me at four')).decision?.attempts).toHaveLength(1);
    await tap(card, card.deny, OWNER, OWNER);
    await ended(card);
    expect((await say('yes')).decision?.attempts).toHaveLength(1);
  });

  it('is not moved by a tap of a stranger, or of somebody who is no approver', async () => {
    const card = await openCard(GROUP, 'guarded');
    await refusedTap(card, card.approve, MEMBER, GROUP);
    await refusedTap(card, card.deny, MEMBER, GROUP);
    await isPending(card);
    expect(await tap(card, card.deny, OWNER, GROUP)).toBe('Denied: Call the webhook deploys: ref “guarded”');
    await ended(card);
    await verdictOn(card, GROUP, new RegExp(`^DENIED by telegram:${OWNER} at ${UTC}\\. It was not done\\.$`));
  });

  it.each<[string, number, boolean]>([
    ['another chat that is served', OTHER, true],
    ['a chat that is not served', 5999, false],
  ])('is not moved by a tap in %s', async (_name, chat, isAnswered) => {
    const card = await openCard(OWNER, `from${chat}`);
    const owner = { id: OWNER, is_bot: false, first_name: 'Owner' };
    const update = world.telegram.sendUpdate({
      callback_query: {
        id: `forged-${chat}`,
        from: owner,
        chat_instance: '1',
        data: card.approve,
        message: { message_id: card.message, date: 1, chat: { id: chat, type: 'private', first_name: 'Owner' } },
      },
    });
    if (isAnswered) {
      world.telegram.openChat(chat);
      expect((await world.settled(signalIdOf(update))).replies).toStrictEqual([
        expect.stringMatching(
          /^This can be decided only where its card was sent, or in a terminal: npx passepartout approvals [0-9a-f]{6}$/,
        ),
      ]);
    } else {
      await until('it is confirmed', () => world.telegram.pending().length === 0);
      expect((await world.api('GET', `/api/signals/${signalIdOf(update)}`)).status).toBe(404);
    }
    await isPending(card);
    await tap(card, card.deny, OWNER, OWNER);
    await ended(card);
  });

  it('is not done after a denial, of which the model is told', async () => {
    const card = await openCard(OWNER, 'denied');
    expect(await tap(card, card.deny, OWNER, OWNER)).toBe('Denied: Call the webhook deploys: ref “denied”');
    const view = await ended(card);
    expect(view).toMatchObject({
      state: 'refused',
      effects: [{ state: 'refused', reason: 'a person denied it' }],
      replies: ['[approval card]', 'It was denied.'],
    });
    const child = await world.signal(`${card.signal}/d0`);
    expect(child).toMatchObject({ sensor: 'approval-decided', parent: card.signal, depth: 1, state: 'acted' });
    expect(await tap(card, card.approve, OWNER, OWNER)).toBe('Nothing was changed: this is denied already.');
    expect(posts).toStrictEqual([]);
  });

  it('is not done after its time, and expires with the next heartbeat', async () => {
    const card = await openCard(OWNER, 'late');
    const past = Date.now() - 1;
    await world.table.update(approvalKey('default', card.id), { set: { expiresAtMs: past, unfinishedAt: past } });
    expect(await tap(card, card.approve, OWNER, OWNER)).toBe(
      'Nothing was changed: the time to decide this is over, and it was not done. Ask for it again.',
    );
    expect((await world.api('POST', `/api/approvals/${card.id}`, { decision: 'approve' }, APPROVER_TOKEN)).status).toBe(
      409,
    );
    await isPending(card);
    expect(await world.tick()).toMatchObject({ expired: 1 });
    expect(await ended(card)).toMatchObject({
      state: 'refused',
      effects: [{ state: 'refused', reason: 'nobody approved it in time' }],
      replies: ['[approval card]', 'It expired.'],
    });
    await verdictOn(card, OWNER, new RegExp(`^EXPIRED at ${UTC}: nobody decided in time\\. It was not done\\.$`));
    expect(posts).toStrictEqual([]);
  });
});

describe('an approval by the console', () => {
  const decide = (card: Card, token: string, decision = 'approve') =>
    world.api('POST', `/api/approvals/${card.id}`, { decision }, token);

  it('works with the approver token only, once', async () => {
    const card = await openCard(OWNER, 'console');
    const listed = await world.api<{ approvals: ShownApproval[] }>('GET', '/api/approvals', undefined, APPROVER_TOKEN);
    expect(listed.body.approvals.map(({ id, signalId }) => ({ id, signalId }))).toStrictEqual([
      { id: card.id, signalId: card.signal },
    ]);
    const hidden = await world.api<{ approvals: ShownApproval[] }>('GET', '/api/approvals', undefined, SCRIPT_TOKEN);
    expect(hidden.body.approvals.map(({ id }) => id)).toStrictEqual([undefined]);
    expect((await decide(card, SCRIPT_TOKEN)).status).toBe(403);
    expect((await decide(card, 'somebody')).status).toBe(401);
    expect((await decide(card, APPROVER_TOKEN, 'perhaps')).status).toBe(400);
    await isPending(card);
    const accepted = await decide(card, APPROVER_TOKEN);
    expect(accepted.status).toBe(202);
    expect(await ended(card)).toMatchObject({
      state: 'acted',
      effects: [{ state: 'done' }],
      replies: ['[approval card]', 'It is deployed.'],
    });
    expect((await decide(card, APPROVER_TOKEN)).status).toBe(409);
    expect(await tap(card, card.approve, OWNER, OWNER)).toBe(
      'Nothing was changed: this is approved already, and was begun.',
    );
    await verdictOn(card, OWNER, new RegExp(`^APPROVED by console-approver at ${UTC}\\. Done\\.$`));
    expect(posts).toHaveLength(1);
  });
});

const ALLOWED =
  /^Approved, and allowed 10 more times until [-0-9]{10} [:0-9]{5} UTC: Call the webhook deploys[^·]*\. \/revoke ([0-9a-f]{12}) takes it back\.$/;

describe('a grant', () => {
  it('made on a card lets the same pass without one, is listed, and ends when it is taken back', async () => {
    const card = await openCard(OWNER, 'nightly');
    await world.settled(signalIdOf(world.telegram.tap(card.message, `g:${card.id}`, OWNER)));
    const choices = world.telegram.sent(OWNER).find(({ message_id: shown }) => shown === card.message)?.reply_markup;
    const [ten] = choices?.inline_keyboard[1] ?? [];
    const reply = await tap(card, ten !== undefined && 'callback_data' in ten ? ten.callback_data : '', OWNER, OWNER);
    const [, id = 'none'] = ALLOWED.exec(reply) ?? [];
    await ended(card);
    await verdictOn(card, OWNER, /^APPROVED by .* Done\.$/);
    const again = await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, 'deploy nightly')));
    expect(again).toMatchObject({ state: 'acted', effects: [{ actuator: 'webhook', state: 'done' }] });
    expect(posts).toHaveLength(2);
    const command = async (text: string) =>
      (await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, text)))).replies[0];
    expect(await command('/grants')).toMatch(new RegExp(`^${id}: .*used 1 of 10`));
    const { replies } = await world.settled(signalIdOf(world.telegram.sendText(GROUP, OWNER, '/grants')));
    expect(replies).toStrictEqual(['1 of other conversations: ask in a private chat.']);
    expect(await command(`/revoke ${id}`)).toBe(`The grant ${id} is taken back.`);
    expect(await command('/grants')).toBe(
      'There is no grant. A job that you approved as a whole says so: /jobs show <name>',
    );
    const last = await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, 'deploy nightly')));
    expect(last).toMatchObject({ state: 'suspended' });
    expect(posts).toHaveLength(2);
    const { body } = await world.api<{ approvals: ShownApproval[] }>(
      'GET',
      '/api/approvals',
      undefined,
      APPROVER_TOKEN,
    );
    await world.api('POST', `/api/approvals/${body.approvals[0]?.id}`, { decision: 'deny' }, APPROVER_TOKEN);
    await until('it is denied', async () => (await world.signal(last.id)).state === 'refused');
    expect((await world.settled(`${last.id}/d0`)).replies).toStrictEqual(['It was denied.']);
    await until('no card has buttons', () => world.telegram.sent().every((one) => !decides(one.reply_markup)));
  });
});

describe('every outgoing text', () => {
  it('has a decision and an effect, cards among them', async () => {
    const cards = world.telegram.calls.filter(
      ({ method, params }) => method === 'sendMessage' && decides(params.reply_markup),
    );
    expect(cards).toHaveLength(15);
    expect(world.telegram.sent().filter((message) => decides(message.reply_markup))).toStrictEqual([]);
    expect(await findUnaccounted(world)).toStrictEqual([]);
  });
});
