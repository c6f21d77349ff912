/**
 * The caps through the whole pipeline: no model is asked past them, an effect that costs is paid in
 * its claim, crashes cost their worst.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { setKillSwitch } from '../../lib/core/ledger/kill-switch.ts';
import { parseDaySpend, sessionEntry, shortName, spendKey } from '../../lib/core/money/day-spend.ts';
import type { Prompt } from '../../lib/core/prompt/build-prompt.ts';
import type { Payload } from '../../lib/core/signal/signal.ts';
import { signalKeys } from '../../lib/core/store/keys.ts';
import type { Variables } from '../../lib/core/store/settings.ts';
import type { Table } from '../../lib/core/store/table.ts';
import { startDynamo } from '../support/dynamo.ts';
import {
  type Answer,
  buildSimulation,
  DEAR,
  ownerMessage,
  providersOf,
  type Simulation,
  type SimulationOptions,
  signalWith,
} from '../support/simulation.ts';
import { callTool, evidenceOf, newSpace } from './adversity-world.ts';
import { buildApprovalWorld } from './approval-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const USAGE = { inputTokens: 1_000, outputTokens: 100 };
const ACTUAL_USD = 25_000;
const DAY_MS = 24 * 60 * 60 * 1000;

const isResult = ({ messages }: Prompt) => messages.some(({ role }) => role === 'tool');
const plain = (): Answer => ({ content: 'Hello', usage: USAGE });
const withTool = (prompt: Prompt): Answer =>
  isResult(prompt) ? plain() : { ...callTool('remember', { text: 'tea at five' }), usage: USAGE };

/** A table that sets a stop before it stores a new item whose keys match. */
const stopping = (space: string, at: RegExp): Table => ({
  ...dynamo.table,
  put: async (key, ...rest) => {
    const stop = { isStopped: true, by: 'telegram:7', at: 0 };
    if (at.test(`${key.pk} ${key.sk}`)) await setKillSwitch(dynamo.table, space, stop);
    await dynamo.table.put(key, ...rest);
  },
});

const world = (
  variables: Variables,
  answer: (prompt: Prompt) => Answer = plain,
  stopAt?: RegExp,
  outside?: SimulationOptions['outside'],
) => {
  const space = newSpace();
  let daysSpent = 0;
  const simulation = buildSimulation({
    table: stopAt === undefined ? dynamo.table : stopping(space, stopAt),
    space,
    answer,
    variables: { ...providersOf(DEAR), ...variables },
    ...(outside === undefined ? {} : { outside }),
    log: (_, event) => {
      if (event === 'budget-spent') daysSpent += 1;
    },
  });
  const evidence = (id: string) => evidenceOf(dynamo.table, space, id);
  const spend = async () => {
    const key = spendKey(space, simulation.now());
    return parseDaySpend((await dynamo.table.load([key], { isConsistent: true }))[0]);
  };
  return { space, simulation, evidence, spend, daysSpent: () => daysSpent };
};
type World = ReturnType<typeof world>;

const say = async ({ simulation, space }: Pick<World, 'simulation' | 'space'>, id: number, chat = '7') => {
  await simulation.accept(ownerMessage(space, id, 'hi', chat, simulation.now()));
  await simulation.drain();
};
const texts = (simulation: Simulation, chat: string) =>
  simulation.sent.filter(({ target, to }) => target === 'telegram' && to === chat).map(({ text }) => text);

const background = async ({ simulation, space }: World, id: number, home: string): Promise<string> => {
  const name = `wh-shop:${id}`;
  const payload: Payload = {
    sensor: 'webhook',
    source: 'shop',
    event: 'sale',
    body: {},
    text: [{ text: 'a sale', origin: 'outside' }],
  };
  await simulation.accept({ ...signalWith(space, name, payload, home, simulation.now()), session: 'webhook:shop' });
  await simulation.drain();
  return name;
};

describe('a model call', () => {
  it('is booked at what the provider says, with the provider and in the day, before the next call', async () => {
    const own = world({});
    await say(own, 1);
    const { decision } = await own.evidence('tg-1-1');
    expect(decision?.attempt?.cost).toStrictEqual({
      id: 'tg-1-1/a1',
      usd: ACTUAL_USD,
      tokens: 1_100,
      isEstimated: false,
      turnUsd: ACTUAL_USD,
    });
    expect(await own.spend()).toMatchObject({ usd: ACTUAL_USD, tokens: 1_100 });
    await say(own, 2);
    await say(own, 3);
    expect((await own.spend()).usd).toBe(3 * ACTUAL_USD);
  });

  it('counts at its worst where the provider does not say what it used', async () => {
    const own = world({}, () => ({ content: 'Hello' }));
    await say(own, 1);
    const { decision } = await own.evidence('tg-1-1');
    expect(decision?.attempt?.cost).toMatchObject({ isEstimated: true, usd: (await own.spend()).usd });
  });

  it.each([
    ['attempts', () => ({ ...callTool('no-such-tool', {}), usage: USAGE }), /attempt#1$/],
    ['calls', withTool, /tg-1-1\/1 record$/],
  ] as const)('is settled if a stop comes between two %s', async (_what, answer, stopAt) => {
    const own = world({}, answer, stopAt);
    await say(own, 1);
    expect(own.simulation.modelCalls()).toBe(1);
    expect(await own.spend()).toMatchObject({ usd: ACTUAL_USD, tokens: 1_100 });
  });

  it('adds up over the signals of a turn', async () => {
    const own = world({}, withTool);
    await say(own, 1);
    expect((await own.evidence('tg-1-1/1')).decision?.attempt?.cost).toMatchObject({ turnUsd: 2 * ACTUAL_USD });
    expect(own.simulation.modelCalls()).toBe(2);
  });
});

describe('a cap that is met', () => {
  it.each([
    ['turn', 'is left for one task', 'BUDGET_TURN_USD'],
    ['session', 'is left for this conversation today', 'BUDGET_SESSION_USD'],
    ['day', 'is left for today', 'BUDGET_DAY_USD'],
  ] as const)('of the %s asks no model and says so', async (cap, words, setting) => {
    const own = world({ [`BUDGET_${cap.toUpperCase()}_USD`]: '0.000001' });
    await say(own, 1);
    expect(own.simulation.modelCalls()).toBe(0);
    expect(texts(own.simulation, '7')).toStrictEqual([
      expect.stringMatching(
        new RegExp(
          `^I did not ask a language model.*\\$0.000001 of \\$0.000001 ${words}, and this needs up to \\$[\\d.]+\\. The whole cap is smaller than one question may cost: /config set ${setting} <usd> raises it\\. /budget`,
        ),
      ),
    ]);
    const { record, decision } = await own.evidence('tg-1-1');
    expect([record?.state, decision?.outcome, decision?.attemptCount]).toStrictEqual(['refused', 'refuse', 0]);
    expect(decision?.reason).toMatch(/^over the budget: /);
  });

  it.each(['session', 'day'])('of the %s names its setting to the owner alone', async (cap) => {
    const own = world({ [`BUDGET_${cap.toUpperCase()}_USD`]: '0.000001' });
    const asked = { ...ownerMessage(own.space, 1, 'hi', '-7'), sender: { id: 'telegram:13', isApprover: false } };
    await own.simulation.accept(asked);
    await own.simulation.drain();
    const [text] = texts(own.simulation, '-7');
    expect(text).toContain('Only the owner can mend that.');
    expect(text).not.toContain('BUDGET');
  });

  it('in tokens stops free models too', async () => {
    const own = world({ ...providersOf(), BUDGET_DAY_TOKENS: '0' });
    await say(own, 1);
    // Nobody to ask costs no token.
    expect(own.simulation.modelCalls()).toBe(1);
    const free = world({
      ...providersOf({ name: 'free', baseUrl: 'http://127.0.0.1/v1', model: 'm' }),
      BUDGET_DAY_TOKENS: '100',
    });
    await say(free, 1);
    expect(free.simulation.modelCalls()).toBe(0);
    expect(texts(free.simulation, '7')[0]).toContain('100 tokens of 100 tokens are left for today');
  });

  it('ends a turn in the middle, visibly', async () => {
    const own = world({ BUDGET_TURN_USD: '0.4' }, () => ({
      ...callTool('list-memory', {}),
      usage: { inputTokens: 5_000, outputTokens: 1_000 },
    }));
    await say(own, 1);
    expect(own.simulation.modelCalls()).toBe(1);
    expect(texts(own.simulation, '7')).toStrictEqual([expect.stringContaining('$0.25 of $0.40 is left for one task')]);
    expect((await own.evidence('tg-1-1/1')).record?.state).toBe('refused');
    // The next turn has its own.
    await say(own, 2);
    expect(own.simulation.modelCalls()).toBe(2);
  });

  it('of a job stops it quietly after the first word, and nobody else', async () => {
    const own = world({ BUDGET_JOB_USD: '0.000001' });
    for (const slot of [1, 2, 3]) {
      const payload: Payload = { sensor: 'job-due', job: 'tidy', slot, text: [{ text: 'tidy up', origin: 'owner' }] };
      await own.simulation.accept({
        ...signalWith(own.space, `job-tidy-${slot}`, payload, '7', own.simulation.now()),
        session: 'job:tidy',
      });
      await own.simulation.drain();
      expect((await own.evidence(`job-tidy-${slot}`)).record?.state).toBe('refused');
    }
    expect(own.simulation.modelCalls()).toBe(0);
    expect(texts(own.simulation, '7')).toHaveLength(1);
    await say(own, 1);
    expect(texts(own.simulation, '7')).toHaveLength(2);
    expect(own.simulation.modelCalls()).toBe(1);
  });

  it('is told to the owner once a day, wherever it was met, and to people each time they write', async () => {
    const own = world({ BUDGET_DAY_USD: '0.000001', HOME_CHAT: '99' });
    for (const id of [1, 2, 3])
      expect((await own.evidence(await background(own, id, '99'))).record?.state).toBe('refused');
    expect(texts(own.simulation, '99')).toHaveLength(1);
    await say(own, 1);
    await say(own, 2);
    expect(texts(own.simulation, '7')).toHaveLength(2);
    expect(texts(own.simulation, '99')).toHaveLength(1);
    own.simulation.advance(DAY_MS);
    await say(own, 3);
    expect(texts(own.simulation, '7')).toHaveLength(3);
    expect(texts(own.simulation, '99')).toHaveLength(2);
    expect(own.simulation.modelCalls()).toBe(0);
    // Six questions, and an alarm counts each.
    expect(own.daysSpent()).toBe(6);
  });

  it('ends the turn that met it, though the home chat cannot be told yet', async () => {
    const own = world({ BUDGET_DAY_USD: '0.000001', HOME_CHAT: '99' }, plain, undefined, ({ to }) =>
      to === '99'
        ? { state: 'retry', reason: 'Telegram refuses the token' }
        : { state: 'done', output: '', origin: 'agent' },
    );
    await say(own, 1);
    expect(texts(own.simulation, '7')).toHaveLength(1);
    expect((await own.evidence('tg-1-1')).record?.state).toBe('refused');
  });

  it('begins anew with the day', async () => {
    const own = world({ BUDGET_DAY_USD: '0.4' }, () => ({
      content: 'Hello',
      usage: { inputTokens: 8_000, outputTokens: 800 },
    }));
    await say(own, 1);
    await say(own, 2);
    expect(own.simulation.modelCalls()).toBe(1);
    own.simulation.advance(DAY_MS);
    await say(own, 3);
    expect(own.simulation.modelCalls()).toBe(2);
  });

  it('is explained by /budget', async () => {
    const own = world({});
    await say(own, 1);
    await own.simulation.accept(
      signalWith(own.space, 'tg-1-9', { sensor: 'command', name: 'budget', rest: '' }, '7', own.simulation.now()),
    );
    await own.simulation.drain();
    expect(texts(own.simulation, '7').at(-1)).toMatch(
      /^Today \(\d{4}-\d\d-\d\d, UTC\): \$0\.\d+ of \$5\.00 committed, \$4\.\d+ left\.\nTokens today: [\d,]+ of 10,000,000\.\nThis conversation today: /,
    );
    expect(own.simulation.modelCalls()).toBe(1);
  });
});

describe('crashes and repeats', () => {
  /** Every model call of the space, as its evidence has it. */
  const costsOf = async (own: World, ids: readonly string[]) => {
    const costs = new Map<string, number>();
    for (const id of ids) {
      const page = await dynamo.table.query({ pk: signalKeys.partition(own.space, id), limit: 50 });
      if (page.items.length === 0) continue;
      const { attempts, decision } = await own.evidence(id);
      for (const attempt of [...attempts, ...(decision?.attempt === undefined ? [] : [decision.attempt])])
        if (attempt.cost !== undefined) costs.set(shortName(attempt.cost.id), attempt.cost.usd);
    }
    return costs;
  };

  it('never make the counter less than the calls that were made, nor more than their worst', async () => {
    for (let k = 1; k <= 40; k += 3) {
      const own = world({}, withTool);
      own.simulation.crashAt(k);
      await say(own, 1);
      await own.simulation.sweep(true);
      await own.simulation.drain();
      await say(own, 2, '7');
      const costs = await costsOf(own, ['tg-1-1', 'tg-1-1/1', 'tg-1-2', 'tg-1-2/1']);
      const booked = [...costs.values()].reduce((sum, usd) => sum + usd, 0);
      const spend = await own.spend();
      const open = sessionEntry(spend, 'telegram:7')?.open;
      const openBooked = open === undefined ? 0 : (costs.get(open.id) ?? 0);
      const settled = spend.usd - (open?.usd ?? 0) + openBooked;
      // A call whose outcome was lost counts at its worst: more than any that was settled.
      const lost = own.simulation.modelCalls() - costs.size;
      if (lost === 0 && settled !== booked) expect(settled - booked, `k=${k}`).toBeGreaterThan(ACTUAL_USD);
      else expect(settled, `k=${k}`).toBeGreaterThanOrEqual(booked + lost * ACTUAL_USD);
      if (own.simulation.crashes.length === 0) expect(settled, `k=${k}`).toBe(booked);
      expect(settled - booked, `k=${k}`).toBeLessThan(300_000);
    }
  });

  it('pays for a redelivered message once', async () => {
    const own = world({});
    await own.simulation.accept(ownerMessage(own.space, 1, 'hi'));
    const [perceive] = own.simulation.queue;
    if (perceive === undefined) throw new Error('nothing was published');
    await own.simulation.deliver(perceive);
    const reason = own.simulation.queue.find(({ stage }) => stage === 'reason');
    if (reason === undefined) throw new Error('nothing was published to reason');
    await own.simulation.deliver(reason);
    const once = (await own.spend()).usd;
    await own.simulation.deliver(reason);
    expect((await own.spend()).usd).toBe(once);
    expect(own.simulation.modelCalls()).toBe(1);
  });
});

describe('an effect that costs', () => {
  const COST = 250_000;
  const dollars = (usd: number) => String(usd / 1_000_000);
  const priced = (day: number) =>
    buildApprovalWorld(dynamo.table, {
      variables: {
        WEBHOOK_COSTS: 'deploys=0.25',
        BUDGET_DAY_USD: dollars(day),
        BUDGET_TURN_USD: dollars(day),
        BUDGET_SESSION_USD: dollars(day),
      },
    });
  const usdOf = async ({ space, simulation }: Pick<ReturnType<typeof priced>, 'space' | 'simulation'>) =>
    parseDaySpend((await dynamo.table.load([spendKey(space, simulation.now())], { isConsistent: true }))[0]).usd;

  it('is shown on its card, and paid for when it is claimed, once', async () => {
    const own = priced(5_000_000);
    const id = await own.say('deploy main');
    expect(own.texts().find((text) => /^Details \(waits for your yes until/m.test(text))).toContain(
      '\nCosts: $0.25; $5.00 is left for today\n',
    );
    expect(await usdOf(own)).toBe(0);
    await own.send(own.tapOf(await own.approvalOf(id), 'approve'));
    expect(own.calls()).toHaveLength(1);
    expect(await usdOf(own)).toBe(COST);
    expect((await own.evidence(id)).effects[0]).toMatchObject({ state: 'done', costUsd: COST });
  });

  it('is not even proposed where it does not fit', async () => {
    const own = priced(COST - 1);
    const id = await own.say('deploy main');
    const { decision } = await own.evidence(id);
    expect(decision?.outcome).toBe('refuse');
    expect(decision?.reason).toContain('costs $0.25, and $0.249999 of $0.249999 is left');
    expect(own.calls()).toHaveLength(0);
  });

  it('is refused in its claim when what was left has gone meanwhile', async () => {
    const own = priced(COST + 1);
    const first = await own.say('deploy main');
    const second = await own.say('deploy next', '8');
    await own.send(own.tapOf(await own.approvalOf(first), 'approve'));
    await own.send(own.tapOf(await own.approvalOf(second), 'approve', '8'));
    expect(own.calls()).toHaveLength(1);
    expect(await own.statesOf(second)).toStrictEqual(['refused']);
    expect((await own.evidence(second)).effects[0]?.reason).toContain(
      'costs $0.25, and $0.000001 of $0.250001 is left',
    );
    expect(await usdOf(own)).toBe(COST);
  });

  it('costs a retry nothing more', async () => {
    let tries = 0;
    const own = buildApprovalWorld(dynamo.table, {
      variables: { WEBHOOK_COSTS: 'deploys=0.25' },
      outside: (action) => {
        if (action.target !== 'webhook') return { state: 'done', output: '{"messageIds":[5]}', origin: 'agent' };
        tries += 1;
        return tries < 3 ? { state: 'retry', reason: 'busy' } : { state: 'done', output: '', origin: 'outside' };
      },
    });
    const id = await own.say('deploy main');
    await own.send(own.tapOf(await own.approvalOf(id), 'approve'));
    expect(tries).toBe(3);
    expect(await usdOf(own)).toBe(COST);
  });

  it('never goes over, whenever the process dies', async () => {
    for (let k = 1; k <= 14; k += 1) {
      const own = priced(COST);
      const id = await own.say('deploy main');
      const approvalId = await own.approvalOf(id);
      own.simulation.crashAt(k);
      await own.send(own.tapOf(approvalId, 'approve'));
      await own.simulation.sweep(true);
      await own.simulation.drain();
      expect(await usdOf(own), `k=${k}`).toBe(COST);
      expect(own.calls(), `k=${k}`).toHaveLength(1);
    }
  });

  it('says no costs where there are none', async () => {
    const own = buildApprovalWorld(dynamo.table);
    await own.say('deploy main');
    expect(own.texts().find((text) => /^Details \(waits for your yes until/m.test(text))).not.toContain('\nCosts: ');
  });
});
