/** Reads the lines of a folder's backup, and restores lines that somebody changed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeBackup } from '../../../infra/features/backup/backup-file.ts';
import { localLines } from '../../../infra/features/backup/local-source.ts';
import { restoreFolder } from '../../../infra/features/restore/restore-folder.ts';
import { openFolder } from '../../../infra/local/data-folder.ts';
import { DATA_FILE } from '../../../infra/local/database.ts';
import { closeStorage, openTableFile } from '../../../infra/local/table-server/storage.ts';

const PASSPHRASE = 'four words and a comma';

export interface Line {
  readonly type: string;
  readonly item?: Readonly<Record<string, { readonly S?: string; readonly B?: string; readonly N?: string }>>;
}

export const readLines = async (folder: string, at: number): Promise<readonly Line[]> => {
  const storage = openTableFile(join(folder, DATA_FILE));
  const source = { storage, at, known: new Map(), logSigningKey: undefined, onItems: () => undefined };
  const lines: Line[] = [];
  for await (const line of localLines(source)) lines.push(JSON.parse(line));
  closeStorage(storage);
  return lines;
};

export const craftBackups = (now: number) => {
  const root = mkdtempSync(join(tmpdir(), 'passepartout-crafted-'));
  let count = 0;
  const restore = async (crafted: readonly Line[]) => {
    count += 1;
    const file = join(root, `${count}.backup`);
    const items = crafted.filter(({ type }) => type === 'item').length;
    const whole = crafted.map((line) => JSON.stringify(line.type === 'end' ? { ...line, items } : line));
    const written = (async function* () {
      yield* whole;
    })();
    await writeBackup(file, written, { passphrase: PASSPHRASE, workFactor: 4 });
    const folder = join(root, `restored-${count}`);
    openFolder(folder);
    const given = { folder, file, passphrase: PASSPHRASE, isForced: false, now: () => now };
    const restored = await restoreFolder({ ...given, onProgress: () => undefined });
    return { ...restored, folder };
  };
  return { root, restore, drop: () => rmSync(root, { recursive: true, force: true }) };
};
