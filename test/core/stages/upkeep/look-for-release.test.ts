/** A newer release: looked up once a day with nothing of this installation, bounded, and silent. */
import { createServer } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../../lib/core/base/limits.ts';
import { VERSION } from '../../../../lib/core/base/version.ts';
import { newerRelease, newestReleaseKey } from '../../../../lib/core/ledger/newest-release.ts';
import { lookForRelease } from '../../../../lib/core/stages/upkeep/look-for-release.ts';
import { startDynamo } from '../../../support/dynamo.ts';

const { table, stop } = await startDynamo();
let answer: { readonly status: number; readonly body: string } = { status: 200, body: '' };
const asked: object[] = [];
const server = createServer(({ method, url, headers: { connection: _, ...headers } }, response) => {
  asked.push({ method, url, headers });
  response.writeHead(answer.status, { location: '/elsewhere' }).end(answer.body);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
const url = `http://${host}/newest.json`;
afterAll(async () => {
  server.close();
  await stop();
});

let spaces = 0;
const NOON = Date.UTC(2026, 10, 27, 12);
const load = async (space: string) => newerRelease((await table.load([newestReleaseKey(space)]))[0]);
const look = async (body: string, status = 200, space = `release-${++spaces}`, now = NOON) => {
  answer = { status, body };
  await lookForRelease({ table, space }, url, now);
  return load(space);
};

describe('lookForRelease', () => {
  it.each([
    ['{"version": "99.0.0"}', '99.0.0'],
    ['{"tag_name": "v99.10.2", "assets": []}', '99.10.2'],
    [JSON.stringify({ version: VERSION }), undefined],
    ['{"version": "0.0.9"}', undefined],
    ['{"version": "99.0.0; rm -rf /"}', undefined],
    ['{"version": 99}', undefined],
    ['<html>', undefined],
    [JSON.stringify({ version: '99.0.0', more: 'x'.repeat(300 * 1024) }), undefined],
  ])('reads %.40s as %s', async (body, newer) => {
    expect(await look(body)).toBe(newer);
  });

  it.each([301, 403, 500])('says nothing of an answer with status %i', async (status) => {
    expect(await look('{"version": "99.0.0"}', status)).toBeUndefined();
  });

  it('says nothing if nobody is there', async () => {
    await lookForRelease({ table, space: 'nobody' }, 'http://127.0.0.1:9/', NOON);
    expect(await load('nobody')).toBeUndefined();
  });

  it('asks once a day, whatever the answer was, and sends nothing of this installation', async () => {
    asked.length = 0;
    const space = 'daily';
    await Promise.all([1, 2, 3].map(() => look('', 500, space)));
    expect(await look('{"version": "99.0.0"}', 200, space, NOON + DAY_MS - 1)).toBeUndefined();
    const headers = { accept: 'application/json', 'accept-encoding': 'identity', host, 'user-agent': 'passepartout' };
    expect(asked).toStrictEqual([{ method: 'GET', url: '/newest.json', headers }]);
    expect(await look('{"version": "99.0.0"}', 200, space, NOON + DAY_MS)).toBe('99.0.0');
    expect(asked).toHaveLength(2);
  });
});
