import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spendKey } from '../../../../lib/core/money/day-spend.ts';
import { DEFAULT_CAPS } from '../../../support/default-caps.ts';
import { startConsole, type TestConsole } from './console-server.ts';

let world: TestConsole;
beforeAll(async () => {
  world = await startConsole();
});
afterAll(() => world.stop());

describe('GET /api/budget', () => {
  it('says what is committed and left, in numbers and in words', async () => {
    const now = world.deps.now();
    await world.dynamo.table.put(spendKey('default', now), { schemaVersion: 1, usd: 1_250_000, tokens: 4_000 });
    const { status, body } = await world.ask('GET', '/api/budget');
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      day: '2023-11-14',
      caps: DEFAULT_CAPS,
      committed: 1_250_000,
      left: 3_750_000,
      tokens: 4_000,
      resetsAt: Date.UTC(2023, 10, 15),
      lines: [
        'Today (2023-11-14, UTC): $1.25 of $5.00 committed, $3.75 left.',
        'Tokens today: 4,000 of 10,000,000.',
        'This conversation today: $0.00 of $3.00.',
        'At most $2.00 for one task, $3.00 for a conversation and $2.00 for a job in a day.',
        'It begins anew at 2023-11-15 00:00 UTC.',
      ],
    });
  });

  it('needs a token', async () => {
    expect((await world.ask('GET', '/api/budget', { token: null })).status).toBe(401);
  });
});
