/** How functions reach the embedded servers: messages within the process, or HTTP if asked. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { startStack } from '../../infra/local/stack.ts';
import { openWire, useWire } from '../../infra/local/wire.ts';

const FIXTURES = new URL('../support/fixtures/', import.meta.url).pathname;
const CACHE = mkdtempSync(join(tmpdir(), 'passepartout-wire-'));
afterAll(() => rmSync(CACHE, { recursive: true, force: true }));

/** Counts the HTTP requests that come to servers of this process, by origin. */
const countRequests = () => {
  const counts = new Map<string, number>();
  const note = (message: unknown): void => {
    const address = (message as { readonly server: Server }).server.address();
    const origin = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : '';
    counts.set(origin, (counts.get(origin) ?? 0) + 1);
  };
  subscribe('http.server.request.start', note);
  return {
    of: (origin: string) => counts.get(origin) ?? 0,
    stop: () => unsubscribe('http.server.request.start', note),
  };
};

describe('the wire of a stack', () => {
  it.each([
    { isWireHttp: false, comes: 'no request of a function by HTTP' },
    { isWireHttp: true, comes: 'every request of a function by HTTP' },
  ])('brings $comes if isWireHttp is $isWireHttp', async ({ isWireHttp }) => {
    const token = 'a-token-of-32-characters-for-test';
    const dataDir = mkdtempSync(join(CACHE, 'data-'));
    const environment = { APPROVER_TOKEN: token };
    const stack = await startStack({ dataDir, functionsRoot: FIXTURES, cacheDir: CACHE, environment, isWireHttp });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const requests = countRequests();
    try {
      const body = JSON.stringify({ id: 'one', group: 'one', text: 'hello' });
      await fetch(`${stack.url}/api/messages`, { method: 'POST', headers, body });
      const steps = async () => (await fetch(`${stack.url}/api/notes/one`, { headers })).json();
      await expect.poll(steps).toStrictEqual(['console', 'perceive#1', 'reason#1', 'act#1']);
      expect([stack.endpoints.dynamodb, stack.endpoints.sqs].map((origin) => requests.of(origin) > 0)).toStrictEqual([
        isWireHttp,
        isWireHttp,
      ]);
    } finally {
      requests.stop();
      await stack.stop();
    }
  });
});

describe('useWire', () => {
  it('fails a request as a lost connection does, which the SDK tries again, if the server is closed', async () => {
    let asked = 0;
    const end = openWire({
      dynamodb: async () => {
        asked += 1;
        if (asked === 1) throw new Error('closed');
        return { status: 200, headers: {}, body: '{"TableNames":["one"]}' };
      },
    });
    onTestFinished(() => {
      globalThis.passepartoutWire = undefined;
      end.port.close();
    });
    useWire(end);
    const [region, credentials] = ['us-east-1', { accessKeyId: 'local', secretAccessKey: 'none' }];
    const client = (maxAttempts: number) =>
      new DynamoDBClient({ region, credentials, maxAttempts, ...globalThis.passepartoutWire?.('dynamodb') });
    await expect(client(1).send(new ListTablesCommand({}))).rejects.toMatchObject({ code: 'ECONNRESET' });
    asked = 0;
    expect(await client(2).send(new ListTablesCommand({}))).toMatchObject({ TableNames: ['one'] });
    expect(globalThis.passepartoutWire?.('sqs')).toStrictEqual({});
  });
});
