/** A command that waits for the stack: it says so after a second, and takes the line back. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { waitInSight } from '../../infra/cli/turn.ts';

it('tells how long a turn takes, after a second of silence', async () => {
  let looks = 0;
  const stack = createServer((_request, response) => {
    looks += 1;
    const isOver = looks > 4;
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        ...{ id: 'con-1', state: isOver ? 'acted' : 'perceived', receivedAt: 0, replies: [], effects: [] },
        ...{ turn: isOver ? 'ended' : 'running', isTurnClosed: isOver },
      }),
    );
  }).listen(0, '127.0.0.1');
  await once(stack, 'listening');
  const access = {
    url: `http://127.0.0.1:${(stack.address() as AddressInfo).port}`,
    approverToken: 'a-token-of-this-test',
  };
  let ms = 0;
  const told: string[] = [];
  const context = {
    access: async () => access,
    now: () => ms,
    sleep: async () => {
      ms += 700;
    },
    terminal: { progress: (text: string) => void told.push(text) },
  };
  try {
    expect(await waitInSight(context, 'con-1', 60_000)).toMatchObject({ view: { state: 'acted' }, isTimedOut: false });
    expect(told).toStrictEqual(['… perceived, 1 s', '… perceived, 2 s', '… acted, 3 s', '']);
  } finally {
    stack.close();
  }
});
