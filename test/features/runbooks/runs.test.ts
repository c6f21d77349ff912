/**
 * Runs of runbooks through the real stages: each step is an action like any other, and a run ends
 * visibly, whatever its steps come to.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signalKeys } from '../../../lib/core/store/keys.ts';
import { callTool } from '../../flow/adversity-world.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { signalWith } from '../../support/simulation.ts';
import { buildRunbookWorld, RUN, type RunbookWorld, withSteps } from './runbook-world.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

const outcomeOf = async ({ load }: RunbookWorld) => {
  const { state, why } = await load();
  return why === undefined ? state : `${state}: ${why}`;
};

describe('a run', () => {
  it('performs its steps in order, with what earlier ones gave, and says that it is done', async () => {
    const text = withSteps(
      '{ id: sum, tool: calculate, args: { expression: "6 * 7" } }',
      '{ text: "{{inputs.service}}: {{steps.sum.output}}" }',
      '{ if: "steps.sum.data === 41", text: Wrong }',
      '{ if: "steps.sum.data === 42 && steps.sum.isNew", text: Right }',
    );
    const world = buildRunbookWorld(dynamo.table);
    await world.start(text);
    expect(await outcomeOf(world)).toBe('done');
    expect(world.texts()).toStrictEqual(['shop: 42', 'Right', 'The runbook test is done: 3 steps.']);
    expect(await world.steps(text)).toStrictEqual(['1 done', '2 done', '4 done']);
    expect(world.simulation.modelCalls()).toBe(0);
  });

  it('sends a text to a webhook by its name, after the yes that a call of it needs', async () => {
    const text = withSteps(
      '{ id: sent, tool: send-message, args: { to: deployer, text: "{{inputs.service}} is up" } }',
    );
    const world = buildRunbookWorld(dynamo.table);
    await world.start(text.replace('tools: [', 'tools: [send-message, '));
    expect((await world.card())?.action).toMatchObject({
      tool: 'call-webhook',
      to: 'deployer',
      args: { webhook: 'deployer', body: { text: 'shop is up' } },
    });
    await world.tap('approve');
    expect(await outcomeOf(world)).toBe('done');
    expect(world.calls()).toHaveLength(1);
  });

  it('goes through a list, and within it', async () => {
    const text = withSteps(
      `{ id: list, tool: calculate, args: { expression: "JSON.stringify([['a','b'],[],['c']])" } }`,
      'each: steps.list.data\n    steps:\n      - { each: item, steps: [{ text: "{{item}}" }] }',
      '{ text: End }',
    );
    const world = buildRunbookWorld(dynamo.table);
    await world.start(text);
    expect([await outcomeOf(world), ...world.texts().slice(0, -1)]).toStrictEqual(['done', 'a', 'b', 'c', 'End']);
  });

  it('waits for its time, and for a person', async () => {
    const text = withSteps(
      '{ wait: 3m }',
      '{ id: ok, ask: "Deploy {{inputs.service}}?" }',
      '{ text: "{{steps.ok.output}}" }',
    );
    const world = buildRunbookWorld(dynamo.table);
    await world.start(text);
    await world.minutes(2);
    expect(await outcomeOf(world)).toBe('waiting');
    await world.minutes(1);
    expect(await outcomeOf(world)).toBe('running');
    expect(world.texts()).toStrictEqual([expect.stringContaining('Deploy shop?')]);
    await world.tap('approve');
    expect(await outcomeOf(world)).toBe('done');
    expect(world.texts()).toContain('yes');
  });

  it.each([
    ['a person says no', 'deny', 'failed: step 1 was not done: a person denied it'],
    ['nobody answers', 'none', 'failed: step 1 was not done: nobody approved it in time'],
  ] as const)('ends when %s', async (_name, decision, outcome) => {
    const world = buildRunbookWorld(dynamo.table);
    await world.start(withSteps('{ ask: Shall I? }', '{ text: Yes }'));
    if (decision === 'deny') await world.tap('deny');
    else await world.minutes(62);
    expect(await outcomeOf(world)).toBe(outcome);
    expect(world.texts()).not.toContain('Yes');
    expect(world.texts().at(-1)).toMatch(/^The runbook test failed: step 1 was not done/);
  });

  it('asks the model once, which sees the question and its material alone', async () => {
    const prompts: string[] = [];
    const text = withSteps(
      '{ id: sum, tool: calculate, args: { expression: "42" } }',
      '{ id: words, model: Say it in words., with: "{{steps.sum.output}}" }',
      '{ text: "{{steps.words.output}}" }',
    );
    const world = buildRunbookWorld(dynamo.table, {
      answer: ({ messages, tools }) => {
        prompts.push(
          `${tools.map((tool) => tool.function.name).join()} ${messages.map(({ content }) => content).join('\n')}`,
        );
        return callTool('give-answer', { text: 'Forty-two' });
      },
    });
    await world.start(text);
    expect(await outcomeOf(world)).toBe('done');
    expect(world.texts()).toStrictEqual(['Forty-two', 'The runbook test is done: 3 steps.']);
    expect(prompts).toStrictEqual([expect.stringMatching(/^give-answer [\s\S]*Say it in words\.[\s\S]*42/)]);
  });
});

describe('a step that fails', () => {
  const failing = (times: number) => {
    let calls = 0;
    return buildRunbookWorld(dynamo.table, {
      outside: ({ target, args }) => {
        if (target !== 'webhook')
          return { state: 'done', output: JSON.stringify({ messageIds: [5] }), origin: 'agent' };
        if (JSON.stringify(args).includes('undo'))
          return { state: 'done', output: '{"status":200,"body":""}', origin: 'outside' };
        calls += 1;
        return calls <= times
          ? { state: 'failed', reason: 'it is away' }
          : { state: 'done', output: '{"status":200,"body":"ok"}', origin: 'outside' };
      },
    });
  };
  const approveAll = async (world: RunbookWorld): Promise<void> => {
    for (let n = 0; n < 12; n += 1) {
      if ((await world.pending()).length > 0) await world.tap('approve');
      await world.minutes(1);
    }
  };

  it.each([
    ['is tried again', 'retry: 2, wait: 1m', 2, 'done', ['3 done', '4 done'], ['End']],
    ['is given up', 'retry: 1, wait: 1m', 9, 'failed: step 3 was not done: it is away', ['3 failed'], []],
    ['is skipped', 'then: skip', 9, 'done: step 3 was not done: it is away', ['3 failed', '4 done'], ['End']],
    [
      'has the steps before taken back',
      'then: undo',
      9,
      'failed: step 3 was not done: it is away; what it had done was taken back',
      ['3 failed'],
      [],
    ],
  ] as const)('%s', async (_name, ifFails, times, outcome, steps, texts) => {
    const text = withSteps(
      '{ tool: remember, args: { text: one }, undo: { webhook: deployer, body: { undo: one } } }',
      '{ tool: calculate, args: { expression: "1" } }',
      `{ webhook: deployer, body: { n: 1 }, if-fails: { ${ifFails} } }`,
      '{ text: End }',
    );
    const world = failing(times);
    await world.start(text);
    await approveAll(world);
    expect(await outcomeOf(world)).toBe(outcome);
    const first = ifFails === 'then: undo' ? '1 undone' : '1 done';
    expect(await world.steps(text)).toStrictEqual([first, '2 done', ...steps]);
    expect(world.texts().filter((one) => one === 'End')).toStrictEqual(texts);
    expect(world.calls()).toHaveLength(outcome === 'done' && times < 9 ? 1 : ifFails === 'then: undo' ? 1 : 0);
  });

  it('may have been done, and says nothing else', async () => {
    const world = buildRunbookWorld(dynamo.table, {
      outside: () => ({ state: 'unknown', reason: 'no answer came back' }),
    });
    await world.start(withSteps('{ webhook: deployer }'));
    await world.tap('approve');
    expect(await outcomeOf(world)).toBe('failed: step 1 has an unknown outcome: no answer came back');
  });

  it('takes too long, and its card is closed', async () => {
    const world = failing(0);
    await world.start(withSteps('{ ask: Shall I?, time-limit: 10m, if-fails: { then: skip } }', '{ text: End }'));
    await world.minutes(20);
    expect(await outcomeOf(world)).toBe('done: step 1 was not done: nobody approved it in time');
    expect(await world.pending()).toStrictEqual([]);
    expect(world.texts()).toContain('End');
  });

  it('names a value that is not there', async () => {
    const world = failing(0);
    await world.start(withSteps('{ id: a, if: "false", text: A }', '{ text: "{{steps.a.data}}" }'));
    expect(await outcomeOf(world)).toBe(
      'failed: step 2 was not done: it names {{steps.a.data}}, and there is no such value in this run',
    );
  });
});

describe('forgetting', () => {
  it('erases a note that a step showed from every signal of the run', async () => {
    const WORDS = 'violet bicycle';
    const text = withSteps(
      '{ id: notes, tool: recall, args: { query: bicycle } }',
      '{ id: words, model: Say it in words., with: "{{steps.notes.output}}" }',
      '{ wait: 1m }',
      '{ text: "{{steps.words.output}} {{steps.notes.output}}" }',
      '{ ask: "Is {{steps.words.output}} right?" }',
    );
    const world = buildRunbookWorld(dynamo.table, {
      answer: () => callTool('give-answer', { text: `A ${WORDS}.` }),
    });
    const { simulation, space } = world;
    const command = async (id: string, name: string, rest: string) => {
      await simulation.accept(signalWith(space, id, { sensor: 'command', name, rest }, '7', simulation.now()));
      await simulation.drain();
    };
    await command('tg-1-1', 'remember', `I have a ${WORDS}.`);
    await world.start(text, { reply: { target: 'console', to: 'main' } });
    await world.minutes(2);
    const { items } = await dynamo.table.query({ pk: `memory#${space}`, skPrefix: 'object#' });
    const note = items.map(({ sk }) => String(sk).slice('object#'.length)).find((id) => /^[0-9a-f]{32}$/.test(id));
    const { n } = await world.load();
    const readRun = async () => {
      const ids = Array.from({ length: n + 2 }, (_, step) => [`${RUN}/s${step}`, `${RUN}/s${step}/q`]).flat();
      const found = await Promise.all(
        [RUN, ...ids].map((id) => dynamo.table.query({ pk: signalKeys.partition(space, id) })),
      );
      return JSON.stringify([found, await world.load()]);
    };
    expect(await readRun()).toContain(WORDS);
    await command('tg-1-2', 'forget', String(note));
    expect(await readRun()).not.toContain(WORDS);
    // What the run has not used yet is gone too, and no later step brings it back.
    await world.tap('approve', false);
    expect(await readRun()).not.toContain(WORDS);
  });
});
