import { describe, expect, it } from 'vitest';
import { memoryLines } from '../../../../lib/core/verbs/signals/story-lines.ts';
import { EN } from '../../../../lib/core/verbs/signals/texts.ts';

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
    expect(memoryLines(decision, EN)).toStrictEqual(lines);
  });
});
