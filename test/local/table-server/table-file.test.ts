/**
 * The table's file under faults: the process is killed, the disk is full, the file is cut, emptied,
 * damaged or read-only. What was acknowledged is there afterwards, and what is wrong is one
 * sentence with the file, the cause and the way out.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callDynamo, type TableAccess } from '../../../infra/local/database.ts';
import {
  closeStorage,
  compactStorage,
  findDamage,
  openTableFile,
  TableFileError,
} from '../../../infra/local/table-server/storage.ts';
import { startTableServer } from '../../../infra/local/table-server/table-server.ts';
import { someOf, TAKES_MORE } from '../../support/sample.ts';
import { DEFINITION, TABLE } from './random-operations.ts';

let folder: string;
let file: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'passepartout-table-'));
  file = join(folder, 'table.sqlite');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const module = (name: string) =>
  JSON.stringify(new URL(`../../../infra/local/table-server/${name}`, import.meta.url).href);
const PROGRAM = `
  const { openTableFile } = await import(${module('storage.ts')});
  const { startTableServer } = await import(${module('table-server.ts')});
  const file = process.env.TABLE_FILE;
  const { endpoint, credentials, problem } = await startTableServer({ storage: openTableFile(file), file });
  console.log(JSON.stringify({ endpoint, credentials }));
  process.stdin.on('data', () => console.log(JSON.stringify(problem() ?? null)));
`;

interface Served {
  readonly access: TableAccess;
  readonly client: DynamoDBClient;
  readonly child: ChildProcess;
  /** The server's messages about its file. */
  readonly problem: () => Promise<string | null>;
}

/** A server in a process of its own. @param prefix a program that limits it */
const serve = async (prefix: readonly string[] = []): Promise<Served> => {
  const [program = process.execPath, ...words] = [...prefix, process.execPath, '--input-type=module', '-e', PROGRAM];
  const child = spawn(program, words, {
    env: { ...process.env, TABLE_FILE: file },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const line = () =>
    new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (chunk) => resolve(String(chunk)));
      child.once('exit', (code) => reject(new Error(`the server ended (${code})`)));
    });
  const access = JSON.parse(await line()) as TableAccess;
  const client = new DynamoDBClient({ ...access, region: 'us-east-1', maxAttempts: 1 });
  const problem = async () => {
    const answer = line();
    child.stdin.write('?');
    return JSON.parse(await answer) as string | null;
  };
  return { access, client, child, problem };
};
const end = async ({ child, client }: Served): Promise<void> => {
  client.destroy();
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
};

const put = (served: Served, sk: string, text = 'x'.repeat(1_000)) =>
  served.client.send(
    new PutItemCommand({ TableName: TABLE, Item: { pk: { S: 'a' }, sk: { S: sk }, text: { S: text } } }),
  );
const keysIn = async (served: Served): Promise<ReadonlySet<string>> => {
  const keys = new Set<string>();
  for (let start: Record<string, { S: string }> | undefined; ; ) {
    const page = await served.client.send(new ScanCommand({ TableName: TABLE, ExclusiveStartKey: start }));
    for (const { sk } of page.Items ?? []) keys.add(sk?.S ?? '');
    if (page.LastEvaluatedKey === undefined) return keys;
    start = page.LastEvaluatedKey as Record<string, { S: string }>;
  }
};
const fill = async (items = 200, text?: string): Promise<void> => {
  const served = await serve();
  await callDynamo(served.access, 'CreateTable', DEFINITION);
  for (let n = 0; n < items; n += 1) await put(served, `${n}`, text);
  await end(served);
};

const KILLS = TAKES_MORE ? 5 : 2;
const WRITES = KILLS * 110 + 50;

describe('kill -9', () => {
  it(`loses no acknowledged write: ${WRITES} of them, ${KILLS} kills`, async () => {
    const acknowledged: string[] = [];
    let sent = 0;
    let served = await serve();
    await callDynamo(served.access, 'CreateTable', DEFINITION);
    for (let kill = 1; acknowledged.length < WRITES; ) {
      const running = served;
      const batch = Promise.allSettled(
        Array.from({ length: 8 }, () => {
          sent += 1;
          const sk = `${sent}`;
          return put(running, sk).then(() => acknowledged.push(sk));
        }),
      );
      const isTime = kill <= KILLS && acknowledged.length >= kill * 110;
      if (isTime) {
        kill += 1;
        await end(running);
      }
      await batch;
      if (isTime) served = await serve();
    }
    const kept = await keysIn(served);
    expect(acknowledged.filter((sk) => !kept.has(sk))).toStrictEqual([]);
    await end(served);
    const storage = openTableFile(file);
    expect(findDamage(storage)).toBeUndefined();
    closeStorage(storage);
  });
});

/** A small file system of its own, or undefined where this account may not mount one. */
const mountSmall = (place: string, megabytes: number): (() => void) | undefined => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', place], { stdio: 'ignore' });
    return () => execFileSync('umount', ['-l', place], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
};

const writeUntilRefused = async (
  served: Served,
): Promise<{ readonly acknowledged: string[]; readonly refusal: unknown }> => {
  const acknowledged: string[] = [];
  for (let n = 0; n < 2_000; n += 1) {
    try {
      await put(served, `full ${n}`, 'x'.repeat(50_000));
      acknowledged.push(`full ${n}`);
    } catch (refusal) {
      return { acknowledged, refusal };
    }
  }
  throw new Error('the disk never became full');
};

describe('a full disk', () => {
  it('refuses writes with one sentence, still reads, and goes on by itself when there is room', async () => {
    const unmount = mountSmall(folder, 6);
    // Without the right to mount, a limit on the size of files stands for the disk: it cannot be
    // lifted again.
    const served = await serve(unmount === undefined ? ['sh', '-c', 'ulimit -f 4000; exec "$@"', 'sh'] : []);
    try {
      await callDynamo(served.access, 'CreateTable', DEFINITION);
      const room = join(folder, 'something large');
      if (unmount !== undefined) writeFileSync(room, Buffer.alloc(2 * 1024 * 1024));
      const { acknowledged, refusal } = await writeUntilRefused(served);
      expect(acknowledged.length).toBeGreaterThan(5);
      expect(refusal).toMatchObject({ name: 'InternalServerError', $metadata: { httpStatusCode: 500 } });
      const kept = await keysIn(served);
      expect(acknowledged.filter((sk) => !kept.has(sk))).toStrictEqual([]);
      const sentence = await served.problem();
      expect(sentence).toContain(`${file} cannot be `);
      expect(sentence).not.toContain('\\n');
      if (unmount === undefined) return;
      expect(sentence).toBe(`${file} cannot be written: the disk is full. Make room: work goes on by itself.`);
      rmSync(room);
      await put(served, 'after');
      expect(await served.problem()).toBeNull();
      await end(served);
      const again = await serve();
      const all = await keysIn(again);
      expect([...acknowledged, 'after'].filter((sk) => !all.has(sk))).toStrictEqual([]);
      await end(again);
    } finally {
      await end(served);
      unmount?.();
    }
  });
});

const sentenceOf = (open: () => unknown): string => {
  try {
    open();
  } catch (error) {
    expect(error).toBeInstanceOf(TableFileError);
    return error instanceof Error ? error.message : '';
  }
  throw new Error('the file was taken');
};

describe('a file that is not what was written', () => {
  const damage = (offset: number, bytes: number): void => {
    const handle = openSync(file, 'r+');
    writeSync(handle, Buffer.alloc(bytes, 0xa5), 0, bytes, offset);
    closeSync(handle);
  };
  const checkpointed = async (): Promise<void> => {
    await fill();
    const storage = openTableFile(file);
    compactStorage(storage);
    closeStorage(storage);
  };

  const harms = [
    ['emptied', 'is empty, though a table was written there', () => truncateSync(file, 0)],
    ['cut in half', 'is damaged', () => truncateSync(file, Math.floor(statSync(file).size / 2))],
    ['overwritten in the middle', 'is damaged', () => damage(20_000, 8_000)],
    ['overwritten from its start', 'is damaged', () => damage(0, 200)],
  ] as const;
  it.each(someOf('harms of a table', harms, 2))(
    'is refused at the start when %s, and left as it is',
    async (_, cause, harm) => {
      await checkpointed();
      harm();
      const bytes = readFileSync(file);
      const sentence = sentenceOf(() => openTableFile(file));
      expect(sentence).toContain(`${file} ${cause}`);
      expect(sentence).toContain('Put a copy of it back');
      expect(sentence.split('\\n')).toHaveLength(1);
      expect(readFileSync(file).equals(bytes)).toBe(true);
    },
  );

  it('is said while the server runs, and nothing is answered from it', async () => {
    // More than SQLite keeps in memory: 12 MB.
    await fill(40, 'x'.repeat(300_000));
    const whole = openTableFile(file);
    compactStorage(whole);
    closeStorage(whole);
    const storage = openTableFile(file);
    const server = await startTableServer({ storage, file });
    expect(server.problem()).toBeUndefined();
    damage(0, statSync(file).size);
    const scan = () => callDynamo(server, 'Scan', { TableName: TABLE });
    await expect(scan()).rejects.toMatchObject({ type: 'InternalServerError' });
    expect(server.problem()).toContain(`${file} is damaged`);
    await server.stop();
    closeStorage(storage);
  });

  it('is refused when another process has it open', async () => {
    const served = await serve();
    expect(sentenceOf(() => openTableFile(file))).toBe(`${file} is in use by another process. End that process first.`);
    await end(served);
    closeStorage(openTableFile(file));
  });

  it('is refused when it cannot be written', async () => {
    await checkpointed();
    const place = mkdtempSync(join(tmpdir(), 'passepartout-read-only-'));
    const inside = join(place, 'table.sqlite');
    const unmount = mountSmall(place, 6);
    try {
      copyFileSync(file, inside);
      if (unmount === undefined) execFileSync('chmod', ['-R', 'a-w', place]);
      else execFileSync('mount', ['-o', 'remount,ro', place]);
      expect(sentenceOf(() => openTableFile(inside))).toContain(
        `${inside} cannot be written: it or its folder is read-only`,
      );
    } finally {
      unmount?.();
      execFileSync('chmod', ['-R', 'u+w', place]);
      rmSync(place, { recursive: true, force: true });
    }
  });

  it('made half by a start that was killed is made anew', async () => {
    writeFileSync(`${file}.draft`, 'half');
    closeStorage(openTableFile(file));
    expect(existsSync(`${file}.draft`)).toBe(false);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  });
});
