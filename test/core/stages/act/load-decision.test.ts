import { describe, expect, it } from 'vitest';
import type { JudgedAction } from '../../../../lib/core/signal/decision.ts';
import { groupReads } from '../../../../lib/core/stages/act/load-decision.ts';

const judged = (tool: string, outcome: JudgedAction['outcome'] = 'pass'): JudgedAction => ({
  action:
    tool === 'text'
      ? { target: 'console', to: 'main', text: 'x', explanation: '', author: 'model' }
      : { target: tool === 'call-webhook' ? 'webhook' : 'tool', tool, args: {}, explanation: 'x', author: 'model' },
  hash: tool,
  outcome,
  trace: [],
  facts: [],
});

const groupsOf = (tools: readonly (string | [string, JudgedAction['outcome']])[], approved: readonly number[] = []) => {
  const actions = tools.map((tool) => (typeof tool === 'string' ? judged(tool) : judged(...tool)));
  const named = actions.map(({ hash }, n) => ({ n, hash, ...(approved.includes(n) ? { approvalId: 'a' } : {}) }));
  return groupReads(named, { actions }).map((group) => group.map(({ n }) => n));
};

describe('groupReads', () => {
  it.each([
    [[], []],
    [['recall'], [[0]]],
    [
      ['text', 'recall', 'list-memory', 'current-time'],
      [[0], [1, 2, 3]],
    ],
    [
      ['recall', 'remember', 'recall', 'recall'],
      [[0], [1], [2, 3]],
    ],
    [
      ['recall', 'call-webhook', 'recall'],
      [[0], [1], [2]],
    ],
    [
      ['recall', 'calculate', 'forget', 'nothing-known'],
      [[0], [1], [2], [3]],
    ],
  ])('puts neighbouring reads together and keeps the order of everything else: %j', (tools, groups) => {
    expect(groupsOf(tools)).toStrictEqual(groups);
  });

  it('leaves alone what somebody is asked about or has approved', () => {
    expect(groupsOf([['recall', 'ask'], 'recall', ['recall', 'block'], 'recall'])).toStrictEqual([[0], [1], [2], [3]]);
    expect(groupsOf(['recall', 'recall', 'recall'], [1])).toStrictEqual([[0], [1], [2]]);
  });
});
