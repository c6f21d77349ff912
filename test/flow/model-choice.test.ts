/**
 * `/model` and `/cost` through the stages over the real table: who may, what is kept, what is said.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { parseDecision } from '../../lib/core/ledger/ledger.ts';
import { spendKey } from '../../lib/core/money/day-spend.ts';
import type { Payload, Signal } from '../../lib/core/signal/signal.ts';
import { sessionKey, signalKeys } from '../../lib/core/store/keys.ts';
import { startDynamo } from '../support/dynamo.ts';
import { buildSimulation, OPENAI, ownerMessage, signalWith } from '../support/simulation.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

let spaces = 0;
const world = () => {
  spaces += 1;
  const space = `choice-${spaces}`;
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: () => ({ content: 'Yes.', usage: { inputTokens: 1_000, outputTokens: 100 } }),
    variables: { ...OPENAI, PROVIDER_CASCADE: 'openai:gpt-6-luna' },
  });
  let n = 100;
  const say = async (name: string, rest: string, change: Partial<Signal> = {}) => {
    n += 1;
    await simulation.accept({
      ...signalWith(space, `tg-1-${n}`, { sensor: 'command', name, rest }, '7', 1_790_000_000_000 + n),
      ...change,
    });
    await simulation.drain();
    return simulation.sent.at(-1)?.text ?? '';
  };
  const head = async () => (await dynamo.table.load([sessionKey(space, 'telegram:7')], { isConsistent: true }))[0];
  return { space, simulation, say, head };
};
const STRANGER = { sender: { id: 'telegram:9', isApprover: false } };

describe('/model', () => {
  it('is set by an approver, kept on the conversation with who and when, and shown', async () => {
    const { say, head } = world();
    expect(await say('model', '')).toBe(
      'The model for this conversation: auto. An approver can change it: /model auto, cognition, reasoning or <provider>/<model>. Configured, in the order they are asked: openai/gpt-6-luna.',
    );
    expect(await say('model', 'openai/gpt-6-sol')).toMatch(
      /^From now on the model for this conversation is openai\/gpt-6-sol\./,
    );
    expect(await head()).toMatchObject({
      model: 'openai/gpt-6-sol',
      modelBy: 'telegram:7',
      modelAt: 1_790_000_000_102,
    });
    expect(await say('model', '')).toMatch(/: openai\/gpt-6-sol\./);
  });

  it('is refused to anybody else, and to what is no choice', async () => {
    const { say, head } = world();
    expect(await say('model', 'reasoning', STRANGER)).toBe('Only an approver can give the command /model.');
    expect(await say('model', 'the best one')).toBe(
      'Nothing was changed: it must be auto, cognition, reasoning or <provider>/<model>.',
    );
    expect((await head())?.model).toBeUndefined();
  });

  it('takes the spelling of PROVIDER_CASCADE, and no provider that is not configured', async () => {
    const { say, head } = world();
    expect(await say('model', 'openai:gpt-6-sol')).toContain('is openai/gpt-6-sol.');
    expect(await say('model', 'opneai/gpt-6-sol')).toBe(
      'Nothing was changed: the provider opneai is not configured; these are: openai/gpt-6-luna.',
    );
    expect((await head())?.model).toBe('openai/gpt-6-sol');
  });

  it('keeps the last word where an older one comes late', async () => {
    const { say, head } = world();
    await say('model', 'reasoning', { receivedAt: 1_790_000_000_900 });
    await say('model', 'cognition', { receivedAt: 1_790_000_000_800 });
    expect((await head())?.model).toBe('reasoning');
  });
});

describe('/cost', () => {
  it('says what a day, a week and a conversation cost, by the attempts stored', async () => {
    const { space, simulation, say } = world();
    await simulation.accept(ownerMessage(space, 1, 'hello'));
    await simulation.drain();
    await simulation.accept(ownerMessage(space, 2, 'hello again'));
    await simulation.drain();
    const yesterday = spendKey(space, simulation.now() - 24 * 3_600_000);
    await dynamo.table.put(yesterday, {
      schemaVersion: 1,
      usd: 2_000_000,
      tokens: 7,
      savedByTier: 6_000_000,
      savedByCache: 1,
    });
    // Each: 1,000 tokens at $0.125 a million, and 100 at $0.50.
    expect((await say('cost', 'session')).split('\n')).toStrictEqual([
      expect.stringMatching(
        /^This conversation today: (\$0\.00\d+); all of it since 2026-09-21: \1\. By model, its last 2 tasks, since 2026-09-21 \d\d:\d\d UTC:$/,
      ),
      'test/test: 2 calls, 2200 tokens (0 % of the prompts from its cache), $0.00035',
      "Saved: $0.00 (0 %) by asking small models, $0.00 (0 %) by the providers' caches.",
    ]);
    const week = (await say('cost', 'week')).split('\n');
    expect(week).toHaveLength(9);
    expect(week[1]).toBe('2026-09-20: $2.00, 7 tokens');
    expect(week[7]).toMatch(/^All 7 days: \$2\.00\d+, \d+ tokens$/);
    expect(week[8]).toMatch(/^Saved: \$6\.00 \(75 %\) by asking small models, \$0\.000001 \(0 %\)/);
    expect((await say('cost', '')).split('\n')).toHaveLength(2);
    expect(await say('cost', 'year')).toMatch(
      /^That cannot be shown: period .*\nThe form: \/cost \[day \| week \| session \| job \[name\]\]\.$/,
    );
    expect(simulation.modelCalls()).toBe(2);
  });

  it('says what a job cost, whose calls are counted under its name', async () => {
    const { space, simulation, say } = world();
    const payload: Payload = { sensor: 'job-due', job: 'tidy', slot: 1, text: [{ text: 'tidy', origin: 'owner' }] };
    const due = signalWith(space, 'job-tidy-1', payload, '7', simulation.now());
    await simulation.accept({ ...due, session: 'job:tidy' });
    await simulation.drain();
    const spent = /^The job tidy today: (\$0\.00\d+)$/.exec((await say('cost', 'job tidy')).split('\n')[0] ?? '');
    expect(spent).not.toBeNull();
    expect(await say('cost', 'job')).toBe(
      `Jobs today (1; /cost job <name> for one): ${spent?.[1]}\nAll 7 days: ${spent?.[1]}`,
    );
    expect(await say('cost', 'job other')).toBe(
      'That cannot be shown: there is no job other; /jobs lists those there are.',
    );
  });
});

describe('the tier of a question', () => {
  const tierOf = async (dayUsd: string) => {
    spaces += 1;
    const space = `tier-${spaces}`;
    const simulation = buildSimulation({
      table: dynamo.table,
      space,
      answer: () => ({ content: 'Yes.', usage: { inputTokens: 1_000, outputTokens: 100 } }),
      variables: { ...OPENAI, BUDGET_DAY_USD: dayUsd },
    });
    await simulation.accept(ownerMessage(space, 1, 'Compare tea and coffee.'));
    await simulation.drain();
    const [item] = await dynamo.table.load([signalKeys.decision(space, 'tg-1-1')], { isConsistent: true });
    const attempt = item === undefined ? undefined : parseDecision('tg-1-1', item).attempt;
    return [attempt?.tier, attempt?.tierBecause];
  };

  it('is the small model where the budget has no room for the large one, and none where it has for neither', async () => {
    expect(await tierOf('1')).toStrictEqual(['reasoning', 'the question asks to think it through']);
    expect(await tierOf('0.005')).toStrictEqual(['cognition', 'the budget has no room for the large model']);
    expect(await tierOf('0.00001')).toStrictEqual([undefined, undefined]);
  });
});
