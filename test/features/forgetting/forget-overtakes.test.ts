/**
 * On the real stack: a note is forgotten while the model still thinks about it. Its answer is not
 * given, and nothing keeps it.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { say } from '../../support/model-server.ts';
import { startTestStack, until } from '../../support/stack.ts';

const SECRET = 'the violet heron nests behind the mill';

let letAnswer: () => void = () => undefined;
let isAsked = false;
const world = await startTestStack({
  script: async (request) => {
    isAsked = JSON.stringify(request).includes(SECRET);
    await new Promise<void>((resolve) => {
      letAnswer = resolve;
    });
    return say(`You told me: ${SECRET}.`);
  },
});
afterAll(world.stop);

const post = async (text: string, session?: string): Promise<string> =>
  (await world.api<{ id: string }>('POST', '/api/messages', { text, ...(session === undefined ? {} : { session }) }))
    .body.id;
const ask = async (text: string): Promise<readonly string[]> => {
  const id = await post(text);
  await world.settled(id);
  return (await world.signal(id)).replies;
};

describe('a note forgotten while the model thinks about it', () => {
  it('is not answered from, and its person is told', async () => {
    const id = /[0-9a-f]{32}/.exec((await ask(`/remember ${SECRET}`)).join())?.[0] ?? '';
    const turn = await post('where does the violet heron nest?', 'other');
    await until('the model is asked with the note', () => isAsked);
    expect((await ask(`/forget ${id}`)).join()).toContain('Forgotten');
    letAnswer();
    await world.settled(turn);
    await until('its person is told', async () =>
      JSON.stringify(await world.signal(turn)).includes('forgotten meanwhile'),
    );
    expect(JSON.stringify(await world.signal(turn))).not.toContain(SECRET);
  });
});
