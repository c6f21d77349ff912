import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { say } from '../support/model-server.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';

const CONVERSATIONS = 50;

describe('many conversations on one machine', () => {
  let asked = 0;
  const allAsked = Promise.withResolvers<void>();
  let world: TestStack;

  beforeAll(async () => {
    world = await startTestStack({
      script: async () => {
        asked += 1;
        if (asked === CONVERSATIONS) allAsked.resolve();
        await allAsked.promise;
        return say('at last');
      },
    });
  });
  afterAll(() => world.stop());

  it('wait for the model all at once, in one environment of Reason', async () => {
    const ids = await Promise.all(
      Array.from({ length: CONVERSATIONS }, async (_, index) => {
        const message = { text: 'hello', session: `chat-${index}` };
        const { body } = await world.api<{ id: string }>('POST', '/api/messages', message);
        return body.id;
      }),
    );
    const views = await Promise.all(ids.map((id) => world.settled(id)));
    expect(views.map(({ state }) => state)).toStrictEqual(ids.map(() => 'acted'));
    expect(asked).toBe(CONVERSATIONS);
    expect(world.stack.environmentCounts()).toMatchObject({ perceive: 1, reason: 1, act: 1 });
  });
});
