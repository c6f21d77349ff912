/**
 * The local stack with functions small enough to see through, and the template of the real ones.
 */

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { USUAL_FUNCTIONS } from '../../infra/functions.ts';
import { FolderInUseError, VAULT_FILE } from '../../infra/local/data-folder.ts';
import { callDynamo } from '../../infra/local/database.ts';
import { type LocalStack, type StackOptions, startStack } from '../../infra/local/stack.ts';

const FIXTURES = fileURLToPath(new URL('../support/fixtures', import.meta.url));
const SECRET = 'a-secret-of-the-console';

const folders: string[] = [];
const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'passepartout-test-'));
  folders.push(folder);
  return folder;
};

const CACHE = makeFolder();

const start = (dataDir: string, options: Partial<StackOptions> = {}): Promise<LocalStack> =>
  startStack({
    dataDir,
    functionsRoot: FIXTURES,
    cacheDir: CACHE,
    environment: { APPROVER_TOKEN: SECRET },
    ...options,
  });

const AUTHORIZATION = { authorization: `Bearer ${SECRET}` };

const get = async <T>(stack: LocalStack, path: string): Promise<T> =>
  (await fetch(`${stack.url}${path}`, { headers: AUTHORIZATION })).json() as T;

const post = (stack: LocalStack, id: string, text: string, group = id): Promise<Response> =>
  fetch(`${stack.url}/api/messages`, {
    method: 'POST',
    headers: { ...AUTHORIZATION, 'content-type': 'application/json' },
    body: JSON.stringify({ id, group, text }),
  });

const stepsOf = (stack: LocalStack, id: string) => get<string[]>(stack, `/api/notes/${id}`);

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('startStack', () => {
  let stack: LocalStack;
  const folder = makeFolder();

  beforeAll(async () => {
    const environment = {
      APPROVER_TOKEN: SECRET,
      TELEGRAM_BOT_TOKEN: 'only for act',
      MEMEX_ASSISTANT: 'somebody',
      UNRELATED: 'x',
      HOME_CHAT: '',
    };
    stack = await start(folder, { environment, heartbeatIntervalSeconds: 1 });
  });
  afterAll(() => stack.stop());

  it('carries a message from HTTP through the three stages into the table', async () => {
    expect((await post(stack, 'one', 'hello')).status).toBe(202);
    await expect.poll(() => stepsOf(stack, 'one')).toStrictEqual(['console', 'perceive#1', 'reason#1', 'act#1']);
  });

  it('keeps the order of one conversation', async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `order-${index}`);
    for (const id of ids) await post(stack, id, 'hello', 'one conversation');
    await expect.poll(() => stepsOf(stack, 'order-9')).toHaveLength(4);
    for (const id of ids) expect(await stepsOf(stack, id)).toHaveLength(4);
  });

  it('gives a function the variables of its template, its own secrets, and nothing else', async () => {
    const variables = await get<Record<string, string>>(stack, '/api/environment');
    const { PERCEIVE_QUEUE_URL, LOG_QUEUE_URL, AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL_SQS, ...others } = variables;
    const { PATH, STACK_RUN, ...rest } = others;
    expect(STACK_RUN).toHaveLength(36);
    expect(rest).toStrictEqual({
      SPACE: 'default',
      LOG_LEVEL: 'info',
      HOME_CHAT: '',
      TABLE_NAME: 'passepartout',
      MEMEX_ASSISTANT: 'somebody',
      PROVIDER_VAULT_FILE: join(folder, VAULT_FILE),
      APPROVER_TOKEN: SECRET,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: stack.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: stack.credentials.secretAccessKey,
      AWS_LAMBDA_FUNCTION_NAME: 'console',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '320',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      TZ: 'UTC',
    });
    expect({ AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL_SQS, PATH }).toStrictEqual({
      AWS_ENDPOINT_URL_DYNAMODB: stack.endpoints.dynamodb,
      AWS_ENDPOINT_URL_SQS: stack.endpoints.sqs,
      PATH: process.env.PATH,
    });
    expect(LOG_QUEUE_URL).toMatch(/LogStageQueue\w+\.fifo$/);
    expect(PERCEIVE_QUEUE_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/000000000000\/PerceiveStageQueue\w+\.fifo$/);
  });

  it('routes each path to its function', async () => {
    for (const [path, name] of [
      ['/telegram', 'telegram'],
      ['/webhook/github?x=1', 'webhook'],
    ] as const) {
      const answer = await fetch(`${stack.url}${path}`, { method: 'POST', body: '{}' });
      expect(answer.headers.get('x-function')).toBe(name);
      expect(await answer.json()).toMatchObject({ version: '2.0', rawPath: path.split('?')[0] });
    }
  });

  it('answers 502 when a function crashes, and serves the next request', async () => {
    expect((await fetch(`${stack.url}/api/crash`, { headers: AUTHORIZATION })).status).toBe(502);
    expect((await fetch(`${stack.url}/health`)).status).toBe(200);
  });

  it('fires the heartbeat for recovery first, then on the grid', async () => {
    const read = async (name: string) => {
      const answer = await callDynamo(
        { endpoint: stack.endpoints.dynamodb, credentials: stack.credentials },
        'GetItem',
        {
          TableName: stack.tableName,
          Key: { pk: { S: 'setting#default' }, sk: { S: name } },
        },
      );
      return (answer as { Item?: { value: { S: string } } }).Item?.value.S;
    };
    expect(await read('recovered')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    await expect.poll(() => read('tick')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  it('keeps the connection of a client that is busy with itself for a while', async () => {
    const { headers } = await fetch(`${stack.url}/health`);
    expect(headers.get('keep-alive')).toBe('timeout=300');
  });

  it('binds everything to the loopback interface', () => {
    for (const url of [stack.url, stack.endpoints.dynamodb, stack.endpoints.sqs]) {
      expect(new URL(url).hostname).toBe('127.0.0.1');
    }
  });

  it('says where it is, without its tokens', () => {
    const text = readFileSync(join(folder, 'stack.json'), 'utf8');
    expect(JSON.parse(text)).toStrictEqual({ url: stack.url, pid: process.pid });
  });

  it('refuses a second start on its folder by its own process id, and is not harmed', async () => {
    await expect(start(folder)).rejects.toThrow(FolderInUseError);
    await expect(start(folder)).rejects.toMatchObject({ pid: process.pid });
    expect((await fetch(`${stack.url}/health`)).status).toBe(200);
  });
});

describe('startStack with the real functions', () => {
  it('starts every one of them with the environment of its template', async () => {
    const stack = await startStack({
      dataDir: makeFolder(),
      environment: { APPROVER_TOKEN: SECRET, TELEGRAM_API_ROOT: 'http://127.0.0.1:1' },
    });
    try {
      const outcomes = await Promise.all(
        USUAL_FUNCTIONS.map((name) =>
          stack.invoke(name, { Records: [] }).then(
            () => 'ran',
            (error) => error.outcome,
          ),
        ),
      );
      // An event that is none of theirs may be refused; a missing variable ends the environment
      // before it sees one.
      expect(outcomes.filter((outcome) => outcome !== 'ran' && outcome !== 'failed')).toStrictEqual([]);
    } finally {
      await stack.stop();
    }
  });
});

describe('startStack when functions misbehave', () => {
  let stack: LocalStack;

  beforeAll(async () => {
    const overrides = { visibilityTimeoutS: 2, functionTimeoutMs: 1_500 };
    stack = await start(makeFolder(), { overrides });
  });
  afterAll(() => stack.stop());

  it('retries a run that crashes, hangs, loops, throws or fails its message, then dead-letters it', async () => {
    const ways = ['crash', 'hang', 'loop', 'throw', 'fail'];
    for (const way of ways) await post(stack, way, `reason:${way}`);
    for (const way of ways) {
      await expect.poll(() => stepsOf(stack, way)).toContain('dead-letter');
      const steps = await stepsOf(stack, way);
      // Where the machine stands still for longer than these short timeouts, a try is late or lost,
      // and a stage in order is tried again.
      expect(steps.filter((step) => !/^(console|perceive#\d|reason#[123]|dead-letter)$/.test(step))).toStrictEqual([]);
      expect(new Set(steps.filter((step) => step.startsWith('reason'))).size).toBeGreaterThan(1);
    }
  });

  it('goes on serving other conversations meanwhile', async () => {
    await post(stack, 'bad', 'reason:hang');
    await post(stack, 'good', 'hello');
    await expect
      .poll(async () => (await stepsOf(stack, 'good')).join(' '))
      .toMatch(/^console( perceive#\d)+( reason#\d)+ act#/);
  });
});

describe('startStack after a stop or a crash', () => {
  let stack: LocalStack | undefined;
  afterEach(async () => {
    await stack?.stop();
    stack = undefined;
  });

  it('stops without leaving a process or a lock, and finds its data again', async () => {
    const folder = makeFolder();
    const first = await start(folder);
    await post(first, 'kept', 'hello');
    await expect.poll(() => stepsOf(first, 'kept')).toHaveLength(4);
    await first.stop();
    expect(['lock.json', 'stack.json'].filter((name) => existsSync(join(folder, name)))).toStrictEqual([]);
    for (const url of [first.url, first.endpoints.dynamodb]) await expect(fetch(url)).rejects.toThrow();
    stack = await start(folder);
    expect(await stepsOf(stack, 'kept')).toHaveLength(4);
  });

  it('takes over from a killed stack, whose database ended with it, and keeps its data', async () => {
    const folder = makeFolder();
    const program = `
      import { startStack } from ${JSON.stringify(new URL('../../infra/local/stack.ts', import.meta.url).href)};
      const stack = await startStack({ dataDir: ${JSON.stringify(folder)}, functionsRoot: ${JSON.stringify(FIXTURES)}, cacheDir: ${JSON.stringify(CACHE)}, environment: { APPROVER_TOKEN: ${JSON.stringify(SECRET)} } });
      process.stdout.write(JSON.stringify([stack.url, stack.endpoints.dynamodb]));
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [url = '', database = ''] = await new Promise<string[]>((resolve) =>
      child.stdout.once('data', (chunk) => resolve(JSON.parse(String(chunk)) as string[])),
    );
    await post({ url } as LocalStack, 'kept', 'hello');
    await expect.poll(() => stepsOf({ url } as LocalStack, 'kept')).toHaveLength(4);
    expect((await fetch(database)).status).toBe(403);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    await expect(fetch(database)).rejects.toThrow();

    stack = await start(folder);
    expect(await stepsOf(stack, 'kept')).toHaveLength(4);
  });

  it('cleans up after a start that fails', async () => {
    const folder = makeFolder();
    await expect(start(folder, { functionsRoot: folder })).rejects.toThrow();
    expect(existsSync(join(folder, 'lock.json'))).toBe(false);
  });
});
