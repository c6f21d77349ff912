/**
 * A wrong cursor is a 400 that says what is wrong and what to do, on every route that takes one.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startConsole, type TestConsole } from './console-server.ts';
import { SPACE } from './stored-fixtures.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const KEY = { pk: `signal#${SPACE}#con-1`, sk: 'record', feedSpace: `feed#${SPACE}`, feedAt: 1 };

const WRONG_CURSORS: readonly string[] = [
  'nonsense',
  '{}',
  '%00',
  encode('text'),
  encode({}),
  encode({ ...KEY, pk: 'setting#default', feedSpace: `feed#${SPACE}` }),
  encode({ ...KEY, pk: 'signal#other#con-1', feedSpace: 'feed#other' }),
  encode({ ...KEY, sk: 'decision' }),
  encode({ ...KEY, feedAt: '1' }),
  encode({ ...KEY, more: 1 }),
];
const WRONG_NUMBERS: readonly string[] = ['-1', '1.5', 'ten', '12345678901234', '%31x', '1e3'];
const CURSOR = /^cursor is not one that this list gave: send back the cursor of its last answer/;

const ROUTES: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['/api/signals?cursor=', WRONG_CURSORS, CURSOR],
  ['/api/evidence?cursor=', WRONG_CURSORS, CURSOR],
  ['/api/log/records?cursor=', WRONG_CURSORS, CURSOR],
  ['/api/log/records?limit=5&cursor=', WRONG_CURSORS, CURSOR],
  ['/api/log/checkpoints?after=', WRONG_NUMBERS, /^after must be a whole number from 0/],
  ['/api/log/commits?after=', WRONG_NUMBERS, /^after must be a whole number from 0/],
  ['/api/memory/objects?after=', ['nonsense', 'XYZ', 'a'.repeat(33)], /^after must be the id of an object: send back/],
];

let world: TestConsole;
beforeAll(async () => {
  world = await startConsole();
});
afterAll(() => world.stop());

describe('a wrong cursor', () => {
  it('is a 400 with a sentence on every route that takes one', async () => {
    const misses: unknown[] = [];
    for (const [route, wrong, sentence] of ROUTES)
      for (const value of wrong) {
        const { status, body } = await world.ask('GET', `${route}${value}`);
        const { code, message } = Object(Object(body).error);
        if (status !== 400 || code !== 'malformed' || !sentence.test(message))
          misses.push([route, value, status, body]);
      }
    expect(misses).toStrictEqual([]);
  });

  it('is not an empty one, nor one of this space', async () => {
    for (const route of ['/api/signals?cursor=', '/api/evidence?cursor=', '/api/log/records?cursor='])
      for (const cursor of ['', encode(KEY)]) expect((await world.ask('GET', `${route}${cursor}`)).status).toBe(200);
  });
});
