/**
 * Keys that are refused, over the whole real stack: background work asks nobody any more, people
 * still may, and the owner hears of it once.
 */

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LlmError, type ProviderFault } from '../../lib/core/base/errors.ts';
import { PROVIDER_UNWELL_MS } from '../../lib/core/base/limits.ts';
import { findFaults } from '../../lib/core/llm/provider-cures.ts';
import { loadLatestSpend, spendKey } from '../../lib/core/money/day-spend.ts';
import type { Payload } from '../../lib/core/signal/signal.ts';
import type { LoadedTurn } from '../../lib/core/stages/reason/load-turn.ts';
import { tellRefusedEmbeddings, tellRefusedKeys } from '../../lib/core/stages/reason/refuse-failed.ts';
import type { Budget } from '../../lib/core/stages/spending.ts';
import type { Item } from '../../lib/core/store/table.ts';
import type { SignalView } from '../../lib/core/verbs/signals/view.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { inEnglish } from '../support/findings.ts';
import { type ScriptedAnswer, say, startModelServer } from '../support/model-server.ts';
import { buildSimulation, ownerMessage, providersOf, signalWith } from '../support/simulation.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { evidenceOf, newSpace } from './adversity-world.ts';

const FAILED = expect.stringMatching(/^no language model answered: one: failed: /);
const REASON = 'every provider refused its key or has no credit left, and nobody waits for this';

describe('on the real stack', () => {
  const SECRET = `whsec_${Buffer.from('a secret of the tests, 32 bytes.').toString('base64')}`;
  let world: TestStack;
  let answer: (model: string) => ScriptedAnswer = () => ({ kind: 'status', status: 401 });
  beforeAll(async () => {
    const model = await startModelServer((request) => answer(request.model));
    const endpoint = (name: string) => ({ baseUrl: model.baseUrl, model: name, prices: { prompt: 1, completion: 2 } });
    world = await startTestStack({
      model,
      isPolling: false,
      environment: {
        PROVIDERS: JSON.stringify({ one: endpoint('one-model'), two: endpoint('two-model') }),
        PROVIDER_KEYS: '{"one": "key-of-one-123", "two": "key-of-two-123"}',
        PROVIDER_CASCADE: 'one,two',
        OPENAI_BASE_URL: undefined,
        EVENTS_WITHOUT_JOB: 'ask',
        WEBHOOK_SECRETS: JSON.stringify({ shop: SECRET }),
      },
    });
  });
  afterAll(async () => {
    await world?.stop();
    await world?.model.close();
  });

  let events = 0;
  const event = async (): Promise<SignalView> => {
    events += 1;
    const id = `evt_${events}`;
    const body = JSON.stringify({ type: 'sale', timestamp: '2026-11-22T00:00:00Z', data: { n: events } });
    const at = new Date();
    const response = await fetch(`${world.stack.url}/webhook/shop`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(SECRET).sign(id, at, body),
      },
      body,
    });
    expect(response.status).toBe(202);
    return world.settled(((await response.json()) as { id: string }).id);
  };
  const talk = async (text: string): Promise<SignalView> => {
    const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text });
    return world.settled(body.id);
  };

  it('ends webhooks without asking, with the reason in their record, until a person finds a key that works', async () => {
    const first = await event();
    expect([first.state, world.model.requests.length]).toStrictEqual(['refused', 2]);
    const said = JSON.stringify(first);
    expect(said).toContain('The provider one refuses the key. I ask the others first');
    expect(said).toContain(
      'The provider two refuses the key, and no other is left to ask. Until one answers, webhooks',
    );

    const second = await event();
    expect([second.state, second.decision?.reason, world.model.requests.length]).toStrictEqual(['refused', REASON, 2]);
    expect(JSON.stringify(second.effects)).not.toContain('refuses my key.');

    // A person is worth a try, told plainly and not a second time about the keys.
    const asked = await talk('hello');
    expect(world.model.requests).toHaveLength(4);
    const refusal = (name: string) =>
      `Attention: the model provider ${name} (${name}-model) refuses the key: put a valid one in PROVIDER_KEYS (infra/operating.md#rotate-a-secret).`;
    expect(asked.replies).toStrictEqual([
      `No language model could answer just now, so nothing was done. ${refusal('one')} ${refusal('two')} Details: /why ${asked.id}`,
    ]);
    expect((await event()).decision?.reason).toBe(REASON);
    expect(world.model.requests).toHaveLength(4);

    answer = (model) => (model === 'two-model' ? say('Hello again.') : { kind: 'status', status: 402 });
    expect((await talk('and now?')).replies[0]).toBe('Hello again.');
    const before = world.model.requests.length;
    expect((await event()).state).toBe('acted');
    expect(world.model.requests.length).toBeGreaterThan(before);
  });
});

describe('through the stages', () => {
  let dynamo: TestDynamo;
  beforeAll(async () => {
    dynamo = await startDynamo();
  });
  afterAll(() => dynamo?.stop());

  const HOUR_MS = 3_600_000;
  const provider = { name: 'one', baseUrl: 'http://127.0.0.1/v1', model: 'm' };
  const build = () => {
    const space = newSpace();
    const state: { fault: ProviderFault | undefined } = { fault: 'billing' };
    const simulation = buildSimulation({
      table: dynamo.table,
      space,
      answer: () => ({}),
      ask: async () => {
        if (state.fault !== undefined)
          throw new LlmError('scripted', ['one'], ['one: failed'], false, [], [{ place: 0, fault: state.fault }]);
        const answer = { content: 'Done.', toolCalls: [], model: 'm' };
        return { provider: 'one', model: 'm', answer, index: 0, billed: [], failures: [] };
      },
      variables: { ...providersOf(provider), HOME_CHAT: '99' },
    });
    const job = async (slot: number) => {
      const id = `job-tidy-${slot}`;
      const payload: Payload = { sensor: 'job-due', job: 'tidy', slot, text: [{ text: 'tidy up', origin: 'owner' }] };
      await simulation.accept({ ...signalWith(space, id, payload, '7', simulation.now()), session: 'job:tidy' });
      await simulation.drain();
      const { record, decision } = await evidenceOf(dynamo.table, space, id);
      return [record?.state, decision?.reason];
    };
    const told = (chat: string) => simulation.sent.filter(({ to }) => to === chat).map(({ text }) => text);
    return { space, state, simulation, job, told };
  };

  it('tries a job again when the time is over, and works on all of them once that went well', async () => {
    const { state, simulation, job, told } = build();
    expect(await job(1)).toStrictEqual(['refused', FAILED]);
    for (const slot of [2, 3, 4]) expect(await job(slot)).toStrictEqual(['refused', REASON]);
    expect(simulation.modelCalls()).toBe(1);
    expect(told('99')).toStrictEqual([
      expect.stringMatching(/^The provider one has no credit left, and no other is left to ask/),
    ]);
    simulation.advance(PROVIDER_UNWELL_MS + 1);
    expect(await job(5)).toStrictEqual(['refused', FAILED]);
    expect(await job(6)).toStrictEqual(['refused', REASON]);
    simulation.advance(PROVIDER_UNWELL_MS + 1);
    state.fault = undefined;
    expect(await job(7)).toStrictEqual(['acted', '']);
    expect(await job(8)).toStrictEqual(['acted', '']);
    expect(told('99')).toHaveLength(1);
  });

  it('leaves everybody free to ask for what failed in another way', async () => {
    const { state, simulation, job } = build();
    state.fault = 'model';
    for (const slot of [1, 2]) expect(await job(slot)).toStrictEqual(['refused', FAILED]);
    expect(simulation.modelCalls()).toBe(2);
  });

  it('asks nobody about a failure, and says so to whoever wrote', async () => {
    const { space, simulation, told } = build();
    await simulation.accept(ownerMessage(space, 1, 'hi', '7', simulation.now()));
    await simulation.drain();
    expect(simulation.modelCalls()).toBe(1);
    const payload: Payload = { sensor: 'loop-error', stage: 'act', message: 'it broke' };
    const failure = signalWith(space, 'tg-1-1/e', payload, '7', simulation.now());
    await simulation.accept({ ...failure, root: 'tg-1-1', depth: 1 });
    await simulation.drain();
    expect((await evidenceOf(dynamo.table, space, 'tg-1-1/e')).decision?.reason).toBe(REASON);
    expect(simulation.modelCalls()).toBe(1);
    expect(told('7').at(-1)).toMatch(/^I did not work on this, because every provider refuses my key/);
  });

  it('names the setting to the owner alone, and to nobody in a group', async () => {
    const { space, state, simulation, told } = build();
    state.fault = 'auth';
    const plain =
      /^No language model could answer just now, so nothing was done. Only the owner can mend that. Details/;
    const ask = async (n: number, chat: string, isApprover: boolean) => {
      const signal = ownerMessage(space, n, 'hi', chat, simulation.now());
      await simulation.accept({ ...signal, sender: { ...signal.sender, isApprover } });
      await simulation.drain();
      return told(chat).filter((text) => text.startsWith('No language model'));
    };
    expect(await ask(1, '7', true)).toStrictEqual([
      expect.stringContaining(
        'the model provider one refuses the key: put a valid one in PROVIDER_KEYS (infra/operating.md#rotate-a-secret).',
      ),
    ]);
    expect(await ask(2, '8', false)).toStrictEqual([expect.stringMatching(plain)]);
    expect(await ask(3, '-9', true)).toStrictEqual([expect.stringMatching(plain)]);
    state.fault = 'answer';
    expect(await ask(4, '10', true)).toStrictEqual([expect.not.stringContaining('Please try again')]);
    state.fault = 'unknown';
    expect(await ask(5, '11', true)).toStrictEqual([expect.stringContaining('Please try again in a while.')]);
  });

  it('says that nobody is left beside the last one it had not told of, whichever is asked last', async () => {
    const signal = ownerMessage(newSpace(), 1, 'hi');
    const owner = { table: dynamo.table, budget: { homeChat: '99' } as Budget, now: () => signal.receivedAt };
    const [one, two] = [provider, { ...provider, name: 'two' }];
    const tell = async (n: number, order: readonly (typeof one)[], faults: readonly ProviderFault[]) => {
      const troubles = faults.map((fault, place) => ({ place, fault }));
      const record = { signal: { ...signal, id: `tg-1-${n}` } } as LoadedTurn['record'];
      const turn = { record, root: { record, payload: signal.payload }, asker: 'member' } as const;
      const told = await tellRefusedKeys({ deps: owner, turn }, order, troubles);
      return told.map(({ template }) => template);
    };
    expect(await tell(1, [one, two], ['auth', 'down'])).toStrictEqual(['provider-refused']);
    expect(await tell(2, [two, one], ['billing', 'auth'])).toStrictEqual(['every-key-refused']);
    expect(await tell(3, [one, two], ['auth', 'billing'])).toStrictEqual([]);
  });

  it('tells of the key for vectors once, at home or to the first person who writes, and never of one that was mended', async () => {
    const tell = (homeChat: string, payload: Payload, item: Item, n = 1) => {
      const signal = { ...ownerMessage('vectors', n, 'hi'), payload };
      const record = { signal } as LoadedTurn['record'];
      const turn = { record, root: { record, payload }, spending: { item } as never };
      const deps = { table: dynamo.table, budget: { homeChat } as Budget, now: () => signal.receivedAt };
      return tellRefusedEmbeddings(deps, turn);
    };
    const { receivedAt, payload: said } = ownerMessage('vectors', 1, 'hi');
    const refused = { r_embeddings: receivedAt + 1 };
    const job: Payload = { sensor: 'job-due', job: 'tidy', slot: 1, text: [{ text: 'tidy up', origin: 'owner' }] };
    expect(await tell('', said, {})).toStrictEqual([]);
    expect(await tell('', said, { r_embeddings: receivedAt })).toStrictEqual([]);
    expect(await tell('', job, refused)).toStrictEqual([]);
    expect(await tell('', said, refused)).toMatchObject([{ template: 'embeddings-refused' }]);
    // The same delivery again says the same; another turn nothing, whatever it has read.
    expect(await tell('', said, { ...refused, told_embeddings: 'tg-1-1' })).toHaveLength(1);
    expect(await tell('99', job, refused, 2)).toStrictEqual([]);
    expect(await tell('99', said, { ...refused, told_embeddings: 'tg-1-1' }, 3)).toStrictEqual([]);
  });

  it('begins anew with the day', async () => {
    const { space, state, simulation, job } = build();
    await job(1);
    const [item] = await dynamo.table.load([spendKey(space, simulation.now())], { isConsistent: true });
    expect(Object.keys(item ?? {}).filter((name) => name.startsWith('r_'))).toHaveLength(1);
    simulation.advance(24 * HOUR_MS);
    // Nobody has answered since, so midnight mends nothing.
    const known = async () =>
      inEnglish(findFaults(await loadLatestSpend(dynamo.table, space, simulation.now()), simulation.now()));
    expect(await known()).toStrictEqual([expect.stringMatching(/^the model provider one \(m\) has no credit left/)]);
    await simulation.accept(
      signalWith(space, 'tg-1-50', { sensor: 'command', name: 'status', rest: '' }, '7', simulation.now()),
    );
    await simulation.drain();
    expect(simulation.sent.at(-1)?.text).toContain('Attention: the model provider one (m) has no credit left');
    expect(await job(2)).toStrictEqual(['refused', FAILED]);
    simulation.advance(24 * HOUR_MS);
    state.fault = undefined;
    expect(await job(3)).toStrictEqual(['acted', '']);
    expect(await known()).toStrictEqual([]);
  });
});
