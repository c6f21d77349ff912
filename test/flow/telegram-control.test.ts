/**
 * Two messages while a task is running, and STOP: who waits and who does not, on the real stack.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { killSwitchKey } from '../../lib/core/ledger/kill-switch.ts';
import { findUnaccounted } from '../support/evidence.ts';
import { call, say, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { signalIdOf, startTestStack, until } from '../support/stack.ts';
import { startTarget } from '../support/target.ts';

const [BUSY, STOPPING, CARDS, OWNER, MEMBER, GROUP] = [3001, 3002, 3003, 3004, 3005, -5002];
const EXPLANATION = 'the owner asked for exactly this';

/** Requests of the model that wait for the test. */
const held = new Map<string, PromiseWithResolvers<void>>();
const hold = (text: string) => {
  const gate = Promise.withResolvers<void>();
  held.set(text, gate);
  return gate;
};

const target = await startTarget();

const world = await startTestStack({
  allowedChats: [BUSY, STOPPING, CARDS, OWNER, GROUP],
  approvers: [OWNER],
  environment: target.environmentOf('deploys'),
  script: async (request) => {
    const text = userTextOf(request);
    await held.get(text)?.promise;
    if (text === 'long task' && toolResultsOf(request).length === 0)
      return call('remember', { text: 'a note', explanation: EXPLANATION });
    if (text === 'call out') return call('call-webhook', { webhook: 'deploys', body: {}, explanation: EXPLANATION });
    return say(`re ${text}`);
  },
});
afterAll(async () => {
  await world.stop();
  target.close();
});

const textsTo = (chat: number) => world.telegram.sent(chat).map((message) => message.text);
const isAsked = (text: string) => world.model.requests.some((request) => userTextOf(request) === text);
const killSwitch = async () => (await world.table.load([killSwitchKey('default')], { isConsistent: true }))[0];

describe('a second message while a task is running', () => {
  it('waits, is shown to the running task, and then gets its own turn', async () => {
    const gate = hold('long task');
    const first = world.telegram.sendText(BUSY, BUSY, 'long task');
    await until('the model is asked', () => isAsked('long task'));
    const second = world.telegram.sendText(BUSY, BUSY, 'by the way');
    await until(
      'the second is in the mailbox',
      async () => (await world.signal(signalIdOf(second))).state === 'perceived',
    );
    gate.resolve();
    await world.settled(signalIdOf(first));
    await world.settled(signalIdOf(second));
    expect(textsTo(BUSY)).toStrictEqual(['re long task', 're by the way']);
    const own = world.model.requests.filter((request) => JSON.stringify(request.messages).includes('long task'));
    const waiting = '# NEWER MESSAGES WAITING (answered in their own turn)\n- by the way';
    expect(
      own.map((request) => JSON.stringify(request.messages).includes(JSON.stringify(waiting).slice(1, -1))),
    ).toStrictEqual([false, true, false]);
    expect(own.map(userTextOf)).toStrictEqual(['long task', 'long task', 'by the way']);
  });
});

describe('STOP', () => {
  it('does not wait: in force at once, answered at once, and what was under way is refused', async () => {
    const card = await openCard();
    const gate = hold('slow task');
    const running = world.telegram.sendText(STOPPING, STOPPING, 'slow task');
    await until('the model is asked', () => isAsked('slow task'));
    const waiting = world.telegram.sendText(STOPPING, STOPPING, 'and another');
    await until('it waits', async () => (await world.signal(signalIdOf(waiting))).state === 'perceived');
    const further = world.telegram.sendText(STOPPING, STOPPING, 'and a third');
    await until('it waits too', async () => (await world.signal(signalIdOf(further))).state === 'perceived');
    const stop = world.telegram.sendText(STOPPING, STOPPING, 'Stop!');
    await until('the switch is set', async () => (await killSwitch())?.isStopped === true);
    const stopped = await world.settled(signalIdOf(stop));
    expect(stopped).toMatchObject({ sensor: 'interrupt', state: 'acted' });
    expect(textsTo(STOPPING)).toStrictEqual(['Stopped. Nothing will be done until an approver resumes it: /resume.']);

    const asked = world.model.requests.length;
    gate.resolve();
    const view = await world.settled(signalIdOf(running));
    expect(view).toMatchObject({ state: 'refused', effects: [{ n: 0, actuator: 'telegram', state: 'refused' }] });
    expect(view.effects[0]?.trace.find((entry) => entry.gate === 'kill-switch')?.verdict).toBe('block');

    for (const queued of [waiting, further])
      expect(await world.settled(signalIdOf(queued))).toMatchObject({ state: 'refused' });
    expect(textsTo(STOPPING).slice(1)).toStrictEqual([
      'I am stopped and do nothing. An approver can end that: /resume',
    ]);

    world.telegram.tap(card.message, card.approve, CARDS);
    await until('the tap is answered', () =>
      textsTo(CARDS).some((text) => text?.startsWith('The agent is stopped; nothing')),
    );
    expect((await world.settled(card.signal)).effects).toMatchObject([{ actuator: 'webhook', state: 'suspended' }]);
    expect(target.posts).toStrictEqual([]);
    expect(world.model.requests).toHaveLength(asked);
  });

  it('lasts until an approver resumes', async () => {
    const asked = world.model.requests.length;
    const refused = world.telegram.sendText(GROUP, MEMBER, '/resume');
    expect((await world.settled(signalIdOf(refused))).replies).toStrictEqual(['Only an approver can resume.']);
    const ignored = world.telegram.sendText(OWNER, OWNER, 'are you there?');
    expect(await world.settled(signalIdOf(ignored))).toMatchObject({
      state: 'refused',
      replies: ['I am stopped and do nothing. An approver can end that: /resume'],
    });
    expect(world.model.requests).toHaveLength(asked);
    expect(await killSwitch()).toMatchObject({ isStopped: true, by: `telegram:${STOPPING}` });

    const resumed = world.telegram.sendText(GROUP, OWNER, '/resume');
    expect((await world.settled(signalIdOf(resumed))).replies).toStrictEqual(['Running again.']);
    const served = world.telegram.sendText(OWNER, OWNER, 'and now?');
    expect((await world.settled(signalIdOf(served))).replies).toStrictEqual(['re and now?']);
    expect(target.posts).toStrictEqual([]);
  });

  it('of one conversation is named when somebody resumes elsewhere, and resumed by the line it names', async () => {
    const stop = world.telegram.sendText(GROUP, MEMBER, '/stop');
    expect((await world.settled(signalIdOf(stop))).replies).toStrictEqual([
      expect.stringContaining('Nothing will be done in this conversation'),
    ]);
    const looked = world.telegram.sendText(GROUP, OWNER, '/status');
    expect((await world.settled(signalIdOf(looked))).replies[0]).toContain('is stopped: somebody asked for it.');
    const resumed = world.telegram.sendText(OWNER, OWNER, '/resume');
    const [said = ''] = (await world.settled(signalIdOf(resumed))).replies;
    const [, line = ''] = /^Running again\.\n\S+ stays stopped: (\/resume \S+)$/.exec(said) ?? [];
    const there = world.telegram.sendText(OWNER, OWNER, line);
    expect((await world.settled(signalIdOf(there))).replies[0]).toContain('goes on');
  });

  it('is not undone by an old /resume that comes again', async () => {
    const resume = world.telegram.sendText(OWNER, OWNER, '/resume');
    await world.settled(signalIdOf(resume));
    const stop = world.telegram.sendText(OWNER, OWNER, '/stop');
    await world.settled(signalIdOf(stop));
    world.telegram.redeliver(resume.update_id);
    await world.postUpdate(resume);
    await until('nothing is pending', () => world.telegram.pending().length === 0);
    await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, '/status')));
    expect(textsTo(OWNER).at(-1)).toContain('Stopped: nothing is done');
    await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, '/resume')));
    expect(await killSwitch()).toMatchObject({ isStopped: false });
  });
});

describe('every outgoing text', () => {
  it('has a decision and an effect', async () => {
    expect(world.telegram.sent().length).toBeGreaterThan(10);
    expect(await findUnaccounted(world)).toStrictEqual([]);
  });
});

/** A webhook call that waits for a person. */
const openCard = async () => {
  const update = world.telegram.sendText(CARDS, CARDS, 'call out');
  const message = await until('a card', () =>
    world.telegram.sent(CARDS).find((sent) => sent.reply_markup !== undefined),
  );
  const [button] = message.reply_markup?.inline_keyboard[0] ?? [];
  if (button === undefined || !('callback_data' in button)) throw new Error('the card has no button');
  return { signal: signalIdOf(update), message: message.message_id, approve: button.callback_data };
};
