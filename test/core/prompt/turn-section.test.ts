import { describe, expect, it } from 'vitest';
import type { TurnStep } from '../../../lib/core/prompt/prompt-input.ts';
import { REDACTED, redactLogs, showSteps } from '../../../lib/core/prompt/turn-section.ts';
import { owner } from './prompt-fixtures.ts';

const call = (callId: string, tool: string) => ({ callId, tool, args: {}, explanation: 'why' });
const result = (n: number, tool: string | undefined, state: 'done' | 'suspended', output = '') => ({
  n,
  ...(tool === undefined ? {} : { tool }),
  state,
  output,
  origin: 'agent' as const,
});
const answer: TurnStep = {
  kind: 'answer',
  text: 'On it.',
  calls: [call('a', 'recall'), call('b', 'call-webhook')],
  origin: 'owner',
};

describe('showSteps', () => {
  it('matches results to calls by the order of their actions, whatever their own order', () => {
    const results = [
      result(2, 'call-webhook', 'done', 'two'),
      result(0, undefined, 'done'),
      result(1, 'recall', 'done', 'one'),
    ];
    expect(showSteps([answer, { kind: 'results', results }], 100).slice(1)).toStrictEqual([
      { role: 'tool', callId: 'a', content: 'state: done\none' },
      { role: 'tool', callId: 'b', content: 'state: done\ntwo' },
    ]);
  });

  it('never gives a call the result of another: a missing one stays missing', () => {
    const only: TurnStep = { kind: 'results', results: [result(2, 'call-webhook', 'done', 'two')] };
    const textless: TurnStep = { ...answer, text: '' };
    const tools = (steps: readonly TurnStep[]) =>
      showSteps(steps, 100)
        .slice(1)
        .map(({ content }) => content);
    expect(tools([answer, only])).toStrictEqual(['state: unknown\n[no result yet]', 'state: done\ntwo']);
    expect(tools([textless, { kind: 'results', results: [result(0, 'recall', 'done', 'one')] }])).toStrictEqual([
      'state: done\none',
      'state: unknown\n[no result yet]',
    ]);
    expect(tools([textless, only])).toStrictEqual([
      'state: unknown\n[no result yet]',
      'state: unknown\n[no result yet]',
      '⟦result call-webhook⟧\nstate: done\ntwo\n⟦/result⟧',
    ]);
  });

  it('tells a result that comes after an approval in a message of its own', () => {
    const suspended: TurnStep = {
      kind: 'results',
      results: [result(1, 'recall', 'done'), result(2, 'call-webhook', 'suspended')],
    };
    const late: TurnStep = { kind: 'results', results: [result(2, 'call-webhook', 'done', '200')] };
    expect(showSteps([answer, suspended, late], 100).at(-1)).toStrictEqual({
      role: 'user',
      content: '⟦result call-webhook⟧\nstate: done\n200\n⟦/result⟧',
    });
  });

  it('says that a call has no result where none is known', () => {
    const messages = showSteps([answer, { kind: 'results', results: [result(1, 'recall', 'done', 'one')] }], 100);
    expect(messages.at(-1)).toStrictEqual({ role: 'tool', callId: 'b', content: 'state: unknown\n[no result yet]' });
    expect(showSteps([answer, { kind: 'input', pieces: [owner('x')] }], 100).map(({ role }) => role)).toStrictEqual([
      'assistant',
      'tool',
      'tool',
      'user',
    ]);
  });
});

const secrets = new Map([['HOOK_SECRET', 'correct-horse-battery']]);

describe('redactLogs', () => {
  it.each([
    ['nothing', [], []],
    ['plain ids', ['tg-1-7 acted', 'wh-tracker:evt_12 refused'], ['tg-1-7 acted', 'wh-tracker:evt_12 refused']],
    ['a configured secret', ['tg-1-7 acted', 'wh-x:correct-horse-battery acted'], ['tg-1-7 acted', REDACTED]],
    [
      'one in hex',
      [`wh-x:${Buffer.from('correct-horse-battery').toString('hex')} acted`, 'con-1 acted'],
      [REDACTED, 'con-1 acted'],
    ],
    ['the form of one', [`wh-x:ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)} acted`], [REDACTED]],
    ['a part of one', ['wh-x:correct-horse', '-battery acted'], [REDACTED, '-battery acted']],
  ])('leaves out events with a secret: %s', (_, logs, shown) => {
    expect(redactLogs(logs, secrets)).toStrictEqual(shown);
  });
});
