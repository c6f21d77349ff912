/**
 * Erased bytes in the table's own file: there until it is compacted, gone from it and its log
 * afterwards.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CompactInput, compactTable } from '../../infra/local/compact-table.ts';
import { buildEngine } from '../../infra/local/table-server/engine.ts';
import { closeStorage, openTableFile, type Storage } from '../../infra/local/table-server/storage.ts';
import { coversKey } from '../../lib/core/memory/keys.ts';

const TABLE = 'passepartout';
const SECRET = 'the violet heron nests behind the mill';

let folder: string;
let storage: Storage;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'passepartout-compact-'));
  storage = openTableFile(join(folder, 'table.sqlite'));
});
afterEach(() => {
  closeStorage(storage);
  rmSync(folder, { recursive: true, force: true });
});

const send = (action: string, input: object): string => {
  const [answer] = buildEngine({ storage, now: Date.now }).run([{ action, body: JSON.stringify(input) }]);
  expect(answer?.status, answer?.body).toBe(200);
  return answer?.body ?? '';
};
const put = (pk: string, sk: string, text: string): void => {
  send('PutItem', { TableName: TABLE, Item: { pk: { S: pk }, sk: { S: sk }, text: { S: text } } });
};

const forgetNote = (n: number): void => {
  const { pk, sk } = coversKey('default', `${n}`);
  put(pk, sk, 'which evidence lost its content');
  put('memory#default', `note ${n}`, '[forgotten]');
};

/** Notes of a page each, so that there is something to be freed; then some of them are erased. */
const fill = (): void => {
  const keys = ['pk', 'sk'];
  send('CreateTable', {
    TableName: TABLE,
    KeySchema: keys.map((AttributeName, n) => ({ AttributeName, KeyType: n === 0 ? 'HASH' : 'RANGE' })),
    AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  });
  for (let n = 0; n < 12; n += 1) put('memory#default', `note ${n}`, `${n} ${SECRET} `.repeat(150));
};

const filesHolding = (words: string): readonly string[] =>
  readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(words));

const compact = (at: CompactInput['at'], lines: string[] = []) =>
  compactTable(storage, { tableName: TABLE, space: 'default', at, log: (line) => lines.push(line) });

describe('compactTable', () => {
  it('leaves no erased byte in the file or beside it, and everything else as it is', () => {
    fill();
    expect(compact('stop')).toBe(false);
    for (let n = 0; n < 12; n += 1) forgetNote(n);
    expect(filesHolding(SECRET)).not.toStrictEqual([]);
    expect(compact('stop')).toBe(true);
    expect(filesHolding(SECRET)).toStrictEqual([]);
    expect(send('Scan', { TableName: TABLE }).match(/\[forgotten\]/g)).toHaveLength(12);
  });

  it('is done once for what is forgotten, and after a start again at the stop', () => {
    fill();
    forgetNote(1);
    const steps = (['start', 'start', 'stop', 'stop', 'start'] as const).map((at) => compact(at));
    expect(steps).toStrictEqual([true, true, true, false, false]);
    forgetNote(2);
    expect(compact('stop')).toBe(true);
    const modified = () => statSync(join(folder, 'table.sqlite')).mtimeMs;
    const before = modified();
    expect(compact('start')).toBe(false);
    expect(modified()).toBe(before);
  });

  it('says what is wrong and does no harm', () => {
    const lines: string[] = [];
    fill();
    expect(compact('start', lines)).toBe(false);
    expect(lines).toStrictEqual([]);
    forgetNote(1);
    storage.database.exec('BEGIN');
    expect(compact('start', lines)).toBe(false);
    storage.database.exec('ROLLBACK');
    expect(lines).toStrictEqual([expect.stringContaining('could not be compacted')]);
  });
});
