/** The file of a backup: what was written comes back, and no harm to it goes unnoticed. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBackup, writeBackup } from '../../../infra/features/backup/backup-file.ts';
import { BACKUP_FORMAT, BackupFileError, type BackupLine } from '../../../infra/features/backup/backup-lines.ts';

const PASSPHRASE = 'four words and a comma';
const QUICK = { passphrase: PASSPHRASE, workFactor: 4 };
const folder = mkdtempSync(join(tmpdir(), 'passepartout-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HEADER = {
  type: 'header',
  format: BACKUP_FORMAT,
  version: 1,
  id: 'x',
  at: 1,
  dataVersion: 1,
  table: {},
} as const;
const item = (n: number): BackupLine => ({
  type: 'item',
  item: { pk: { S: `p${n}` }, text: { S: `é\n${n}`.repeat(40) } },
});
const LINES: readonly BackupLine[] = [
  HEADER,
  ...Array.from({ length: 500 }, (_, n) => item(n)),
  { type: 'end', items: 500 },
];

async function* textsOf(lines: readonly BackupLine[]): AsyncGenerator<string> {
  for (const line of lines) yield JSON.stringify(line);
}

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
/** Without what waits to be collected, which depends on the files that ran before. */
const liveBytes = (): number => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const read = async (path: string, passphrase = PASSPHRASE): Promise<readonly BackupLine[]> => {
  const lines: BackupLine[] = [];
  for await (const line of readBackup(path, passphrase)) lines.push(line);
  return lines;
};

describe('writeBackup, readBackup', () => {
  const file = join(folder, 'whole');
  let whole: Buffer;
  beforeAll(async () => {
    await writeBackup(file, textsOf(LINES), QUICK);
    whole = readFileSync(file);
  });

  it('give back every line, and leave a private file without a draft', async () => {
    expect(await read(file)).toStrictEqual(LINES);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.part`)).toBe(false);
  });

  it('write what every program of the age format opens', async () => {
    const decrypter = new Decrypter();
    decrypter.addPassphrase(PASSPHRASE);
    const plain = await decrypter.decrypt(new Uint8Array(whole));
    expect([...plain.subarray(0, 2)]).toStrictEqual([0x1f, 0x8b]);
    expect(whole.toString('latin1')).not.toContain('p499');
  });

  it('refuse another passphrase', async () => {
    await expect(read(file, 'four words and a point')).rejects.toThrow(/^the passphrase is wrong, or/);
  });

  it('refuse a file that was cut anywhere, and one that goes on', async () => {
    const harmed = join(folder, 'cut');
    for (let n = 0; n < 60; n += 1) {
      writeFileSync(harmed, whole.subarray(0, Math.floor((whole.length * n) / 60)));
      await expect(read(harmed), `cut at ${n}/60`).rejects.toThrow(BackupFileError);
    }
    for (const cut of [whole.length - 1, whole.length - 16]) {
      writeFileSync(harmed, whole.subarray(0, cut));
      await expect(read(harmed)).rejects.toThrow(BackupFileError);
    }
    writeFileSync(harmed, Buffer.concat([whole, Buffer.from([0])]));
    await expect(read(harmed)).rejects.toThrow(BackupFileError);
  });

  it('refuse a changed byte at any place', async () => {
    const harmed = join(folder, 'changed');
    const places = [
      0,
      5,
      20,
      30,
      ...Array.from({ length: 100 }, (_, n) => Math.floor((whole.length * n) / 100)),
      whole.length - 1,
    ];
    for (const place of places) {
      const bytes = Buffer.from(whole);
      bytes[place] = (bytes[place] ?? 0) ^ 1;
      writeFileSync(harmed, bytes);
      await expect(read(harmed), `byte ${place}`).rejects.toThrow(BackupFileError);
    }
  });

  it.each<readonly [string, readonly unknown[]]>([
    ['without a header', LINES.slice(1)],
    ['without an end', LINES.slice(0, -1)],
    ['with lines behind its end', [...LINES, item(1)]],
    [
      'of a later version',
      [
        { ...HEADER, version: 2 },
        { type: 'end', items: 0 },
      ],
    ],
    ['with nothing in it', []],
  ])('refuse a file %s, though its passphrase fits', async (_what, lines) => {
    const path = join(folder, 'odd');
    const encrypter = new Encrypter();
    encrypter.setPassphrase(PASSPHRASE);
    encrypter.setScryptWorkFactor(4);
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(path, await encrypter.encrypt(new Uint8Array(gzipSync(text))));
    await expect(read(path)).rejects.toThrow(BackupFileError);
  });

  it('leave nothing if the lines fail, or the file cannot be written', async () => {
    const path = join(folder, 'failed');
    const failing = async function* () {
      yield JSON.stringify(HEADER);
      throw new Error('the table is gone');
    };
    await expect(writeBackup(path, failing(), QUICK)).rejects.toThrow('the table is gone');
    expect([path, `${path}.part`].map((one) => existsSync(one))).toStrictEqual([false, false]);
    await expect(writeBackup(join(folder, 'none', 'x'), textsOf(LINES), QUICK)).rejects.toThrow(/ENOENT/);
  });

  it('hold a few chunks of a large file, not all of it', async () => {
    const path = join(folder, 'large');
    const words = 'x'.repeat(1_000);
    const many = Readable.from(
      (function* () {
        yield JSON.stringify(HEADER);
        for (let n = 0; n < 200_000; n += 1) yield JSON.stringify({ type: 'item', item: { n, words } });
        yield JSON.stringify({ type: 'end', items: 200_000 });
      })(),
    );
    await writeBackup(path, many, QUICK);
    const before = liveBytes();
    let most = 0;
    let count = 0;
    for await (const _line of readBackup(path, PASSPHRASE)) {
      count += 1;
      if (count % 20_000 === 0) most = Math.max(most, liveBytes() - before);
    }
    expect(count).toBe(200_002);
    expect(most).toBeLessThan(50 * 1024 * 1024);
  });
});
