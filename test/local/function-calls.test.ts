/** One function runs another: the client of Lambda, against real processes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import { startApart, startEnvironment } from '../../infra/local/environment.ts';
import { startFunctionCalls } from '../../infra/local/function-calls.ts';
import { buildPool } from '../../infra/local/function-pools.ts';
import { makeCredentials } from '../../infra/local/table-server/signature.ts';
import { UnavailableError } from '../../lib/core/base/errors.ts';
import { runFunction } from '../../lib/core/store/run-function.ts';

const HANDLER = `
export const handler = async ({ what }) => {
  if (what === 'loop') for (;;);
  if (what === 'throw') throw new Error('no');
  if (what === 'exit') process.exit(3);
  if (what === 'heap') { const all = []; for (;;) all.push(new Array(1000).fill({})); }
  if (what === 'buffers') { const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1)); }
  return { said: what };
};`;
const TIMEOUT_MS = 3_000;
const credentials = makeCredentials();

const folder = mkdtempSync(join(tmpdir(), 'function-calls-'));
const moduleFile = join(folder, 'handler.mjs');
const urlOf = (name: string) => pathToFileURL(join(folder, name)).href;
writeFileSync(moduleFile, HANDLER);
await build({
  entryPoints: ['worker', 'apart'].map((name) => join(ROOT, `infra/local/${name}.ts`)),
  bundle: true,
  platform: 'node',
  format: 'esm',
  outdir: folder,
  outExtension: { '.js': '.mjs' },
});
const log = () => undefined;
const start = () =>
  startEnvironment({
    functionName: 'f',
    moduleUrl: urlOf('handler.mjs'),
    place: startApart({ name: 'f', workerUrl: urlOf('worker.mjs'), memoryMb: 128, log }, urlOf('apart.mjs')),
    memoryMb: 128,
    timeoutMs: TIMEOUT_MS,
    variables: {},
    log,
  });
const pool = buildPool({ functionName: 'f', runsMax: 1, environmentsMax: 2, idleMs: undefined, waitingMax: 0, start });
const server = await startFunctionCalls('f', credentials, pool.invoke);
vi.stubEnv('AWS_ENDPOINT_URL_LAMBDA', server.origin);
vi.stubEnv('AWS_REGION', 'us-east-1');
vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
afterAll(async () => {
  // Files that run later in this process have servers of their own.
  vi.unstubAllEnvs();
  await pool.end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('runFunction', () => {
  it.each<[string, object]>([
    ['hello', { kind: 'answered', answer: { said: 'hello' } }],
    ['throw', { kind: 'broke', isTooLong: false }],
    ['exit', { kind: 'broke', isTooLong: false }],
    ['loop', { kind: 'broke', isTooLong: true }],
    ['heap', { kind: 'broke', isTooLong: false }],
    ['buffers', { kind: 'broke', isTooLong: false }],
  ])('gives what became of a run: %s', async (what, outcome) => {
    expect(await runFunction('f', { what })).toStrictEqual(outcome);
  });

  it('runs beside one that loops, and is tried again later if there is no room', async () => {
    const loops = [runFunction('f', { what: 'loop' })];
    expect(await runFunction('f', { what: 'beside' })).toStrictEqual({ kind: 'answered', answer: { said: 'beside' } });
    loops.push(runFunction('f', { what: 'loop' }));
    await expect(runFunction('f', { what: 'too many' })).rejects.toThrow(UnavailableError);
    await Promise.all(loops);
  });

  it('reaches no other function, and nobody without the credentials reaches this one', async () => {
    await expect(runFunction('g', {})).rejects.toThrow(UnavailableError);
    const path = '/2015-03-31/functions/f/invocations';
    expect((await fetch(server.origin + path, { method: 'POST', body: '{}' })).status).toBe(403);
  });
});
