/**
 * The server half of the protocol's own conformance suite, over a whole stack: everything that both
 * revisions require, but for what `not-applicable.yaml` names. The suite sends no token, so a pass
 * on loopback adds it, and changes nothing else.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestStack, type TestStack } from '../../support/stack.ts';

const run = promisify(execFile);
const suite = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const notApplicable = fileURLToPath(new URL('not-applicable.yaml', import.meta.url));
const TOKEN = 'token-of-the-suite-001';
const API_TOKENS = JSON.stringify({ suite: { token: TOKEN, scopes: ['read', 'speak-as-owner'] } });

let test: TestStack;
let pass: ReturnType<typeof createServer>;
beforeAll(async () => {
  test = await startTestStack({ environment: { API_TOKENS, MCP_DOOR: 'on' } });
  const { host, port, hostname } = new URL(test.stack.url);
  pass = createServer((asked, answered) => {
    const { port: own } = pass.address() as AddressInfo;
    // The stack answers under its own name only, as the suite wants: a stranger's stays.
    const headers = Object.fromEntries(
      Object.entries(asked.headers).map(([name, value]) => [name, String(value).replace(`${hostname}:${own}`, host)]),
    );
    const { method, url: path } = asked;
    const sent = request(
      { hostname, port, method, path, headers: { ...headers, authorization: `Bearer ${TOKEN}` } },
      (response) => {
        answered.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answered);
      },
    ).on('error', () => answered.destroy());
    asked.pipe(sent);
  }).listen(0, '127.0.0.1');
  await once(pass, 'listening');
});
afterAll(async () => {
  pass?.close();
  await test?.stop();
});

it.each([
  ['2025-11-25', ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']],
  [
    '2026-07-28',
    ['tools-list', 'dns-rebinding-protection', 'http-header-validation', 'input-required-result-validate-input'],
  ],
] as const)('conforms to %s', async (revision, whole) => {
  const { port } = pass.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/mcp`;
  const words = ['server', '--url', url, '--requirements', revision, '--expected-failures', notApplicable];
  const env = { ...process.env, NO_COLOR: '1' };
  const { code = 0, stdout } = await run(process.execPath, [suite, ...words], { env }).catch((error) => error);
  expect(code, stdout).toBe(0);
  // The list of exceptions grew if one of these is missing.
  for (const name of whole) expect(stdout).toMatch(new RegExp(`^✓ ${name}: [1-9]\\d* passed, 0 failed$`, 'm'));
});
