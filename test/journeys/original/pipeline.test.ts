/**
 * The way of a message through the stages on a real stack: what comes back, what is stored of it,
 * and what ends it.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { say, userTextOf } from '../../support/model-server.ts';
import { startTestStack } from '../../support/stack.ts';

const world = await startTestStack({ isPolling: false, script: (request) => say(`re ${userTextOf(request)}`) });
afterAll(world.stop);

const ask = async (text: string) => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text });
  return world.settled(body.id);
};

describe('Pipeline', () => {
  it('takes a message through Perceive, Reason and Act to an answer', async () => {
    const view = await ask('hello');
    expect(view).toMatchObject({ state: 'acted', replies: ['re hello'], decision: { outcome: 'act' } });
  });
});
