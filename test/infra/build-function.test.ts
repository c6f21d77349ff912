import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildBundle, buildFunction } from '../../infra/build-function.ts';
import { FUNCTION_NAMES } from '../../lib/core/store/settings.ts';
import { type BuiltBundle, measureBundle } from '../support/measure-bundle.ts';

const KB = 1024;
const START_KB_MAX = new Map<string, number>([
  ['act', 540],
  ['reason', 1010],
  ['console', 470],
  // The client's and server's library of MCP.
  ['mcp', 890],
]);
const run = promisify(execFile);

let folder = '';
const built = new Map<string, BuiltBundle>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'build-function-'));
  for (const name of FUNCTION_NAMES) built.set(name, measureBundle(buildBundle(name, join(folder, name))));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const entryOf = (name: string): string => readFileSync(join(folder, name, 'index.mjs'), 'utf8');

/** Environment that lets any function be imported; nobody answers at its addresses. */
const QUEUE = 'http://127.0.0.1:9/000000000000/queue.fifo';
const ENVIRONMENT = {
  SPACE: 'default',
  TABLE_NAME: 'table',
  AWS_REGION: 'us-east-1',
  ...Object.fromEntries(
    ['PERCEIVE_QUEUE_URL', 'REASON_QUEUE_URL', 'ACT_QUEUE_URL', 'LOG_QUEUE_URL', 'QUEUE_URL', 'DLQ_URL'].map((name) => [
      name,
      QUEUE,
    ]),
  ),
};

describe('buildBundle', () => {
  it.each(FUNCTION_NAMES)(
    'keeps the entry of %s in one byte a character: one other doubles what is read and parsed',
    (name) => {
      expect(entryOf(name).match(/[^\0-\xff]/u)?.[0]).toBeUndefined();
    },
  );

  it('gives each function an entry that exports its handler', () => {
    for (const name of FUNCTION_NAMES)
      expect(entryOf(name)).toMatch(/export\{[^}]*\bas handler\b[^}]*\}|export\{handler\b/);
  });

  it.each(['perceive', 'heartbeat'] as const)('starts %s without the gates and has them at hand', (name) => {
    const { startBytes = 0, allBytes = 0, inputs = [] } = built.get(name) ?? {};
    expect(inputs).toContain('lib/core/gates/engine/gate-set.ts');
    expect(allBytes - startBytes).toBeGreaterThan(90 * KB);
  });

  it('starts no function with the shell reader, and gives it to those that judge calls', () => {
    for (const name of FUNCTION_NAMES) {
      const { inputs = [], startInputs = [] } = built.get(name) ?? {};
      expect(startInputs.filter((input) => input.startsWith('lib/features/runner/shell/'))).toStrictEqual([]);
      if (name === 'reason' || name === 'act')
        expect(inputs).toContain('lib/features/runner/shell/classify-command.ts');
    }
  });

  it.each(['perceive', 'act', 'dead-letter', 'heartbeat'] as const)(
    'lays the policy engine beside %s, which judges actions: without it a policy denies everything',
    (name) => {
      const outdir = join(folder, `${name}-whole`);
      mkdirSync(outdir);
      buildFunction(name, outdir);
      expect(existsSync(join(outdir, 'node_modules/@cedar-policy/cedar-wasm/nodejs/cedar_wasm.js'))).toBe(true);
    },
  );

  it('carries the client that reads its secret, which signs as the role', async () => {
    const asked: unknown[] = [];
    const server = createServer((request, response) => {
      const { 'x-amz-target': target, 'x-amz-security-token': token } = request.headers;
      asked.push([target, token]);
      request.resume().on('end', () => response.end(JSON.stringify({ SecretString: '{"A":"b"}' })));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      const chunk = readdirSync(join(folder, 'act')).find((file) => {
        const text = file.endsWith('.mjs') ? readFileSync(join(folder, 'act', file), 'utf8') : '';
        return /export\{[^}]*\bSecretsManagerClient\b/.test(text);
      });
      const program = [
        `const { SecretsManagerClient, GetSecretValueCommand } = await import(${JSON.stringify(join(folder, 'act', chunk ?? ''))});`,
        "const answer = await new SecretsManagerClient({}).send(new GetSecretValueCommand({ SecretId: 's' }));",
        'console.log(answer.SecretString);',
      ].join('\n');
      const role = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key', AWS_SESSION_TOKEN: 'token' };
      const env = { ...ENVIRONMENT, ...role, AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` };
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { env });
      expect(stdout).toBe('{"A":"b"}\n');
      expect(asked).toStrictEqual([['secretsmanager.GetSecretValue', 'token']]);
    } finally {
      server.close();
    }
  });

  it('gives the reader of documents at most 2,200 KB in all, most of it pdf.js, which loads with a PDF', () => {
    const { startBytes = 0, allBytes = Number.POSITIVE_INFINITY } = built.get('document') ?? {};
    expect(startBytes).toBeLessThan(300 * KB);
    expect(allBytes).toBeLessThan(2_200 * KB);
    for (const name of FUNCTION_NAMES)
      expect(built.get(name)?.inputs.some((input) => input.startsWith('node_modules/unpdf/'))).toBe(
        name === 'document',
      );
  });

  it('starts Act with at most 540 KB, Reason with 1,010, the console with 470, MCP with 890, the others with 440', () => {
    const over = FUNCTION_NAMES.filter((name) => {
      const { startBytes = Number.POSITIVE_INFINITY } = built.get(name) ?? {};
      return startBytes > (START_KB_MAX.get(name) ?? 440) * KB;
    });
    expect(over.map((name) => `${name} ${built.get(name)?.startBytes}`)).toStrictEqual([]);
  });
});
