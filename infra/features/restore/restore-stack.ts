/**
 * Restores a backup into the empty table of a deployed stack. The file is read first, so that a
 * wrong one writes nothing. Until the end a mark makes every function refuse the data.
 */
import { DATA_VERSION } from '../../../lib/core/base/data-version.ts';
import { loadLogHead } from '../../../lib/core/log/read-log.ts';
import type { Contents } from '../../../lib/core/store/contents.ts';
import { dataVersionKey } from '../../../lib/core/store/keys.ts';
import { loadItem } from '../../../lib/core/store/load-named.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import type { WholeTable, WireItem } from '../../../lib/core/store/whole-table.ts';
import { stopRestored } from '../../../lib/features/restore/restore.ts';
import { BackupFileError, type BackupHeader } from '../backup/backup-lines.ts';
import { joinPieces } from '../backup/files.ts';
import { DataVersionItem } from '../backup/stack-source.ts';
import { checkCopy } from './check-copy.ts';
import { RestoreCheckError, type Restored } from './restore-folder.ts';
import { nothingSeen, readRestored, type Seen, unprovenRows } from './restored-items.ts';
import { settleUnproven } from './settle-unproven.ts';

/** No release will ever write it: all refuse it until the restore is done. */
const RESTORING_VERSION = 1_000_000_000;
/** A stack that nobody has written to has a setting or two of the heartbeat. */
const OWN_ITEMS_MAX = 20;
const ITEMS_AT_ONCE = 400;

export interface StackRestoreInput {
  readonly whole: WholeTable;
  readonly tableName: string;
  readonly table: Table;
  readonly space: string;
  /** The bucket of messages' files; absent in a stack of an older release. */
  readonly contents?: Pick<Contents, 'keep' | 'ofSkills'> | undefined;
  readonly file: string;
  readonly passphrase: string;
  readonly isForced: boolean;
  readonly now: () => number;
  readonly onProgress: (what: string) => void;
}

export class NotEmptyError extends Error {
  override readonly name: string = 'NotEmptyError';
}

const pkOf = (item: WireItem): string => {
  const { pk } = item;
  return typeof pk === 'object' && pk !== null && 'S' in pk ? String(pk.S) : '';
};

/** Reads all of it. @throws BackupFileError before anything is written */
const checkFile = async (input: StackRestoreInput, seen: Seen): Promise<BackupHeader> => {
  const { file, passphrase, space, contents, now, onProgress } = input;
  const wholeOf = joinPieces();
  let header: BackupHeader | undefined;
  let items = 0;
  for await (const line of readRestored(file, passphrase, seen, now())) {
    if (line.type === 'header') header = line;
    if (line.type === 'file' && contents === undefined)
      throw new BackupFileError('it has files, and the stack names no bucket for them: deploy this release first');
    if (line.type === 'file') wholeOf(line);
    if (line.type !== 'item') continue;
    items += 1;
    if (items % ITEMS_AT_ONCE === 0) onProgress(`${items} items read`);
  }
  if (header === undefined || !seen.spaces.has(space)) throw new BackupFileError(`it holds no space ${space}`);
  if (header.dataVersion > DATA_VERSION)
    throw new BackupFileError(`it is of a newer release: its data is of version ${header.dataVersion}`);
  return header;
};

/** @throws NotEmptyError unless the table is empty, or a restore of this file was interrupted */
const checkEmpty = async ({ whole, table, tableName, space }: StackRestoreInput, id: string): Promise<void> => {
  const mark = await loadItem(table, dataVersionKey(space));
  if (mark?.restoring === id) return;
  if (mark?.restoring !== undefined) throw new NotEmptyError('a restore of another file was begun here');
  let seen = 0;
  for await (const item of whole.scan(tableName)) {
    seen += 1;
    const isOwn = /^(data|setting)#/.test(pkOf(item));
    if (!isOwn || seen > OWN_ITEMS_MAX) throw new NotEmptyError('the table has items already');
  }
};

/** @returns how many items and files there are */
const putAll = async ({ whole, file, passphrase, space, contents, now, onProgress }: StackRestoreInput) => {
  const wholeOf = joinPieces();
  let waiting: WireItem[] = [];
  let items = 0;
  let files = 0;
  const flush = async (): Promise<void> => {
    await whole.put(waiting);
    items += waiting.length;
    waiting = [];
    onProgress(`${items} items written`);
  };
  for await (const line of readRestored(file, passphrase, nothingSeen(), now())) {
    const bytes = line.type === 'file' ? wholeOf(line) : undefined;
    if (line.type === 'file' && line.space === space && bytes !== undefined) {
      await (line.isOfSkill === true ? contents?.ofSkills : contents)?.keep(bytes);
      files += 1;
    }
    if (line.type !== 'item' || DataVersionItem.safeParse(line.item).success) continue;
    waiting.push(line.item);
    if (waiting.length >= ITEMS_AT_ONCE) await flush();
  }
  await flush();
  return { items, files };
};

/** @throws BackupFileError, NotEmptyError: nothing was written; RestoreCheckError: it is marked */
export const restoreStack = async (input: StackRestoreInput): Promise<Restored> => {
  const { table, space, now, isForced, onProgress } = input;
  const seen = nothingSeen();
  const { id, at, dataVersion } = await checkFile(input, seen);
  await checkEmpty(input, id);
  const mark = { version: RESTORING_VERSION, restoring: id };
  await table.put(dataVersionKey(space), mark);
  const { items, files } = await putAll(input);
  const checked = await checkCopy({ table, space, at, now: now(), anchor: undefined, onProgress });
  if (checked.problems.length > 0 && !isForced) throw new RestoreCheckError(checked.problems);
  const settled = await settleUnproven({ table, space, now: now() }, checked.signals);
  const rights = [...checked.rights, ...settled, ...unprovenRows(seen, space)];
  const found = (await loadLogHead(table, space))?.checkpointSize ?? 0;
  // The heartbeat knows the stack's own anchors, and looks for what was forgotten since.
  const anchors = { newest: async () => undefined, forgottenSince: async () => [] };
  const deps = { table, space, anchors, now };
  const forgotten = await stopRestored(deps, { anchored: found, found, copiedAt: at, rights });
  await table.put(dataVersionKey(space), { version: dataVersion });
  return { at, items: items + 1, spaces: [{ space, forgotten, ...checked, rights }], hasKey: false, files };
};
