/** The runner as its owner starts it. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { ALLOW_EXAMPLE } from '../../../infra/runner/allow-example.ts';
import { pairRunner, startRunner } from '../../../infra/runner/commands.ts';
import { writePairing } from '../../../infra/runner/runner-folder.ts';
import { ConfigError } from '../../../lib/core/base/errors.ts';
import { buildPairingCode, fingerprintOf } from '../../../lib/features/runner/pairing-code.ts';
import { buildSigner } from '../../../lib/features/runner/sign.ts';
import { inSandbox } from './machine.ts';

/** Nobody listens there: the runner goes on trying. */
const PAIRING = { v: 1, url: 'http://127.0.0.1:9', space: 'default', name: 'home', actKey: 'k', pairedAt: 0 } as const;

describe('startRunner', () => {
  inSandbox('refuses to start a second time in the same folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'runner-'));
    const env = { PASSEPARTOUT_RUNNER_DIR: join(folder, 'runners') };
    const work = join(folder, 'work');
    mkdirSync(work);
    // A pairing that was broken off leaves this.
    mkdirSync(join(folder, 'runners', 'other'), { recursive: true });
    writePairing(env, PAIRING, new Uint8Array(32), ALLOW_EXAMPLE.replace('write: []', `write: [${work}]`));
    const lines: string[] = [];
    const context = { env, now: Date.now, report: (line: string) => void lines.push(line) };
    const end = new AbortController();
    const first = startRunner(context, end.signal);
    await expect.poll(() => lines.length).toBeGreaterThan(0);
    await expect(startRunner(context, end.signal)).rejects.toThrow(ConfigError);
    end.abort();
    await first;
  });
});

describe('pairRunner', () => {
  inSandbox('asks again with the same key if the answer was lost: its code is spent', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'runner-'));
    const actKey = buildSigner(Buffer.alloc(32, 3)).publicKey;
    const keys: string[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      keys.push(JSON.parse(Buffer.concat(chunks).toString()).body.publicKey);
      if (keys.length === 1) request.socket.destroy();
      else response.end(JSON.stringify({ space: 'default', runner: 'home', actKey }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const code = buildPairingCode({ secret: '0'.repeat(32), fingerprint: fingerprintOf(actKey) });
    const context = { env: { PASSEPARTOUT_RUNNER_DIR: folder }, now: Date.now, report: () => {} };
    expect((await pairRunner(context, url, code)).name).toBe('home');
    expect(new Set(keys).size).toBe(1);
    server.close();
    await expect(pairRunner(context, url, code)).rejects.toThrow(`The stack at ${url} did not answer (ECONNREFUSED).`);
  });
});
