/**
 * `npm start` as a person or a service manager meets it: a process with an environment, an output
 * and signals.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import { chooseModel, ollamaUrl } from '../../infra/local/choose-model.ts';
import { findStart } from '../../infra/local/data-folder.ts';
import { parseLocalSettings } from '../../infra/local/settings.ts';
import { CHILD_ENV } from '../support/child-env.ts';
import { someOf } from '../support/sample.ts';

const START = fileURLToPath(new URL('../../infra/local/start.ts', import.meta.url));

interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<number | null>;
}

const folder = mkdtempSync(join(tmpdir(), 'passepartout-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (environment: Record<string, string>, detached = false): Started => {
  const env = { ...CHILD_ENV, DATA_DIR: join(folder, 'data'), PORT: '0', ...environment };
  const child = spawn(process.execPath, [START], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return { child, output: () => text, ended: new Promise((resolve) => child.once('exit', resolve)) };
};

interface Health {
  readonly reasons: readonly string[];
}

/** The console's address as it is said, and the token, which no output that may be kept holds. */
const openingOf = (output: string): { readonly url: string; readonly token: string } => {
  const [, url = ''] = /console {3}(\S+)\/ \(sign in with APPROVER_TOKEN/.exec(output) ?? [];
  const { approverToken } = JSON.parse(readFileSync(join(folder, 'data', 'tokens.json'), 'utf8'));
  return { url, token: approverToken };
};

describe('npm start', () => {
  it('names every variable that does not fit, from the environment and .env, and starts nothing', async () => {
    writeFileSync(join(folder, '.env'), 'PORT=1\nSPACE=Not Good\nHEARTBEAT_INTERVAL_SECONDS=0\n');
    const { output, ended } = run({ PORT: 'x', TELEGRAM_MODE: 'push', BUGDET_DAY_USD: '1', OPENAI_API_KEYY: 'abc' });
    expect(await ended).toBe(2);
    for (const name of ['PORT', 'SPACE', 'HEARTBEAT_INTERVAL_SECONDS', 'TELEGRAM_MODE', 'BUGDET_DAY_USD']) {
      expect(output()).toContain(`- ${name}: `);
    }
    expect(output()).toContain('did you mean OPENAI_API_KEY?');
    rmSync(join(folder, '.env'));
  });

  const misspelt = [
    ['a line of .env', 'BUGDET_DAY_USD=3\nOPENAI_APIKEY=k\n', {}],
    ['a variable', '', { BUGDET_DAY_USD: '3' }],
  ] as const;
  it.each(someOf('misspelt bounds', misspelt, 1))(
    'does not start with a misspelt bound of spending in %s',
    async (_, file, environment) => {
      writeFileSync(join(folder, '.env'), file, { mode: 0o600 });
      const { output, ended } = run(environment);
      expect(await ended).toBe(2);
      expect(output()).toContain('- BUGDET_DAY_USD: is no setting; write BUDGET_DAY_USD, or remove it');
      rmSync(join(folder, '.env'));
    },
  );

  it('serves until SIGTERM, tells where, refuses a second start, and leaves nothing running', async () => {
    const data = join(folder, 'data');
    const first = run({ OPENAI_APIKEY: 'k' });
    await expect.poll(first.output).toContain('model     the demo model');
    expect(first.output()).toContain('OPENAI_APIKEY is no setting and does nothing: did you mean OPENAI_API_KEY?\n');
    const { url, token } = openingOf(first.output());
    expect(first.output()).not.toContain(token);
    const health = await fetch(`${url}/health`);
    expect(health.status).toBe(200);
    expect(await health.text()).not.toContain(token);
    expect((await fetch(`${url}/api/signals`)).status).toBe(401);
    expect((await fetch(`${url}/api/signals`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    expect((statSync(data).mode & 0o777).toString(8)).toBe('700');

    const second = run({});
    expect(await second.ended).toBe(2);
    expect(second.output()).toContain(`process id ${first.child.pid}`);

    const files = readdirSync(data, { recursive: true, encoding: 'utf8', withFileTypes: true });
    const modes = files.map((entry) => [
      entry.name,
      (statSync(join(entry.parentPath, entry.name)).mode & 0o777).toString(8),
      entry.isDirectory() ? '700' : '600',
    ]);
    expect(modes.length).toBeGreaterThan(5);
    expect(modes.filter(([, mode, wanted]) => mode !== wanted)).toStrictEqual([]);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    // The database is a part of the process, and its log a part of the file by now.
    expect(readdirSync(data).filter((name) => name.startsWith('table'))).toStrictEqual(['table.sqlite']);
  });
});

describe('the table of npm start', () => {
  const data = join(folder, 'data');
  const file = join(data, 'table.sqlite');
  const overwrite = (offset: number, bytes: number): void => {
    const handle = openSync(file, 'r+');
    writeSync(handle, Buffer.alloc(bytes, 0xa5), 0, bytes, offset);
    closeSync(handle);
  };

  const harms = [
    ['emptied', 'is empty, though a table was written there', () => truncateSync(file, 0)],
    ['cut', 'is damaged', () => truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096)],
    ['damaged', 'is damaged', () => overwrite(0, 200)],
  ] as const;
  it.each(someOf('harms at a start', harms, 1))(
    'ends the start with one sentence and code 2 when it is %s',
    async (_, cause, harm) => {
      const whole = readFileSync(file);
      harm();
      const { output, ended } = run({});
      expect(await ended).toBe(2);
      expect(output().trim()).toMatch(new RegExp(`^${file} ${cause}[^\\n]*\\. Put a copy of it back[^\\n]*$`));
      writeFileSync(file, whole);
    },
  );

  it('is named by /health when it cannot be written, and no more once it can', async () => {
    const { child, output, ended } = run({});
    await expect.poll(output).toContain('model     the demo model');
    const { url, token } = openingOf(output());
    /**
     * Stands for a full disk: files of this process do not grow any more. Linux alone can set it
     * from outside.
     */
    const limitFiles = (size: string) => execFileSync('prlimit', ['--pid', `${child.pid}`, `--fsize=${size}:`]);
    const post = async () => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return (await fetch(`${url}/api/messages`, { method: 'POST', headers, body: '{"text":"hello"}' })).status;
    };
    const reasons = async (): Promise<readonly string[]> =>
      ((await (await fetch(`${url}/health`, { headers: { authorization: `Bearer ${token}` } })).json()) as Health)
        .reasons;
    try {
      if (process.platform !== 'linux') return;
      limitFiles('1');
      expect(await post()).toBe(503);
      const [sentence, ...others] = (await reasons()).filter((reason) => reason.includes(file));
      expect(sentence).toMatch(
        new RegExp(
          `^nothing can be stored: ${file} cannot be [^\\n]*work goes on by itself \\(infra/troubleshooting\\.md\\)$`,
        ),
      );
      expect(others).toStrictEqual([]);
      limitFiles('unlimited');
      expect(await post()).toBe(202);
      expect((await reasons()).filter((reason) => reason.includes(file))).toStrictEqual([]);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  });
});

describe('the process of npm start', () => {
  /** Of a stack that serves on this data folder; undefined until it does. */
  const whereabouts = (data: string): { readonly url: string; readonly pid: number } | undefined => {
    const file = join(data, 'stack.json');
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  };
  const isRunning = (pid: number): boolean => findStart(pid) !== undefined;

  it('goes on when its output is closed', async () => {
    const data = join(folder, 'closed-output');
    const { child, ended } = run({ DATA_DIR: data });
    child.stdout?.destroy();
    child.stderr?.destroy();
    await expect.poll(() => whereabouts(data)).toBeDefined();
    expect((await fetch(`${whereabouts(data)?.url}/health`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('ends when npm, which started it, is told to end', async () => {
    const data = join(folder, 'npm');
    const env = { ...CHILD_ENV, HOME: folder, DATA_DIR: data, PORT: '0' };
    const npm = spawn('npm', ['start'], { cwd: ROOT, env, stdio: 'ignore' });
    await expect.poll(() => whereabouts(data)).toBeDefined();
    const pid = whereabouts(data)?.pid ?? 0;
    expect(isRunning(pid)).toBe(true);
    npm.kill('SIGTERM');
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect(whereabouts(data)).toBeUndefined();
  });

  it('says that it builds, and Ctrl-C during that ends it without a word', async () => {
    // The template of another space is not among those that "npm ci" built.
    const { child, output, ended } = run({ DATA_DIR: join(folder, 'first'), SPACE: `new-${process.pid}` }, true);
    await expect.poll(output).toContain('Building (once for each version)');
    // As a terminal does: to the whole group of processes.
    process.kill(-(child.pid ?? 0), 'SIGINT');
    expect(await ended).toBe(0);
    expect(output()).toBe('Building (once for each version) …\n');
  });

  it('tells of a taken port before it builds', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' ? `${address?.port}` : '';
    const { output, ended } = run({ DATA_DIR: join(folder, 'port'), PORT: port });
    expect(await ended).toBe(2);
    expect(output()).toContain(`PORT: ${port} cannot be used (another program listens there); set another`);
    expect(output()).not.toContain('Building');
    other.close();
  });

  it('names TMPDIR, not the data folder, if that is what cannot be written', async () => {
    const { output, ended } = run({ DATA_DIR: join(folder, 'tmp'), TMPDIR: '/proc/no', SPACE: `tmp-${process.pid}` });
    expect(await ended).toBe(2);
    expect(output()).toContain('TMPDIR: /proc/no cannot be written (ENOENT); set it to a folder');
    expect(output()).not.toContain('DATA_DIR');
  });

  const places = [
    ['it cannot be made there', () => '/proc/passepartout'],
    ['a file stands where a folder is needed', () => join(fileURLToPath(import.meta.url), 'data')],
    ['the system does not permit it', () => '/sys/passepartout'],
  ] as const;
  it.each(someOf('unusable places', places, 1))('says in one sentence that %s', async (cause, data) => {
    const { output, ended } = run({ DATA_DIR: data() });
    expect(await ended).toBe(2);
    expect(output().trim().split('\n')).toHaveLength(1);
    expect(output()).toContain(`${data()} cannot be used: ${cause}; `);
  });
});

describe('chooseModel', () => {
  let ollama: Server;
  let url: string;

  beforeAll(async () => {
    ollama = createServer((_, response) =>
      response.end(JSON.stringify({ models: [{ name: 'small:1b' }, { name: 'b' }] })),
    );
    await new Promise<void>((resolve) => ollama.listen(0, '127.0.0.1', resolve));
    const address = ollama.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  });
  afterAll(() => new Promise((resolve) => ollama.close(resolve)));

  it('takes the configured providers, and looks for nothing else', async () => {
    const choice = await chooseModel(
      parseLocalSettings({ OPENAI_API_KEY: 'k', OPENAI_MODEL: 'clever', OLLAMA_HOST: url }),
      () => undefined,
    );
    expect(choice).toMatchObject({ description: 'openai/clever', variables: {} });
  });

  it('finds an Ollama, with a model it has', async () => {
    const choice = await chooseModel(parseLocalSettings({ OLLAMA_HOST: url }), () => undefined);
    expect(choice).toMatchObject({
      description: 'ollama/small:1b (found on this machine)',
      variables: { OLLAMA_BASE_URL: url, OLLAMA_MODEL: 'small:1b', PROVIDER_NAMES: 'ollama/small:1b' },
    });
  });

  it.each([
    ['', 'http://127.0.0.1:11434'],
    ['127.0.0.1', 'http://127.0.0.1:11434'],
    ['0.0.0.0:11500', 'http://127.0.0.1:11500'],
    [':11500', 'http://127.0.0.1:11500'],
    ['http://127.0.0.1:11500/', 'http://127.0.0.1:11500'],
    ['no address at all', 'http://127.0.0.1:11434'],
  ])('looks for an Ollama where OLLAMA_HOST says: %s', (host, address) => {
    expect(ollamaUrl({ OLLAMA_HOST: host })).toBe(address);
  });

  it('starts the demo model where there is none', async () => {
    const choice = await chooseModel(parseLocalSettings({ OLLAMA_HOST: '127.0.0.1:1' }), () => undefined);
    expect(choice.variables).toMatchObject({ PROVIDER_NAMES: 'demo/model' });
    await choice.close();
  });
});
