/**
 * A deployed table backed up and restored, over the embedded table server. Only point-in-time
 * recovery itself is not there: its requests are compared with the documented ones.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { buildApp } from 'fauxqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Command } from '../../../infra/cli/command.ts';
import { buildTerminal } from '../../../infra/cli/terminal.ts';
import { writeBackup } from '../../../infra/features/backup/backup-file.ts';
import { BackupFileError } from '../../../infra/features/backup/backup-lines.ts';
import { buildBackup } from '../../../infra/features/backup/command.ts';
import { boundFiles, bucketLines, fileLines, joinPieces } from '../../../infra/features/backup/files.ts';
import { stackLines } from '../../../infra/features/backup/stack-source.ts';
import { buildRestore } from '../../../infra/features/restore/command.ts';
import { restoreFolder } from '../../../infra/features/restore/restore-folder.ts';
import { NotEmptyError, restoreStack } from '../../../infra/features/restore/restore-stack.ts';
import { NewerDataError } from '../../../lib/core/base/errors.ts';
import { loadKillSwitch } from '../../../lib/core/ledger/kill-switch.ts';
import { buildContents } from '../../../lib/core/store/contents.ts';
import { checkDataVersion, storedDataVersion } from '../../../lib/core/store/data-version.ts';
import { settingKey } from '../../../lib/core/store/keys.ts';
import { openWholeTable, type WholeTable } from '../../../lib/core/store/whole-table.ts';
import { RESTORE_ACTOR } from '../../../lib/features/restore/restore.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { itemText, scanTable } from '../../support/scan.ts';
import { fillTable } from '../backup/fill-folder.ts';

const PASSPHRASE = 'four words and a comma';
const SPACE = 'default';
const root = mkdtempSync(join(tmpdir(), 'passepartout-stack-'));
const file = join(root, 'stack.backup');

let source: TestDynamo;
beforeAll(async () => {
  source = await startDynamo();
  await fillTable(source.table, join(root, 'anchors-of-source'), 300, 5);
  await source.table.put(
    { pk: 'setting#default', sk: 'odd' },
    { B: 'named B', bytes: Buffer.from('bytes'), set: new Set(['a']) },
  );
  const whole = openWholeTable(source.client, source.tableName);
  const copy = { name: source.tableName, at: Date.now() };
  const dataVersion = await storedDataVersion(source.table, SPACE);
  const lines = stackLines({ table: whole, tableName: source.tableName, copy, dataVersion, onItems: () => undefined });
  await writeBackup(file, lines, { passphrase: PASSPHRASE, workFactor: 4 });
});
afterAll(async () => {
  await source?.stop();
  rmSync(root, { recursive: true, force: true });
});

const inputOf = (target: TestDynamo, more: { file?: string; passphrase?: string; whole?: WholeTable } = {}) => ({
  whole: openWholeTable(target.client, target.tableName),
  table: target.table,
  tableName: target.tableName,
  space: SPACE,
  file,
  passphrase: PASSPHRASE,
  isForced: false,
  now: Date.now,
  onProgress: () => undefined,
  ...more,
});

const itemsOf = async (dynamo: TestDynamo) =>
  (await scanTable(dynamo))
    .filter(({ pk, sk }) => !/^(data|setting)#/.test(String(pk)) || sk === 'odd')
    .map(itemText)
    .toSorted();

describe('restoreStack', () => {
  it('puts every item into an empty table, verified and stopped', async () => {
    await using target = await startDynamo();
    await target.table.put(settingKey(SPACE, 'tick'), { at: 1 });
    const restored = await restoreStack(inputOf(target));
    expect(restored.spaces).toMatchObject([{ space: SPACE, problems: [] }]);
    expect(restored.spaces[0]?.objects).toBeGreaterThanOrEqual(300);
    expect(restored.spaces[0]?.leaves).toBeGreaterThan(5);
    expect(await itemsOf(target)).toStrictEqual(await itemsOf(source));
    expect(await loadKillSwitch(target.table, SPACE)).toMatchObject({ isStopped: true, by: RESTORE_ACTOR });
    await checkDataVersion(target.table, SPACE);
  });

  it('writes nothing from a wrong passphrase, a cut file or another space, or into a table that is used', async () => {
    await using target = await startDynamo();
    const cut = join(root, 'cut');
    writeFileSync(cut, readFileSync(file).subarray(0, -200));
    await expect(restoreStack(inputOf(target, { passphrase: 'four words and a point' }))).rejects.toThrow(
      BackupFileError,
    );
    await expect(restoreStack(inputOf(target, { file: cut }))).rejects.toThrow(BackupFileError);
    await expect(restoreStack({ ...inputOf(target), space: 'other' })).rejects.toThrow('it holds no space other');
    expect(await scanTable(target)).toStrictEqual([]);
    await target.table.put({ pk: 'signal#default#con-1', sk: 'record' }, { a: 1 });
    await expect(restoreStack(inputOf(target))).rejects.toThrow(NotEmptyError);
    expect(await scanTable(target)).toHaveLength(1);
  });

  it('is refused by every function until it is whole, and goes on with the same file', async () => {
    await using target = await startDynamo();
    const whole = openWholeTable(target.client, target.tableName);
    let puts = 0;
    const failing: WholeTable = {
      ...whole,
      put: async (items) => {
        puts += 1;
        if (puts > 1) throw new Error('the network is gone');
        await whole.put(items);
      },
    };
    await expect(restoreStack(inputOf(target, { whole: failing }))).rejects.toThrow('the network is gone');
    await expect(checkDataVersion(target.table, SPACE)).rejects.toThrow(NewerDataError);
    await restoreStack(inputOf(target));
    await checkDataVersion(target.table, SPACE);
    expect(await itemsOf(target)).toStrictEqual(await itemsOf(source));
  });

  it('comes back on a machine too', async () => {
    const folder = mkdtempSync(join(root, 'machine-'));
    const restored = await restoreFolder({ ...inputOf(source), folder });
    expect(restored).toMatchObject({ hasKey: false, spaces: [{ space: SPACE, problems: [] }] });
  });
});

describe('backup --stack, restore --stack', () => {
  const run = async (command: Command, args: readonly string[]) => {
    let out = '';
    const write = {
      write: (text: string) => {
        out += text;
      },
    };
    const code = await command.run({
      args,
      text: (option) => (option === 'stack' ? 'Home' : undefined),
      texts: () => [],
      flag: () => false,
      terminal: buildTerminal(write, { write: () => undefined }, false, {}),
      input: new PassThrough(),
      output: new PassThrough(),
      env: { BACKUP_PASSPHRASE: PASSPHRASE },
      folder: root,
      access: () => Promise.reject(new Error('it asks no console')),
      now: Date.now,
      sleep: async () => undefined,
    });
    return { code, out };
  };

  it('drop the copy they made, and bring everything into another stack', async () => {
    await using target = await startDynamo();
    const dropped: string[] = [];
    const whole: WholeTable = {
      ...openWholeTable(source.client, source.tableName),
      copy: async () => ({ name: source.tableName, at: Date.now() }),
      drop: async (name) => void dropped.push(name),
    };
    const from = { whole, table: source.table, tableName: source.tableName, space: SPACE };
    expect(
      await run(
        buildBackup(async () => from),
        ['out.backup'],
      ),
    ).toMatchObject({ code: 0 });
    expect(dropped).toStrictEqual([source.tableName]);
    const restored = await run(
      buildRestore(async () => inputOf(target)),
      ['out.backup'],
    );
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('verified.') });
    expect(await itemsOf(target)).toStrictEqual(await itemsOf(source));
  });
});

describe('the files of a stack', () => {
  const app = buildApp({ logger: false, host: '127.0.0.1' });
  const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'us-east-1' };
  beforeAll(() => void Object.assign(process.env, credentials));
  afterAll(async () => {
    for (const name of Object.keys(credentials)) Reflect.deleteProperty(process.env, name);
    await app.close();
  });

  it('come from its bucket into a folder or the bucket of another stack, each as its name says, and those of other spaces not', async () => {
    const endpoint = await app.listen({ host: '127.0.0.1', port: 0 });
    const s3 = new S3Client({ endpoint, forcePathStyle: true });
    for (const Bucket of ['contents', 'of-another']) await s3.send(new CreateBucketCommand({ Bucket }));
    const picture = randomBytes(1_500_000);
    const hash = createHash('sha256').update(picture).digest('hex');
    const font = randomBytes(9);
    const fontHash = createHash('sha256').update(font).digest('hex');
    for (const [Key, Body] of [
      [`${SPACE}/${hash}`, picture],
      [`${SPACE}/${hash.replace(/./, 'x')}`, Buffer.from('another')],
      [`other/${hash}`, picture],
      [`${SPACE}.skills/${fontHash}`, font],
      [`other.skills/${fontHash}`, font],
    ] as const)
      await s3.send(new PutObjectCommand({ Bucket: 'contents', Key, Body }));
    const whole = openWholeTable(source.client, source.tableName);
    const files = bucketLines('contents', SPACE, endpoint);
    const copy = { name: source.tableName, at: Date.now() };
    const of = { table: whole, tableName: source.tableName, copy, dataVersion: 1, onItems: () => undefined };
    const withFiles = join(root, 'with-files.backup');
    await writeBackup(withFiles, stackLines({ ...of, files }), { passphrase: PASSPHRASE, workFactor: 4 });
    const folder = mkdtempSync(join(root, 'restored-'));
    const restored = await restoreFolder({
      ...{ folder, file: withFiles, passphrase: PASSPHRASE, anchorsFolder: undefined, isForced: false },
      ...{ now: Date.now, onProgress: () => undefined },
    });
    expect(restored.files).toBe(2);
    expect(readFileSync(join(folder, 'contents', SPACE, hash))).toStrictEqual(picture);
    const home = buildContents({ SPACE, CONTENT_DIR: join(folder, 'contents') });
    expect(await home?.ofSkills.load(fontHash)).toStrictEqual(new Uint8Array(font));
    const again: unknown[] = [];
    for await (const { space, hash: name, isOfSkill } of fileLines(folder)) again.push([space, name, isOfSkill]);
    // The picture is in two pieces.
    expect(again).toStrictEqual([...Array(2).fill([SPACE, hash, undefined]), [SPACE, fontHash, true]]);
    await using target = await startDynamo();
    await expect(restoreStack(inputOf(target, { file: withFiles }))).rejects.toThrow('names no bucket for them');
    expect(await itemsOf(target)).toStrictEqual([]);
    const contents = buildContents({ SPACE, CONTENT_BUCKET: 'of-another' }, endpoint);
    const given = { ...inputOf(target, { file: withFiles }), contents };
    expect(await restoreStack(given)).toMatchObject({ files: 2 });
    expect(await contents?.load(hash)).toStrictEqual(new Uint8Array(picture));
    expect(await contents?.ofSkills.load(fontHash)).toStrictEqual(new Uint8Array(font));
    expect(await contents?.load(fontHash)).toBeUndefined();
  });

  const line = (data: Buffer, isLast = true, hash = createHash('sha256').update(data).digest('hex')) =>
    ({ type: 'file', space: SPACE, hash, at: 1, isLast, data: data.toString('base64') }) as const;

  it('are not backed up if they are more than a backup holds', async () => {
    const lines = async function* () {
      yield line(Buffer.alloc(600));
      yield line(Buffer.alloc(600));
    };
    const count = async (bytesMax: number) => {
      let all = 0;
      for await (const _ of boundFiles(lines(), bytesMax)) all += 1;
      return all;
    };
    await expect(count(1_000)).rejects.toThrow('which is the most that a backup holds');
    expect(await count(1_200)).toBe(2);
  });

  it('are not restored if one has other bytes than its name says, or too many', () => {
    expect(() => joinPieces()(line(Buffer.from('a'), true, '0'.repeat(64)))).toThrow('not what its name says');
    const pieceOf = joinPieces();
    expect(() => {
      for (let n = 0; n < 21; n += 1) pieceOf(line(Buffer.alloc(1_000_000), false));
    }).toThrow('larger than any message brings');
  });
});

describe('openWholeTable', () => {
  it('asks for a copy of the last moment that can be restored, without indexes, and waits for it', async () => {
    const moment = new Date('2026-11-23T09:00:00Z');
    const sent: unknown[] = [];
    const send = async (command: { constructor: { name: string }; input: unknown }) => {
      sent.push([command.constructor.name, command.input]);
      const PointInTimeRecoveryDescription = { LatestRestorableDateTime: moment };
      return { ContinuousBackupsDescription: { PointInTimeRecoveryDescription }, Table: { TableStatus: 'ACTIVE' } };
    };
    const whole = openWholeTable({ send } as unknown as DynamoDBClient, 'Agent');
    const name = 'Agent-backup-1795424400';
    expect(await whole.copy(() => undefined)).toStrictEqual({ name, at: moment.getTime() });
    await whole.drop(name);
    expect(sent).toStrictEqual([
      ['DescribeContinuousBackupsCommand', { TableName: 'Agent' }],
      [
        'RestoreTableToPointInTimeCommand',
        { SourceTableName: 'Agent', TargetTableName: name, RestoreDateTime: moment, GlobalSecondaryIndexOverride: [] },
      ],
      ['DescribeTableCommand', { TableName: name }],
      ['DeleteTableCommand', { TableName: name }],
    ]);
  });
});
