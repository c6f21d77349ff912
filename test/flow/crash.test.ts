import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import type { Prompt } from '../../lib/core/prompt/build-prompt.ts';
import type { ActuatorResult } from '../../lib/core/signal/actuator.ts';
import { CHOICE_TAP, tappedTurnId } from '../../lib/core/signal/ids.ts';
import { indexPartitions, signalKeys } from '../../lib/core/store/keys.ts';
import { startDynamo } from '../support/dynamo.ts';
import { atStep, sampleSteps } from '../support/sample.ts';
import {
  type Answer,
  buildSimulation,
  Crash,
  ownerMessage,
  type Simulation,
  signalWith,
} from '../support/simulation.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const newSpace = () => `s${randomBytes(6).toString('hex')}`;
const effectsOf = async (space: string, id: string) => {
  const page = await dynamo.table.query({ pk: signalKeys.partition(space, id), skPrefix: 'effect#' });
  return page.items.map((item) => String(item.state));
};
const stateOf = async (space: string, id: string) => {
  const [item] = await dynamo.table.load([signalKeys.record(space, id)], { isConsistent: true });
  return String(item?.state);
};

const call = (name: string, args: object): Answer => ({
  toolCalls: [
    { id: 'c1', name, argumentsText: JSON.stringify({ ...args, explanation: 'because the owner asked for it' }) },
  ],
});
const lastUserText = (prompt: Prompt) => prompt.messages.map((message) => message.content).join('\n');

interface Story {
  readonly name: string;
  readonly answer: (prompt: Prompt) => Answer;
  /**
   * Answers the n-th call to the channel, counted from 1; without it the channel takes everything.
   */
  readonly channel?: (call: number) => ActuatorResult;
  readonly play: (simulation: Simulation, space: string) => Promise<void>;
  readonly check: (simulation: Simulation, space: string) => Promise<void>;
}

const SENT: ActuatorResult = { state: 'done', output: '', origin: 'agent' };

const replyOnce = async (simulation: Simulation, space: string, id: string) => {
  const sent = simulation.sent.filter((one) => one.effectId === `${space}/${id}#0`);
  const [effect] = await effectsOf(space, id);
  // Exactly one reply, or a person is shown that nobody knows.
  if (sent.length === 0) expect(effect).toBe('unknown');
  else expect(sent).toHaveLength(1);
  expect(['done', 'unknown']).toContain(effect);
};

const stories: readonly Story[] = [
  {
    name: 'a plain turn',
    answer: () => ({ content: 'Hello' }),
    play: async (simulation, space) => {
      await simulation.accept(ownerMessage(space, 1, 'hi'));
    },
    check: async (simulation, space) => {
      expect(await stateOf(space, 'tg-1-1')).toBe('acted');
      await replyOnce(simulation, space, 'tg-1-1');
    },
  },
  {
    name: 'a tool turn',
    answer: (prompt) =>
      prompt.messages.some((message) => message.role === 'tool')
        ? { content: 'Noted.' }
        : call('remember', { text: 'tea at five' }),
    play: async (simulation, space) => {
      await simulation.accept(ownerMessage(space, 1, 'remember tea at five'));
    },
    check: async (simulation, space) => {
      expect(await stateOf(space, 'tg-1-1')).toBe('acted');
      expect(await stateOf(space, 'tg-1-1/1')).toBe('acted');
      await replyOnce(simulation, space, 'tg-1-1/1');
      const page = await dynamo.table.query({ pk: `memory#${space}`, skPrefix: 'object#' });
      expect(page.items).toHaveLength(1);
    },
  },
  {
    name: 'two messages of one chat',
    answer: (prompt) => ({ content: lastUserText(prompt).includes('second') ? 'two' : 'one' }),
    play: async (simulation, space) => {
      await simulation.accept(ownerMessage(space, 1, 'first'));
      await simulation.accept(ownerMessage(space, 2, 'second'));
    },
    check: async (simulation, space) => {
      for (const id of ['tg-1-1', 'tg-1-2']) {
        expect(await stateOf(space, id)).toBe('acted');
        await replyOnce(simulation, space, id);
      }
      const order = simulation.sent.map((one) => one.effectId);
      expect(order).toStrictEqual([...order].sort());
    },
  },
  {
    name: 'replies that wait for their channel',
    answer: (prompt) => ({ content: lastUserText(prompt).includes('second') ? 'two' : 'one' }),
    channel: (call) => (call <= 4 ? { state: 'retry', reason: 'it could not be reached' } : SENT),
    play: async (simulation, space) => {
      await simulation.accept(ownerMessage(space, 1, 'first'));
      await simulation.accept(ownerMessage(space, 2, 'second'));
    },
    check: async (simulation, space) => {
      for (const id of ['tg-1-1', 'tg-1-2']) {
        expect(await stateOf(space, id)).toBe('acted');
        await replyOnce(simulation, space, id);
      }
      const replies = simulation.sent.filter(({ text }) => text === 'one' || text === 'two').map(({ text }) => text);
      expect(replies).toStrictEqual([...replies].sort());
      // A death in the midst of a try leaves its outcome unknown, that of the notice too.
      const outages = simulation.sent.filter(({ text }) => text.startsWith('Telegram took no messages'));
      expect(outages.length).toBeLessThanOrEqual(1);
      if (simulation.crashes.length === 0) expect(outages).toHaveLength(1);
      const partition = indexPartitions.waitingEffects(space);
      const waiting = await dynamo.table.queryIndex({ index: 'unfinished', partition, limit: 10 });
      expect(waiting.items).toStrictEqual([]);
    },
  },
  {
    name: 'a choice that a person taps twice',
    answer: (prompt) => ({ content: /^Red$/m.test(lastUserText(prompt)) ? 'Red it is.' : 'Which?\n1. Blue\n2. Red' }),
    play: async (simulation, space) => {
      await simulation.accept(ownerMessage(space, 1, 'paint it'));
      await settle(simulation);
      const tap = { sensor: 'send-again', signalId: 'tg-1-1', n: 1, tries: CHOICE_TAP, chat: '7', message: 5 } as const;
      for (const id of ['tg-1-8', 'tg-1-9']) await simulation.accept(signalWith(space, id, tap));
    },
    check: async (simulation, space) => {
      const turn = tappedTurnId('choice', 'tg-1-1');
      for (const id of ['tg-1-1', 'tg-1-8', 'tg-1-9', turn]) expect(await stateOf(space, id)).toBe('acted');
      await replyOnce(simulation, space, turn);
      if (simulation.crashes.length > 0) return;
      expect(simulation.sent.filter(({ text }) => text === '✓ Red')).toHaveLength(1);
      expect(simulation.sent.filter(({ text }) => text === 'Red it is.')).toHaveLength(1);
    },
  },
  {
    name: 'a message that is corrected while it waits',
    answer: (prompt) => ({ content: `re ${/tea at \w+$/.exec(lastUserText(prompt))?.[0] ?? 'first'}` }),
    play: async (simulation, space) => {
      await simulation.accept(ownerMessage(space, 1, 'first'), { message: 1 });
      await simulation.accept(ownerMessage(space, 2, 'tea at four'), { message: 2 });
      await simulation.accept(ownerMessage(space, 3, 'tea at five'), { corrects: 2 });
    },
    check: async (simulation, space) => {
      for (const id of ['tg-1-1', 'tg-1-2']) await replyOnce(simulation, space, id);
      const state = await stateOf(space, 'tg-1-3');
      if (state !== 'dropped') await replyOnce(simulation, space, 'tg-1-3');
      const [item] = await dynamo.table.load([signalKeys.record(space, 'tg-1-2')], { isConsistent: true });
      // Replaced, or answered by itself.
      expect(String(item?.signal).includes('tea at five')).toBe(state === 'dropped');
      if (simulation.crashes.length === 0) expect(state).toBe('dropped');
    },
  },
  {
    name: 'a reply in doubt that a person wants again, and taps twice',
    answer: () => ({ content: 'one' }),
    channel: (call) => (call === 1 ? { state: 'unknown', reason: 'no answer' } : SENT),
    play: async (simulation, space) => {
      await simulation.accept(ownerMessage(space, 1, 'first'));
      await settle(simulation);
      const again = { sensor: 'send-again', signalId: 'tg-1-1', n: 0, tries: 1, chat: '7', message: 5 } as const;
      for (const id of ['tg-1-8', 'tg-1-9']) await simulation.accept(signalWith(space, id, again));
    },
    check: async (simulation, space) => {
      for (const id of ['tg-1-1', 'tg-1-8', 'tg-1-9']) expect(await stateOf(space, id)).toBe('acted');
      await replyOnce(simulation, space, 'tg-1-1');
      const doubts = simulation.sent.filter(({ text }) => text.includes('may not have arrived'));
      expect(doubts.map(({ effectId }) => effectId)).toStrictEqual([
        ...new Set(doubts.map(({ effectId }) => effectId)),
      ]);
      if (simulation.crashes.length > 0) return;
      expect(doubts).toMatchObject([{ text: expect.stringMatching(/^My answer to “first” may not have arrived\. /) }]);
      expect(simulation.sent.filter(({ text }) => text === 'one')).toHaveLength(1);
    },
  },
  {
    name: 'an approved webhook',
    answer: (prompt) =>
      lastUserText(prompt).includes('deploy now') &&
      !prompt.messages.some((message) => message.role === 'tool') &&
      !lastUserText(prompt).includes('"status"')
        ? call('call-webhook', { webhook: 'deploys', body: { ref: 'main' } })
        : { content: 'Deployed.' },
    play: async (simulation, space) => {
      await simulation.accept(ownerMessage(space, 1, 'deploy now'));
      await settle(simulation);
      const page = await dynamo.table.query({ pk: signalKeys.partition(space, 'tg-1-1'), skPrefix: 'effect#' });
      const approvalId = String(page.items[0]?.approvalId);
      await simulation.accept(
        signalWith(space, 'tg-1-9', {
          sensor: 'approval-decision',
          approvalId,
          decision: 'approve',
          card: { chat: '7', message: 5 },
        }),
      );
    },
    check: async (simulation, space) => {
      expect(simulation.sent.filter((one) => one.target === 'webhook')).toHaveLength(1);
      expect(await effectsOf(space, 'tg-1-1')).toStrictEqual(['done']);
      expect(await stateOf(space, 'tg-1-1')).toBe('acted');
      expect(await stateOf(space, 'tg-1-9')).toBe('acted');
      expect(
        simulation.sent.filter((one) => /^Details \(waits for your yes until/m.test(one.text)).length,
      ).toBeLessThanOrEqual(1);
    },
  },
];

const orCrash = (sweeping: Promise<unknown>) =>
  sweeping.catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error;
  });

/** Delivers, and repairs as the heartbeat would, until nothing is left to do. */
const settle = async (simulation: Simulation) => {
  for (let round = 0; round < 6; round += 1) {
    await simulation.drain();
    simulation.advance(6 * 60_000);
    await orCrash(simulation.sweep());
    if (simulation.queue.length === 0 && round > 1) return;
  }
};

const run = async (story: Story, k: number, losesQueues: boolean): Promise<number> => {
  const space = newSpace();
  let calls = 0;
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: story.answer,
    webhookUrls: { deploys: 'https://deploys.example/hook' },
    outside: (action) => {
      if (action.target === 'webhook') return { state: 'done', output: '{"status":200}', origin: 'outside' };
      calls += 1;
      return story.channel?.(calls) ?? SENT;
    },
  });
  simulation.crashAt(k);
  await story.play(simulation, space);
  if (losesQueues) {
    while (simulation.queue.length > 0 && simulation.crashes.length === 0) await simulation.deliverNext();
    simulation.loseQueues();
    await orCrash(simulation.sweep(true));
  }
  await settle(simulation);
  await story.check(simulation, space);
  return simulation.operations();
};

describe.each(stories)('crash at every step: $name', (story) => {
  it.each([
    ['and the queues go on', false],
    ['and the queues are lost', true],
  ] as const)('ends in one visible state when the process dies after any operation, %s', async (_name, losesQueues) => {
    // Dying after an operation leaves what dying before the next would leave, and covers the last
    // one of a delivery too.
    const steps = await run(story, Number.POSITIVE_INFINITY, losesQueues);
    for (const k of sampleSteps(`${story.name} ${losesQueues}`, 1, steps))
      await atStep(k, () => run(story, k, losesQueues));
  });
});

describe('a start that alone uses its table', () => {
  const START = 1_790_000_000_000;
  const build = (space: string, stackRun: string): Simulation =>
    buildSimulation({
      table: dynamo.table,
      space,
      answer: () => ({ content: 'Hello' }),
      startAt: START,
      variables: { STACK_RUN: stackRun },
    });

  it('waits for no claim of the process before it, and sends no text twice', async () => {
    const play = async (k: number): Promise<number> => {
      const space = newSpace();
      const killed = build(space, 'first');
      killed.crashAt(k);
      await killed.accept(
        signalWith(space, 'tg-1-1', { sensor: 'chat-message', text: [{ text: 'hi', origin: 'owner' }] }),
      );
      while (killed.queue.length > 0 && killed.crashes.length === 0) await killed.deliverNext();
      const next = build(space, 'second');
      await next.sweep(true);
      await next.drain();
      expect([k, next.now()]).toStrictEqual([k, START]);
      expect(await stateOf(space, 'tg-1-1')).toBe('acted');
      // The notice that it may be lost is no reply.
      const sent = [...killed.sent, ...next.sent].filter(
        ({ target, text }) => target === 'telegram' && !text.includes('may not have arrived'),
      );
      if (!(await effectsOf(space, 'tg-1-1')).includes('unknown')) expect(sent).toHaveLength(1);
      expect(sent.length).toBeLessThanOrEqual(1);
      return killed.operations();
    };
    const steps = await play(Number.POSITIVE_INFINITY);
    for (const k of sampleSteps('a start', 1, steps)) await atStep(k, () => play(k));
  });
});

describe('a turn that is handed the conversation', () => {
  it('sees what the one before it said, once, also if that one is not closed yet', async () => {
    let handedOn = 0;
    for (let k = 1; ; k += 1) {
      const space = newSpace();
      const prompts: string[] = [];
      const answer = (prompt: Prompt): Answer => {
        prompts.push(lastUserText(prompt));
        return { content: `answer number ${prompts.length}` };
      };
      const simulation = buildSimulation({ table: dynamo.table, space, answer });
      await simulation.accept(ownerMessage(space, 1, 'first'));
      await simulation.accept(ownerMessage(space, 2, 'second'));
      while (simulation.queue[0]?.stage !== 'act') await simulation.deliverNext();
      simulation.crashAt(k);
      await simulation.deliverNext();
      if (simulation.crashes.length === 0) break;
      const [unfinished] = simulation.queue.splice(0, 1);
      if (unfinished === undefined || simulation.queue.length === 0) continue;
      handedOn += 1;
      await simulation.drain();
      expect(prompts[1], `after step ${k}`).toContain('answer number 1');
      simulation.queue.push(unfinished);
      await simulation.accept(ownerMessage(space, 3, 'third'));
      await simulation.drain();
      expect(prompts[2]?.split('answer number 1').length, `after step ${k}`).toBe(2);
    }
    expect(handedOn).toBeGreaterThan(0);
  });
});
