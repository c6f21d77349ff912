import { describe, expect, it } from 'vitest';
import { memoryLines, wholeLines } from '../../../lib/wings/signals/story-lines.ts';
import { toolCall } from '../../edge/console/stored-fixtures.ts';

describe('wholeLines', () => {
  it.each([
    ['con-1', 'The model says why: the reason'],
    ['run-1/s2', 'Why: the reason'],
  ])('says a reason in the name of whoever gave it: %s', (id, line) => {
    const action = { ...toolCall('recall', { query: 'a' }), explanation: 'the reason' };
    const actions = [{ n: 0, sentence: 'Find notes', action, actionHash: '', state: 'done', trace: [] }] as const;
    const lines = wholeLines({
      ...{ id, state: 'acted', session: 'console:main', sender: 'system', receivedAt: 0, replies: [], turn: 'ended' },
      ...{ isTurnClosed: true, source: 'system', sensor: 'run-step', root: id, depth: 0, text: [], effects: [] },
      children: [],
      decision: { gateSet: '', policyVersion: '', at: 0, outcome: 'act', reason: '', attempts: [], actions },
    });
    expect(lines).toContain(`    ${line}`);
  });
});

describe('memoryLines', () => {
  it.each([
    [{}, []],
    [{ memory: { commit: 7 } }, ['Memory at commit 7, shown: nothing of it']],
    [
      {
        memory: { commit: 7 },
        seen: [
          { id: 'a', version: 1 },
          { id: 'b', version: 3 },
        ],
      },
      ['Memory at commit 7, shown: a v1, b v3'],
    ],
    [
      { memory: { commit: 7, treeSize: 12, rootHash: 'cm9vdA==' } },
      ['Memory at commit 7 (log of 12 leaves, root cm9vdA==), shown: nothing of it'],
    ],
    [{ seen: [{ id: 'a', version: 1 }] }, ['Memory, shown: a v1']],
  ])('says where memory stood and what of it was shown: %j', (decision, lines) => {
    expect(memoryLines(decision)).toStrictEqual(lines);
  });
});
