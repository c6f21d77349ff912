/** A stack of another release is named as one, whatever the command wanted. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_VERSION, VERSION, VERSION_HEADER } from '../../lib/core/base/version.ts';
import { runCli, writeFolder } from './cli-world.ts';

let answer: { readonly version: string | undefined; readonly body: string } = { version: undefined, body: '{}' };
const server = createServer((_request, response) => {
  if (answer.version !== undefined) response.setHeader(VERSION_HEADER, answer.version);
  response.end(answer.body);
});
const folder = mkdtempSync(join(tmpdir(), 'skew-'));
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  writeFolder(folder, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, process.pid);
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const SIGNALS = JSON.stringify({ signals: [] });

describe('a command', () => {
  it.each([
    ['of the same release', `${VERSION}; data=6; api=${API_VERSION}`, SIGNALS, 0, ''],
    ['of a newer release that it understands', `9.9.9; data=99; api=${API_VERSION}`, SIGNALS, 0, ''],
    ['of one from before the header', undefined, SIGNALS, 0, ''],
    [
      'of another API, though the answer fits',
      '9.9.9; data=99; api=99',
      SIGNALS,
      1,
      `the stack is of release 9.9.9 and speaks version 99 of the API, this command of ${VERSION} speaks ${API_VERSION}`,
    ],
    [
      'whose answer it cannot read',
      `9.9.9; data=9; api=${API_VERSION}`,
      '[]',
      1,
      `the stack is of release 9.9.9, this command of ${VERSION}: they differ`,
    ],
    ['whose answer is nonsense', `${VERSION}; data=6; api=${API_VERSION}`, '[]', 1, 'not one of a Passepartout stack'],
    ['whose header is nonsense', '\u001b[2J; api=x', SIGNALS, 0, ''],
  ])('asks a stack %s', async (_name, version, body, code, words) => {
    answer = { version: version?.replace('\u001b', '~'), body };
    const ran = await runCli(['signals'], folder);
    expect(ran.err).toContain(words);
    expect(ran.code).toBe(code);
    if (code === 1 && words.startsWith('the stack')) expect(ran.err).toContain('or use the command of its release');
  });
});
