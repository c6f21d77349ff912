/**
 * A model that is away: what was asked meanwhile waits, its person is told once, and all is
 * answered in order afterwards. On the real stack with a model server that refuses connections;
 * through the stages by their clock, with a crash after every step.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LlmError, type ProviderFault } from '../../lib/core/base/errors.ts';
import { setKillSwitch } from '../../lib/core/ledger/kill-switch.ts';
import { parseDaySpend, spendKey } from '../../lib/core/money/day-spend.ts';
import type { Payload } from '../../lib/core/signal/signal.ts';
import { MODEL_WAIT_MS } from '../../lib/core/stages/reason/wait-for-model.ts';
import { signalKeys } from '../../lib/core/store/keys.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { say, userTextOf } from '../support/model-server.ts';
import { atStep, sampleSteps } from '../support/sample.ts';
import {
  buildSimulation,
  Crash,
  ownerMessage,
  providersOf,
  type Simulation,
  signalWith,
} from '../support/simulation.ts';
import { signalIdOf, startTestStack, type TestStack, until } from '../support/stack.ts';
import { evidenceOf, newSpace } from './adversity-world.ts';

const AWAY =
  /^The language model is not reachable right now\. I keep trying until \d\d:\d\d UTC and answer as soon as it is back\./;
const GAVE_UP = /^No language model could answer just now/;

describe('on the real stack', () => {
  const CHATS = [3001, 3002, 3003, 3004, 3005];
  let world: TestStack;
  beforeAll(async () => {
    world = await startTestStack({
      allowedChats: [...CHATS, 3009],
      environment: { TIME_ZONE: 'UTC', PROVIDER_NAMES: 'custom' },
      script: (request) => say(`re ${userTextOf(request)}`),
    });
  });
  afterAll(() => world?.stop());
  afterEach(() => world.model.acceptConnections().catch(() => undefined));

  const textsTo = (chat: number) => world.telegram.sent(chat).map(({ text }) => text);
  const waits = async () =>
    (await world.scan()).map(({ modelWait }) => Number((modelWait as { tries?: number } | undefined)?.tries ?? 0));
  const health = async () => (await world.api<{ status: string; reasons: string[] }>('GET', '/health')).body;

  it('five conversations are told once each, and answered in order and once when it is back', async () => {
    await world.model.refuseConnections();
    const updates = CHATS.flatMap((chat) =>
      ['first', 'second'].map((text) => world.telegram.sendText(chat, chat, `${text} of ${chat}`)),
    );
    await until('all are told', () => CHATS.every((chat) => textsTo(chat).length === 1));
    expect(CHATS.map((chat) => textsTo(chat)[0])).toStrictEqual(CHATS.map(() => expect.stringMatching(AWAY)));
    await until('the second try has failed', async () => (await waits()).some((tries) => tries > 1));
    expect(await health()).toMatchObject({
      status: 'degraded',
      reasons: [
        expect.stringMatching(
          /^no language model has been reachable since \d{4}-\d\d-\d\d \d\d:\d\d UTC; 5 conversations wait \(infra\/troubleshooting\.md#the-model\)$/,
        ),
      ],
    });
    await world.model.acceptConnections();
    for (const update of updates) expect((await world.settled(signalIdOf(update))).state).toBe('acted');
    for (const chat of CHATS)
      expect(textsTo(chat)).toStrictEqual([expect.stringMatching(AWAY), `re first of ${chat}`, `re second of ${chat}`]);
    expect((await world.scan()).filter(({ pk }) => String(pk).startsWith('dead-letter#'))).toStrictEqual([]);
    expect(await health()).toMatchObject({ reasons: [] });
  });

  it('a console is told and answered too, and a stop ends the waiting for good', async () => {
    await world.model.refuseConnections();
    const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text: 'hello' });
    const told = await until('it is told', async () => {
      const view = await world.signal(body.id);
      return view.replies.length === 1 && view;
    });
    expect([told.turn, told.isTurnClosed, told.replies]).toStrictEqual([
      'running',
      false,
      [expect.stringMatching(AWAY)],
    ]);
    const why = /^no language model could be reached since .{16} UTC; the next try is at .{16} UTC$/;
    expect(told.stateReason).toMatch(why);
    await world.settled(signalIdOf(world.telegram.sendText(3009, 3009, '/stop')));
    await world.settled(signalIdOf(world.telegram.sendText(3009, 3009, '/resume')));
    await world.model.acceptConnections();
    const view = await world.settled(body.id);
    expect(view.stateReason).not.toMatch(why);
    expect([view.state, view.replies.slice(1)]).toStrictEqual([
      'refused',
      ['I am stopped and do nothing. An approver can end that: /resume'],
    ]);
  });
});

describe('through the stages', () => {
  let dynamo: TestDynamo;
  beforeAll(async () => {
    dynamo = await startDynamo();
  });
  afterAll(() => dynamo?.stop());

  const provider = {
    name: 'one',
    baseUrl: 'http://127.0.0.1/v1',
    model: 'm',
    prices: { prompt: 0.001, completion: 0.002 },
  };
  const build = (space = newSpace()) => {
    const state: { fault: ProviderFault | undefined; awayCalls: number; billed: number[] } = {
      fault: 'down',
      awayCalls: Number.NaN,
      billed: [],
    };
    const simulation = buildSimulation({
      table: dynamo.table,
      space,
      answer: () => ({}),
      ask: async (prompt) => {
        state.awayCalls -= 1;
        if (state.awayCalls < 0) state.fault = undefined;
        if (state.fault !== undefined)
          throw new LlmError('scripted', ['one'], ['one: failed'], true, state.billed, [
            { place: 0, fault: state.fault },
          ]);
        const content = `re ${prompt.messages.at(-1)?.content.includes('second') ? 'second' : 'first'}`;
        const answer = { content, toolCalls: [], model: 'm' };
        return { provider: 'one', model: 'm', answer, index: 0, billed: [], failures: [] };
      },
      variables: providersOf(provider),
    });
    return { space, state, simulation };
  };
  const texts = ({ sent }: Simulation) => sent.map(({ text }) => text);
  const stateOf = async (space: string, id: string) => (await evidenceOf(dynamo.table, space, id)).record?.state;
  const spent = async (space: string, now: number) => {
    const [item] = await dynamo.table.load([spendKey(space, now)], { isConsistent: true });
    return parseDaySpend(item).usd;
  };

  it('a message is tried for ten minutes, uses up no attempt and no money, and ends with one plain sentence', async () => {
    const { space, simulation } = build();
    const startedAt = simulation.now();
    await simulation.accept(ownerMessage(space, 1, 'first'));
    await simulation.accept(ownerMessage(space, 2, 'second'));
    await simulation.drain();
    // The second one waited as long, behind the first.
    expect(texts(simulation)).toStrictEqual([
      expect.stringMatching(AWAY),
      expect.stringMatching(GAVE_UP),
      expect.stringMatching(GAVE_UP),
    ]);
    expect(simulation.now() - startedAt).toBeGreaterThanOrEqual(MODEL_WAIT_MS);
    expect(simulation.now() - startedAt).toBeLessThan(MODEL_WAIT_MS + 60_000);
    expect(simulation.modelCalls()).toBeLessThan(20);
    const { record, attempts } = await evidenceOf(dynamo.table, space, 'tg-1-1');
    expect([record?.state, attempts]).toStrictEqual(['refused', []]);
    expect(await spent(space, simulation.now())).toBe(0);
  });

  it('asks less often where each failed call may be billed', async () => {
    const { space, state, simulation } = build();
    state.billed = [0];
    await simulation.accept(ownerMessage(space, 1, 'first'));
    await simulation.drain();
    expect(texts(simulation)).toStrictEqual([expect.stringMatching(AWAY), expect.stringMatching(GAVE_UP)]);
    expect(simulation.modelCalls()).toBeLessThanOrEqual(6);
    expect(await spent(space, simulation.now())).toBeGreaterThan(0);
  });

  it.each(['auth', 'billing', 'model', 'policy'] as const)('what %s refuses is told at once', async (fault) => {
    const { space, state, simulation } = build();
    state.fault = fault;
    await simulation.accept(ownerMessage(space, 1, 'first'));
    await simulation.drain();
    expect(simulation.modelCalls()).toBe(1);
    expect(await stateOf(space, 'tg-1-1')).toBe('refused');
  });

  it('waits in silence for what nobody asked, and not at all for a summary', async () => {
    const { space, state, simulation } = build();
    state.awayCalls = 3;
    const job: Payload = { sensor: 'job-due', job: 'tidy', slot: 1, text: [{ text: 'tidy', origin: 'owner' }] };
    await simulation.accept({ ...signalWith(space, 'job-tidy-1', job), session: 'job:tidy' });
    await simulation.drain();
    expect([await stateOf(space, 'job-tidy-1'), texts(simulation)]).toStrictEqual(['acted', ['re first']]);
  });

  it('a stop during the wait ends it, also when it is taken back before the next try', async () => {
    const { space, state, simulation } = build();
    await simulation.accept(ownerMessage(space, 1, 'first'));
    while (simulation.sent.length === 0) await simulation.deliverNext();
    simulation.advance(1_000);
    await setKillSwitch(dynamo.table, space, { isStopped: true, by: 'telegram:7', at: simulation.now() });
    await setKillSwitch(dynamo.table, space, { isStopped: false, by: 'telegram:7', at: simulation.now() + 1 });
    state.fault = undefined;
    await simulation.drain();
    expect(await stateOf(space, 'tg-1-1')).toBe('refused');
    expect(texts(simulation)).not.toContain('re first');
  });

  const orCrash = (sweeping: Promise<unknown>) =>
    sweeping.catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
    });

  const settle = async (simulation: Simulation) => {
    for (let round = 0; round < 6; round += 1) {
      await simulation.drain();
      simulation.advance(6 * 60_000);
      await orCrash(simulation.sweep());
      if (simulation.queue.length === 0 && round > 1) return;
    }
  };

  const run = async (k: number, losesQueues: boolean): Promise<number> => {
    const { space, state, simulation } = build();
    state.awayCalls = 2;
    simulation.crashAt(k);
    await simulation.accept(ownerMessage(space, 1, 'first'));
    if (losesQueues) {
      while (simulation.queue.length > 0 && simulation.crashes.length === 0) await simulation.deliverNext();
      simulation.loseQueues();
      await orCrash(simulation.sweep(true));
    }
    await settle(simulation);
    const ids = ['tg-1-1/model-away', 'tg-1-1'];
    for (const id of ids) {
      const { record, effects } = await evidenceOf(dynamo.table, space, id);
      const count = simulation.sent.filter(({ effectId }) => effectId === `${space}/${id}#0`).length;
      // Sent once, or a person is shown that nobody knows.
      const ending = count === 0 ? 'unknown' : 'done';
      expect([id, count <= 1, record?.state]).toStrictEqual([id, true, 'acted']);
      expect([ending, 'unknown']).toContain(effects[0]?.state);
    }
    return simulation.operations();
  };

  it.each([
    ['and the queues go on', false],
    ['and the queues are lost', true],
  ] as const)(
    'repeats nothing and loses nothing when the process dies after any operation, %s',
    async (_name, losesQueues) => {
      const steps = await run(Number.POSITIVE_INFINITY, losesQueues);
      for (const k of sampleSteps(`model away ${losesQueues}`, 1, steps)) await atStep(k, () => run(k, losesQueues));
    },
  );

  it('leaves nothing of a wait in the way of the next message', async () => {
    const { space, state, simulation } = build();
    state.awayCalls = 1;
    await simulation.accept(ownerMessage(space, 1, 'first'));
    await simulation.drain();
    simulation.advance(3_600_000);
    await simulation.accept(ownerMessage(space, 2, 'second', '7', simulation.now()));
    await simulation.drain();
    expect(texts(simulation)).toStrictEqual([expect.stringMatching(AWAY), 're first', 're second']);
    const [item] = await dynamo.table.load([spendKey(space, simulation.now())], { isConsistent: true });
    expect(Object.keys(item ?? {}).filter((name) => name.startsWith('away'))).toStrictEqual([]);
    const [record] = await dynamo.table.load([signalKeys.record(space, 'tg-1-2')], { isConsistent: true });
    expect(record?.modelWait).toBeUndefined();
  });
});
