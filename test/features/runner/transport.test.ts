/** What a machine makes of an answer: only a stack's own refusal ends what waits for it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildStack } from '../../../infra/runner/transport.ts';
import { isRetryable } from '../../../lib/core/base/errors.ts';
import { buildSigner } from '../../../lib/features/runner/sign.ts';

/** In place of a status: no answer comes. */
const SILENT = 0;
let [status, body] = [200, ''];
const server = createServer((request, response) => {
  if (status !== SILENT) request.resume().on('end', () => response.writeHead(status).end(body));
});
let url = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const refusal = (code: string): string => JSON.stringify({ error: { code, message: 'what to do' } });

describe('buildStack', () => {
  it.each<[string, number, string, boolean, string]>([
    ['a stack that refuses', 401, refusal('unauthorized'), false, 'the stack refuses it (401): what to do'],
    ['a wrong clock', 400, refusal('clock'), true, 'what to do'],
    ['a stack that is away', 503, refusal('unavailable'), true, 'did not answer (503)'],
    ['a tunnel without a stack behind it', 404, '<html>', true, 'No stack answers at'],
    ['a page that asks to log in', 200, '<html>', true, 'No stack answers at'],
    ['a redirect', 302, '', true, 'did not answer'],
  ])('says whether to try again: %s', async (_name, given, text, isToRetry, words) => {
    [status, body] = [given, text];
    const signer = buildSigner(Buffer.alloc(32, 4));
    const stack = buildStack({ url, signer, runner: 'home', now: Date.now });
    const error = await stack.beat({ ids: [] }).catch((one: unknown) => one);
    expect([isRetryable(error), String(error)]).toStrictEqual([isToRetry, expect.stringContaining(words)]);
  });

  it('waits for no long silence when it only says that it ends', async () => {
    status = SILENT;
    const stack = buildStack({ url, signer: buildSigner(Buffer.alloc(32, 4)), runner: 'home', now: Date.now });
    const first = await Promise.any([
      stack.leave({}).catch(() => 'leave'),
      stack.beat({ ids: [] }).catch(() => 'beat'),
    ]);
    expect(first).toBe('leave');
  });
});
