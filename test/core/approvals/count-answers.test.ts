import { describe, expect, it } from 'vitest';
import type { Approval } from '../../../lib/core/approvals/approval.ts';
import { countAnswers } from '../../../lib/core/approvals/count-answers.ts';
import { approvalWith } from './samples.ts';

const AT = 1_000_000;
const asked = (id: string, changes: Partial<Approval> = {}, action: Partial<Approval['action']> = {}): Approval => {
  const approval = approvalWith({ id, createdAt: AT, asks: [{ gate: 'access', reason: 'asks' }], ...changes });
  return { ...approval, action: { ...approval.action, tool: 'fetch-url', ...action } };
};
const yes = { state: 'spent', decider: 'telegram:7', decidedBy: 'tg-1-1', decidedAt: AT + 1_000 } as const;
const row = { tool: 'fetch-url', decider: 'telegram:7', asked: 1, yes: 1, quick: 1, grantable: 'similar' } as const;

describe('countAnswers', () => {
  it.each<[string, readonly Approval[], ReturnType<typeof countAnswers>]>([
    ['nothing', [], { asked: 0, yes: 0, quick: 0, rows: [] }],
    [
      'calls that one answer approved as one question',
      [asked('a', yes), asked('b', yes)],
      { asked: 1, yes: 1, quick: 1, rows: [row] },
    ],
    [
      'a yes that was refused later as a yes, and an expired card as none',
      [asked('a', { ...yes, state: 'expired', endedBecause: 'refused' }), asked('b', { state: 'expired' })],
      { asked: 2, yes: 1, quick: 1, rows: [row, { ...row, decider: undefined, yes: 0, quick: 0 }] },
    ],
    [
      'nothing that a person typed, and no question of a runbook',
      [asked('a', yes, { author: 'owner' }), asked('b', yes, { tool: 'ask-person' })],
      { asked: 0, yes: 0, quick: 0, rows: [] },
    ],
    [
      'what could be granted, the tool with the most fast answers first',
      [
        asked('a', { ...yes, asks: [{ gate: 'command-class', reason: 'asks' }] }, { tool: 'shell' }),
        asked('b', { ...yes, decidedBy: 'tg-1-2' }, { tool: 'mcp-files-read' }),
        asked('c', { ...yes, decidedBy: 'tg-1-3' }, { tool: 'mcp-files-read' }),
      ],
      {
        ...{ asked: 3, yes: 3, quick: 3 },
        rows: [
          { ...row, tool: 'mcp-files-read', grantable: 'reads', asked: 2, yes: 2, quick: 2 },
          { ...row, tool: 'shell', grantable: 'nothing' },
        ],
      },
    ],
  ])('counts %s', (_, approvals, answers) => {
    expect(countAnswers(approvals)).toStrictEqual(answers);
  });
});
