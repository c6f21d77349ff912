/**
 * All that a stack of `npm start` listens on, tried by a page in a real browser and by another
 * account of the machine. The ports come from the system, so that a server which is added later is
 * tried too.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findOpenDoors } from '../../infra/local/data-folder.ts';
import { UNPROVEN_A_MINUTE_MAX } from '../../lib/core/http/count-unproven.ts';
import { processTree } from '../bench/processes.ts';
import { launchBrowser } from '../support/browser.ts';
import { CHILD_ENV } from '../support/child-env.ts';
import { hostileScript } from '../support/hostile-page.ts';
import { findListening } from '../support/listening.ts';
import { someOf } from '../support/sample.ts';
import { until } from '../support/stack.ts';

const START = fileURLToPath(new URL('../../infra/local/start.ts', import.meta.url));
const IS_LINUX = process.platform === 'linux';

const folder = mkdtempSync(join(tmpdir(), 'passepartout-doors-'));
const data = join(folder, 'data');

// The data folder's own mode has to hold, not that of the folder around it.
chmodSync(folder, 0o755);
const env = {
  ...CHILD_ENV,
  DATA_DIR: data,
  PORT: '0',
  // Its jobs would be signals of nobody's.
  MAINTENANCE: 'off',
  WEBHOOK_SECRETS: '{"forge":"whsec_c2VjcmV0"}',
};
const stack = spawn(process.execPath, [START], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
let output = '';
stack.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
  output += chunk;
});
await until('it serves', () => output.includes('  log  '));
const url = Object(JSON.parse(readFileSync(join(data, 'stack.json'), 'utf8'))).url;
const tokens: unknown = JSON.parse(readFileSync(join(data, 'tokens.json'), 'utf8'));
const secrets = Object.values(Object(tokens));
const token = Object(tokens).approverToken;
const ports = IS_LINUX ? findListening(stack.pid ?? 0).tcp.map(({ port }) => port) : [Number(new URL(url).port)];
afterAll(async () => {
  stack.kill('SIGTERM');
  if (stack.exitCode === null) await once(stack, 'exit');
  rmSync(folder, { recursive: true, force: true });
});

it('listens on loopback alone, over TCP alone: the front, table, queues, their keys, calls of functions, demo model and demo webhook', () => {
  if (!IS_LINUX) {
    console.log('Not looked at: only Linux tells what a process listens on.');
    return;
  }
  const { tcp, udp, unix } = findListening(stack.pid ?? 0);
  expect({ addresses: tcp.map(({ address }) => address), udp, unix }).toStrictEqual({
    addresses: Array.from({ length: 7 }, () => '0100007F'),
    udp: [],
    unix: [],
  });
});

const ask = async (path: string): Promise<unknown> => {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return answer.json();
};

it('refuses a flood of posts without proofs by their heads, and bounds it', async () => {
  const before = await ask('/api/signals');
  /** Announces a body, and sends it never. */
  const announce = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${url}/webhook/forge`, { method: 'POST', headers: { 'content-length': '200000' } });
      sent.on('error', reject).on('response', (answer) => {
        resolve(answer.statusCode);
        sent.destroy();
      });
      sent.flushHeaders();
    });
  const statuses = await Promise.all(Array.from({ length: 100 }, announce));
  expect(new Set(statuses)).toStrictEqual(new Set([401, 429]));
  // Two minutes of the clock, at the most.
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(100 - 2 * UNPROVEN_A_MINUTE_MAX);
  expect(await ask('/api/signals')).toStrictEqual(before);
});

describe('a page in a browser', () => {
  let browser: Browser;
  let attacker: Server;
  let page: Page;
  const statuses = new Map<number, number[]>();

  beforeAll(async () => {
    // A browser that does not itself keep pages away from this machine, as older ones do not.
    const features = '--disable-features=LocalNetworkAccessChecks,AudioServiceOutOfProcess';
    browser = await launchBrowser(['--host-resolver-rules=MAP evil.example 127.0.0.1', features]);
    attacker = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>page</title><body></body>');
    });
    attacker.listen(0, '127.0.0.1');
    await once(attacker, 'listening');
    page = await browser.newPage();
    page.on('response', (response) => {
      const port = Number(new URL(response.url()).port);
      statuses.set(port, [...(statuses.get(port) ?? []), response.status()]);
    });
  });
  afterAll(async () => {
    await browser?.close();
    attacker?.close();
  });

  /** Gives what the page could read or open. */
  const attack = (origins: readonly string[]): Promise<readonly string[]> => page.evaluate(hostileScript(origins));

  const allowed = (port: number): readonly number[] => (statuses.get(port) ?? []).filter((status) => status < 400);

  it.each(someOf('other origins', ['127.0.0.1', 'localhost', 'evil.example'], 1))(
    'of another origin at %s gets nothing in or out',
    async (name) => {
      statuses.clear();
      const before = await ask('/api/signals');
      await page.goto(`http://${name}:${(attacker.address() as AddressInfo).port}/`);
      expect(await attack(ports.map((port) => `http://127.0.0.1:${port}`))).toStrictEqual([]);
      for (const port of ports) {
        expect({ port, allowed: allowed(port) }).toStrictEqual({ port, allowed: [] });
        expect(statuses.get(port)?.length).toBeGreaterThan(10);
      }
      expect(await ask('/api/signals')).toStrictEqual(before);
    },
  );

  it('whose name was pointed at this machine gets nothing, although the browser takes it for the same origin', async () => {
    for (const port of ports) {
      statuses.clear();
      // The page comes from the attacker; then its name leads to this machine.
      const address = `http://evil.example:${port}/`;
      await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: '<body></body>' }));
      await page.goto(address);
      await page.unroute(address);
      statuses.clear();
      expect(await attack([`http://evil.example:${port}`])).toStrictEqual([]);
      expect(allowed(port)).toStrictEqual([]);
      expect(statuses.get(port)?.length).toBeGreaterThan(10);
    }
  });
});

/** The account "nobody" of most systems; that it has a name is not needed. */
const OTHER = ['--reuid=65534', '--regid=65534', '--clear-groups'];

/** Runs in the other account, with nothing of ours but Node. Gives what it could read, by name. */
const INTRUDER = `
const { readFileSync, readdirSync } = require('node:fs');
const { ports, files, pids } = JSON.parse(process.argv[1]);
const main = async () => {
  const answers = [];
  for (const port of ports) for (const [path, headers, body] of [
    ['/'], ['/health'], ['/api/signals'], ['/api/log'], ['/_fauxqs/queues'], ['/v1/models'], ['/__aimock/journal'],
    ['/api/messages', {}, '{"text":"hello"}'], ['/api/stop', {}, '{}'], ['/webhook/forge', {}, '{}'], ['/telegram', {}, '{"update_id":1}'],
    ['/v1/chat/completions', {}, '{"messages":[]}'],
    ['/', { 'x-amz-target': 'DynamoDB_20120810.Scan' }, '{"TableName":"passepartout"}'],
    ['/', { 'x-amz-target': 'AmazonSQS.ListQueues' }, '{}'],
    ['/', { 'x-amz-target': 'AmazonSQS.ReceiveMessage',
      authorization: 'AWS4-HMAC-SHA256 Credential=local/20261122/us-east-1/sqs/aws4_request, SignedHeaders=host;x-amz-target, Signature=' + '0'.repeat(64) }, '{}'],
  ]) {
    const method = body === undefined ? 'GET' : 'POST';
    const type = { 'content-type': 'application/x-amz-json-1.0', ...headers };
    const answer = await fetch('http://127.0.0.1:' + port + path, body === undefined ? {} : { method, headers: type, body });
    answers.push({ port, path, method, status: answer.status, text: await answer.text() });
  }
  const attempt = (read) => { try { return String(read()); } catch (error) { return error.code; } };
  const read = Object.fromEntries(files.map((file) => [file, attempt(() => readFileSync(file))]));
  const folder = attempt(() => readdirSync(files[0]));
  const processes = pids.map((pid) => ({
    environ: attempt(() => readFileSync('/proc/' + pid + '/environ')),
    memory: attempt(() => readFileSync('/proc/' + pid + '/mem')),
    open: attempt(() => readdirSync('/proc/' + pid + '/fd')),
    commandLine: attempt(() => readFileSync('/proc/' + pid + '/cmdline')),
  }));
  console.log(JSON.stringify({ answers, read, folder, processes }));
};
main();
`;

interface Seen {
  readonly answers: readonly { port: number; path: string; method: string; status: number; text: string }[];
  readonly read: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly processes: readonly { environ: string; memory: string; open: string; commandLine: string }[];
}

const canBeAnother = (): boolean => {
  if (!IS_LINUX || process.getuid?.() !== 0) return false;
  try {
    execFileSync('setpriv', [...OTHER, process.execPath, '-e', '0'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe('another account of the machine', () => {
  it('is told in one sentence that the folder is not its own', ({ skip }) => {
    if (!canBeAnother()) skip('another account needs root on Linux, setpriv, and a Node that all accounts may run');
    const started = spawnSync('setpriv', [...OTHER, process.execPath, START], {
      encoding: 'utf8',
      cwd: '/',
      env: { DATA_DIR: data, PORT: '0' },
    });
    expect([started.status, started.stderr.trim()]).toStrictEqual([
      2,
      `${data} cannot be used: it belongs to another account; start as that account, or set DATA_DIR to a folder of your own.`,
    ]);
  });

  it('reads nothing and changes nothing, over any port or file', async ({ skip }) => {
    if (!canBeAnother()) skip('another account needs root on Linux, setpriv, and a Node that all accounts may run');
    const before = await ask('/api/signals');
    const names = ['', 'tokens.json', 'stack.json', 'lock.json', 'table.sqlite', 'table.sqlite-wal', 'functions.log'];
    const input = { ports, files: names.map((name) => join(data, name)), pids: processTree(stack.pid ?? 0) };
    const text = execFileSync('setpriv', [...OTHER, process.execPath, '-e', INTRUDER, JSON.stringify(input)], {
      encoding: 'utf8',
      cwd: '/',
      env: {},
    });
    const seen: Seen = JSON.parse(text);
    const got = seen.answers.filter(({ status }) => status < 400);
    const front = Number(new URL(url).port);
    expect(got.map(({ port, path, method }) => ({ port, path, method }))).toStrictEqual([
      { port: front, path: '/', method: 'GET' },
      { port: front, path: '/health', method: 'GET' },
    ]);
    expect(Object.keys(JSON.parse(got[1]?.text ?? '{}'))).toStrictEqual(['status']);
    expect([seen.folder, ...Object.values(seen.read)]).toStrictEqual(Array(names.length + 1).fill('EACCES'));
    for (const { environ, memory, open } of seen.processes)
      expect([environ, memory, open]).toStrictEqual(['EACCES', 'EACCES', 'EACCES']);
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(await ask('/api/signals')).toStrictEqual(before);
  });
});

describe('findOpenDoors', () => {
  it('says in a sentence each what the system does not protect', () => {
    const [dataDir, envFile] = [join(folder, 'private'), join(folder, '.env')];
    mkdirSync(dataDir, { mode: 0o700 });
    writeFileSync(envFile, '', { mode: 0o600 });
    const input = { dataDir, envFile, platform: 'linux', inspector: undefined } as const;
    expect(findOpenDoors(input)).toStrictEqual([]);
    chmodSync(dataDir, 0o755);
    chmodSync(envFile, 0o644);
    expect(findOpenDoors({ ...input, inspector: 'ws://127.0.0.1:9229/x' })).toStrictEqual([
      expect.stringContaining(`${dataDir} keeps no modes`),
      expect.stringContaining(`"chmod 600 ${envFile}"`),
      expect.stringContaining('A debugger listens at 127.0.0.1:9229'),
    ]);
    expect(findOpenDoors({ ...input, platform: 'win32' })).toStrictEqual([expect.stringContaining('Windows')]);
  });
});
