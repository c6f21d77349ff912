/** Which messages of a batch stay on their queue, as a function's answer says it to SQS. */
import type { SQSRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { eachRecord } from '../../../lib/core/stages/batch.ts';

const recordOf = (messageId: string): SQSRecord => {
  const [group = ''] = messageId;
  const MessageGroupId = /\d/.test(group) ? {} : { MessageGroupId: group };
  return { messageId, attributes: MessageGroupId } as unknown as SQSRecord;
};

describe('a batch', () => {
  it.each<[string, string[], string[], string[], string[]]>([
    ['has all done', ['a1', 'b1', 'a2'], [], ['a1', 'b1', 'a2'], []],
    [
      'holds back what follows a failure in its group',
      ['a1', 'b1', 'a2', 'b2'],
      ['a1'],
      ['a1', 'b1', 'b2'],
      ['a1', 'a2'],
    ],
    ['leaves what came before the failure done', ['a1', 'a2', 'a3'], ['a2'], ['a1', 'a2'], ['a2', 'a3']],
    ['takes messages without a group each by itself', ['1', '2', '3'], ['2'], ['1', '2', '3'], ['2']],
    ['may fail as a whole', ['a1', 'b1'], ['a1', 'b1'], ['a1', 'b1'], ['a1', 'b1']],
    ['may be empty', [], [], [], []],
  ])('%s', async (_, ids, failing, worked, kept) => {
    const seen: string[] = [];
    const answer = await eachRecord({ Records: ids.map(recordOf) }, async ({ messageId }) => {
      seen.push(messageId);
      if (failing.includes(messageId)) throw new Error('it failed');
    });
    expect(seen).toStrictEqual(worked);
    expect(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toStrictEqual(kept);
  });
});
