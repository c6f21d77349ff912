/**
 * A model that proposes what the gates forbid: told why, asked again, and in the end refused in
 * plain words.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { ATTEMPTS_MAX } from '../../lib/core/base/limits.ts';
import type { Prompt } from '../../lib/core/prompt/build-prompt.ts';
import { startDynamo } from '../support/dynamo.ts';
import { type Answer, buildSimulation, ownerMessage } from '../support/simulation.ts';
import { callTool, evidenceOf, newSpace } from './adversity-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

// Put together here, so that no scanner takes this file for a leak.
const KEY = ['AKIA', 'IOSFODNN7', 'EXQMPLA'].join('');

const forbidden: readonly (readonly [name: string, answer: Answer, gate: string])[] = [
  ['an unknown tool', callTool('run-shell', { command: 'rm -fr /' }), 'permissions'],
  ['a webhook nobody configured', callTool('call-webhook', { webhook: 'evil', body: {} }), 'network'],
  ['a webhook that every object has', callTool('call-webhook', { webhook: 'constructor', body: {} }), 'network'],
  ['a tool without an explanation', callTool('remember', { text: 'tea' }, ''), 'explanation'],
  ['a tool with a stock explanation', callTool('remember', { text: 'tea' }, 'No explanation given.'), 'explanation'],
  ['a key in a reply', { content: `the key is ${KEY}` }, 'secret-formats'],
  ['a key in an argument', callTool('remember', { text: `keep ${KEY}` }), 'secret-formats'],
  ['arguments that do not fit', callTool('remember', { txet: 'tea' }), 'tool-arguments'],
];

const play = async (answer: (prompt: Prompt, n: number) => Answer) => {
  const space = newSpace();
  const prompts: Prompt[] = [];
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: (prompt) => {
      prompts.push(prompt);
      return answer(prompt, prompts.length);
    },
  });
  await simulation.accept(ownerMessage(space, 1, 'please do it'));
  await simulation.drain();
  return { space, prompts, simulation, evidence: await evidenceOf(dynamo.table, space, 'tg-1-1') };
};

const blocksOf = (judged: Awaited<ReturnType<typeof play>>['evidence']['attempts'][number]['judged']) =>
  judged.flatMap(({ trace }) => trace.filter(({ verdict }) => verdict === 'block').map(({ gate }) => gate));

describe('a blocked action proposed three times', () => {
  it.each(forbidden)('ends in a plain refusal and nothing else: %s', async (_name, answer, gate) => {
    const { prompts, simulation, evidence } = await play(() => answer);
    expect(prompts).toHaveLength(ATTEMPTS_MAX);
    expect(evidence.record?.state).toBe('refused');
    expect(evidence.decision).toMatchObject({ outcome: 'refuse', attemptCount: ATTEMPTS_MAX });
    // Two attempts are items of their own, the last is kept with the decision: three in all, each
    // with its whole trace.
    const attempts = [
      ...evidence.attempts,
      ...(evidence.decision?.attempt === undefined ? [] : [evidence.decision.attempt]),
    ];
    expect(attempts.map(({ n }) => n)).toStrictEqual([1, 2, 3]);
    for (const attempt of attempts) {
      expect(attempt.proposal).toBeDefined();
      expect(blocksOf(attempt.judged)).toStrictEqual([gate]);
    }
    expect(simulation.sent).toHaveLength(1);
    expect(simulation.sent[0]?.text).toMatch(/^I could not do that/);
    expect(simulation.sent[0]?.text).not.toContain(KEY);
    expect(evidence.effects.map(({ n, state, actuator }) => ({ n, state, actuator }))).toStrictEqual([
      { n: 0, state: 'done', actuator: 'telegram' },
    ]);
    expect(evidence.decision?.actions.map(({ action }) => action.author)).toStrictEqual(['code']);
    const { items } = await dynamo.table.query({ pk: `memory#${evidence.record?.signal.space}` });
    expect(items).toStrictEqual([]);
  });

  it('shows each rejection to the next attempt, and none to the first', async () => {
    const { prompts, evidence } = await play(() => callTool('run-shell', { command: 'true' }));
    const reason = evidence.attempts[0]?.judged[0]?.trace.find(({ verdict }) => verdict === 'block')?.reason ?? '';
    expect(reason).not.toBe('');
    const shown = prompts.map((prompt) => JSON.stringify(prompt.messages));
    expect(shown.map((text) => /rejected \(attempt (\d) of 3\)/.exec(text)?.[1])).toStrictEqual([undefined, '1', '2']);
    expect(shown.map((text) => text.includes(reason))).toStrictEqual([false, true, true]);
  });

  it('accepts a correction on the second attempt, and keeps the first as evidence', async () => {
    const { simulation, evidence, prompts } = await play((_prompt, n) =>
      n === 1 ? callTool('run-shell', { command: 'true' }) : { content: 'I cannot run commands, sorry.' },
    );
    expect(prompts).toHaveLength(2);
    expect(simulation.sent.map(({ text }) => text)).toStrictEqual(['I cannot run commands, sorry.']);
    expect(evidence.record?.state).toBe('acted');
    expect(evidence.decision).toMatchObject({ outcome: 'act', attemptCount: 2 });
    expect(evidence.attempts.map(({ n }) => n)).toStrictEqual([1]);
  });

  it('refuses the whole proposal when one of its actions is blocked', async () => {
    const { simulation, evidence } = await play(() => ({
      content: 'I will do both.',
      toolCalls: [
        ...(callTool('remember', { text: 'harmless' }).toolCalls ?? []),
        ...(callTool('run-shell', { command: 'true' }).toolCalls ?? []),
      ],
    }));
    expect(evidence.decision?.outcome).toBe('refuse');
    expect(simulation.sent.map(({ text }) => text)).not.toContain('I will do both.');
    expect(evidence.effects).toHaveLength(1);
  });
});
