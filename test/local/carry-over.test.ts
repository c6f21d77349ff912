/**
 * A data folder of the earlier release, whose table a dynoxide server kept: carried over at the
 * first start, its log verified, the old file kept. The folder is made by today's stack on that
 * server, where its package is installed.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { carryOver } from '../../infra/local/carry-over.ts';
import { runCli } from '../cli/cli-world.ts';
import { APPROVER_TOKEN, startTestStack, type TestStack, until } from '../support/stack.ts';
import { findReference, startReference } from './table-server/compare-servers.ts';

let folder: string;
let world: TestStack | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const ask = async (stack: TestStack, text: string): Promise<string> => {
  const { body } = await stack.api<{ id: string }>('POST', '/api/messages', { text });
  return (await stack.settled(body.id)).replies.join(' ');
};
const anchorIn = (): string => {
  const file = join(folder, 'anchors', 'default.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
const writeLog = async (stack: TestStack): Promise<void> => {
  await stack.api('POST', '/api/log');
  await until('the log has it all', async () => {
    const { body } = await stack.api<{ size: number; leaves: number; isWaiting: boolean }>('GET', '/api/log');
    return !body.isWaiting && body.size === body.leaves && anchorIn().includes(`\n${body.size}\n`);
  });
};
const cli = (...words: readonly string[]) => runCli(words, folder, { env: { APPROVER_TOKEN } });

it('carries an earlier release over: everything is there, its log verifies and goes on, and the way back is said', async () => {
  folder = mkdtempSync(join(tmpdir(), 'passepartout-carry-'));
  const program = findReference();
  // Its package is for Linux on x64 alone, and optional.
  if (program === undefined) return console.log(`no reference server for ${process.platform}-${process.arch}`);
  const old = await startReference(program, join(folder, 'table.db'));
  world = await startTestStack({ isPolling: false, dataDir: folder, servers: { dynamodbEndpoint: old.endpoint } });
  await ask(world, '/remember the lock is green');
  await ask(world, 'hello');
  await writeLog(world);
  const before = await world.scan();
  writeFileSync(join(folder, 'before.txt'), anchorIn());
  await world.stop();
  const scanned = await old.send({ action: 'Scan', input: { TableName: 'passepartout' } });
  const { Count } = JSON.parse(scanned.body) as { Count: number };

  // As after a crash of the earlier release: its server is still there, on its file.
  world = await startTestStack({ isPolling: false, dataDir: folder });
  await expect(old.send({ action: 'ListTables', input: {} })).rejects.toThrow();
  await old.stop();
  expect(world.stack.notes).toStrictEqual([
    expect.stringMatching(new RegExp(`^carried ${Count} items over .*table\\.db.*the way back: `)),
  ]);
  const after = new Map((await world.scan()).map((item) => [`${item.pk} ${item.sk}`, item]));
  const signals = before.filter(({ pk }) => String(pk).startsWith('signal#'));
  expect(signals.length).toBeGreaterThan(5);
  for (const item of signals) expect(after.get(`${item.pk} ${item.sk}`)).toStrictEqual(item);
  expect(await ask(world, '/recall lock')).toContain('the lock is green');
  await writeLog(world);
  const exported = join(folder, 'evidence.jsonl');
  expect(await cli('evidence', 'export', '--out', exported)).toMatchObject({ code: 0, err: '' });
  const key = (await cli('evidence', 'key')).out.trim();
  const anchor = join(folder, 'before.txt');
  expect(await cli('verify', exported, '--key', key, '--anchor', anchor)).toMatchObject({ code: 0, err: '' });
  await world.stop();
  expect(existsSync(join(folder, 'table.db'))).toBe(true);

  world = await startTestStack({ isPolling: false, dataDir: folder });
  expect(world.stack.notes).toStrictEqual([]);
  expect(await ask(world, '/recall lock')).toContain('the lock is green');
});

it('leaves a damaged file of an earlier release as it is, and says so in one sentence', () => {
  folder = mkdtempSync(join(tmpdir(), 'passepartout-carry-'));
  const text = 'no database at all, and longer than its header would be '.repeat(4);
  writeFileSync(join(folder, 'table.db'), text);
  const carry = () => carryOver({ folder, tableName: 'passepartout' }, join(folder, 'table.sqlite'));
  expect(carry).toThrow(`${join(folder, 'table.db')} is damaged`);
  expect(readdirSync(folder)).toStrictEqual(['table.db']);
  expect(readFileSync(join(folder, 'table.db'), 'utf8')).toBe(text);
});
