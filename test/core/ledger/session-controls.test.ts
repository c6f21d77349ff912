import { afterAll, describe, expect, it } from 'vitest';
import { loadHead, moveConversation, stopSession } from '../../../lib/core/ledger/session-controls.ts';
import { sessionKey } from '../../../lib/core/store/keys.ts';
import { startDynamo } from '../../support/dynamo.ts';

const { table, stop } = await startDynamo();
afterAll(stop);

const [FROM, TO] = ['telegram:-1', 'telegram:-1001'];
const headOf = (space: string) => loadHead(table, { space, session: TO });
const put = (space: string, session: string, fields: object) =>
  table.put(sessionKey(space, session), { schemaVersion: 1, startedAt: 5, ...fields });

describe('moveConversation', () => {
  it('takes history and limits along, and leaves what is under way', async () => {
    await put('a', FROM, { recent: ['r'], turn: 't', mailbox: ['m'], model: 'big' });
    await stopSession(table, { space: 'a', session: FROM }, undefined, { because: 'asked', by: 'tg-1-1' }, 9);
    await moveConversation(table, 'a', FROM, TO);
    const head = await headOf('a');
    expect(head).toMatchObject({ startedAt: 5, movedFrom: FROM, recent: ['r'], model: 'big', stoppedBecause: 'asked' });
    expect([head?.turn, head?.mailbox]).toStrictEqual([undefined, undefined]);
    await put('a', FROM, { recent: ['other'] });
    await moveConversation(table, 'a', FROM, TO);
    expect(await headOf('a')).toStrictEqual(head);
  });

  it('takes nothing where there is nothing, or a conversation already', async () => {
    await moveConversation(table, 'b', FROM, TO);
    expect(await headOf('b')).toBeUndefined();
    await put('c', FROM, { recent: ['r'] });
    await put('c', TO, { recent: ['s'] });
    await moveConversation(table, 'c', FROM, TO);
    expect(await headOf('c')).toMatchObject({ recent: ['s'] });
  });
});
