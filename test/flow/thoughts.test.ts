/** Thoughts before a call, on the real stack: they go back with it, and no person sees them. */
import { afterAll, expect, it } from 'vitest';
import { say } from '../support/model-server.ts';
import { signalIdOf, startTestStack, until } from '../support/stack.ts';

const OWNER = 8201;
const THOUGHTS = 'A clock would help.';
const CALL = {
  id: 'd1',
  type: 'function',
  function: { name: 'current-time', arguments: '{"explanation":"the owner asked"}' },
};
const world = await startTestStack({
  allowedChats: [OWNER],
  script: ({ messages }) => {
    if (messages.some(({ role }) => role === 'tool')) return say('It is noon.');
    const message = { content: null, reasoning_content: THOUGHTS, tool_calls: [CALL] };
    const body = { model: 'm', choices: [{ finish_reason: 'tool_calls', message }] };
    return { kind: 'raw', body: JSON.stringify(body) };
  },
});
afterAll(world.stop);

it('go back to the provider that had them, and to nobody else', async () => {
  await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, 'what time is it?')));
  await until('it is answered', () => world.telegram.sent(OWNER).some(({ text }) => text === 'It is noon.'));
  const assistant = world.model.requests.at(-1)?.messages.find(({ role }) => role === 'assistant');
  expect(assistant).toMatchObject({ reasoning_content: THOUGHTS });
  expect(JSON.stringify(world.telegram.sent(OWNER))).not.toContain(THOUGHTS);
});
