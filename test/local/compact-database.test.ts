/** Erased bytes in the local database's own file: there until it is compacted, gone from it and its log afterwards. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compactDatabase } from '../../infra/local/compact-database.ts';
import { startDatabase } from '../../infra/local/database.ts';
import { callDynamo } from '../../infra/local/dynamo-call.ts';
import { coversKey } from '../../lib/memory/keys.ts';

const TABLE = 'passepartout';
const SECRET = 'the violet heron nests behind the mill';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'passepartout-compact-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Put = (pk: string, sk: string, text: string) => Promise<unknown>;

/** Runs the server on the folder for as long as the work takes. */
const withServer = async (work: (put: Put, endpoint: string) => Promise<void>): Promise<void> => {
  const database = await startDatabase(folder, () => undefined);
  try {
    await work(
      (pk, sk, text) =>
        callDynamo(database.endpoint, 'PutItem', {
          TableName: TABLE,
          Item: { pk: { S: pk }, sk: { S: sk }, text: { S: text } },
        }),
      database.endpoint,
    );
  } finally {
    await database.stop();
  }
};

const KEYS = ['pk', 'sk'] as const;
const createTable = (endpoint: string) =>
  callDynamo(endpoint, 'CreateTable', {
    TableName: TABLE,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: KEYS.map((AttributeName, n) => ({ AttributeName, KeyType: n === 0 ? 'HASH' : 'RANGE' })),
    AttributeDefinitions: KEYS.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  });

const forgetNote = async (put: Put, n: number): Promise<void> => {
  const { pk, sk } = coversKey('default', `${n}`);
  await put(pk, sk, 'which evidence lost its content');
  await put('memory#default', `note ${n}`, '[forgotten]');
};

/** Notes of a page each, so that there is something to be freed; then one of them is erased. */
const fill = () =>
  withServer(async (put, endpoint) => {
    await createTable(endpoint);
    for (let n = 0; n < 12; n += 1) await put('memory#default', `note ${n}`, `${n} ${SECRET} `.repeat(150));
  });

const filesHolding = (words: string): readonly string[] =>
  readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(words));

const compact = (at: 'start' | 'stop', lines: string[] = []) =>
  compactDatabase({ folder, tableName: TABLE, space: 'default', at, log: (line) => lines.push(line) });

describe('compactDatabase', () => {
  it('leaves no erased byte in the file or beside it, and everything else as it is', async () => {
    await fill();
    expect(await compact('stop')).toBe(false);
    await withServer(async (put) => {
      for (let n = 0; n < 12; n += 1) await forgetNote(put, n);
    });
    expect(filesHolding(SECRET)).toStrictEqual(['table.db']);
    expect(await compact('stop')).toBe(true);
    expect(filesHolding(SECRET)).toStrictEqual([]);
    await withServer(async (_, endpoint) => {
      const answer = await callDynamo(endpoint, 'Scan', { TableName: TABLE });
      expect(JSON.stringify(answer).match(/\[forgotten\]/g)).toHaveLength(12);
    });
  });

  it('is done once for what is forgotten, and after a start again at the stop', async () => {
    await fill();
    await withServer((put) => forgetNote(put, 1));
    const steps: boolean[] = [];
    for (const at of ['start', 'start', 'stop', 'stop', 'start'] as const) steps.push(await compact(at));
    expect(steps).toStrictEqual([true, false, true, false, false]);
    await withServer((put) => forgetNote(put, 2));
    const modified = () => statSync(join(folder, 'table.db')).mtimeMs;
    expect(await compact('stop')).toBe(true);
    const before = modified();
    expect(await compact('start')).toBe(false);
    expect(modified()).toBe(before);
  });

  it('says what is wrong and does no harm: no file, no table yet, a server on it, a file that is none', async () => {
    const lines: string[] = [];
    expect(await compact('start', lines)).toBe(false);
    await withServer(async () => undefined);
    expect(await compact('start', lines)).toBe(false);
    expect(lines).toStrictEqual([]);
    await withServer(async () => {
      expect(await compact('stop', lines)).toBe(false);
    });
    expect(lines.splice(0)).toStrictEqual([expect.stringContaining('a server has it open')]);
    writeFileSync(join(folder, 'table.db'), 'no database at all, and longer than its header would be '.repeat(4));
    expect(await compact('start', lines)).toBe(false);
    expect(lines).toStrictEqual([expect.stringContaining('could not be compacted')]);
  });
});
