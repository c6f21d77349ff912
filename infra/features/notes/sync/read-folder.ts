/**
 * The files of a folder that is kept in step, each as text and tree. A file that is being written,
 * is no UTF-8 or cannot be taken apart is left out and named: it never counts as gone.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { findNotes, loadNote } from '../../../cli/notes/folder.ts';
import { NOTE_FILE_BYTES_MAX, type NoteNode, type NoteProblem } from '../../../cli/notes/note.ts';
import { parseNote } from '../../../cli/notes/parse-note.ts';
import { isSafeFile } from '../../../cli/notes/plan-export.ts';
import { CliError, EXIT } from '../../../cli/terminal.ts';

/** All of them are held in memory during a round. */
export const SYNC_FILES_MAX = 5_000;
const SYNC_BYTES_MAX = 32 * NOTE_FILE_BYTES_MAX;

export interface ReadFile {
  readonly file: string;
  readonly text: string;
  /** With the keys that a reader gives. */
  readonly tree: NoteNode;
}

export interface ReadFolder {
  readonly files: ReadonlyMap<string, ReadFile>;
  readonly unread: ReadonlySet<string>;
  readonly problems: readonly NoteProblem[];
}

const stampOf = async (path: string): Promise<string> => {
  const { mtimeMs, size, ino } = await lstat(path);
  return `${mtimeMs} ${size} ${ino}`;
};

/** @throws CliError (exit 1) if the folder is larger than one person's notes */
export const readFolder = async (root: string, excluded: readonly string[]): Promise<ReadFolder> => {
  const { found, problems: left } = await findNotes(root, excluded);
  if (found.length > SYNC_FILES_MAX)
    throw new CliError(
      EXIT.failed,
      `the folder has ${found.length} files of notes, more than ${SYNC_FILES_MAX}`,
      'keep a folder inside it in step',
    );
  const files = new Map<string, ReadFile>();
  const unread = new Set(left.map(({ file }) => file));
  const problems = [...left];
  let bytes = 0;
  for (const one of found) {
    const { file } = one;
    const leave = (problem: string, line = 1): void => {
      unread.add(file);
      problems.push({ file, line, problem });
    };
    const path = join(root, ...file.split('/'));
    const before = await stampOf(path).catch(() => undefined);
    const loaded = await loadNote(root, one);
    if (!isSafeFile(file)) leave('its name has signs that are not used, or is that of a secret: rename it');
    else if ('problem' in loaded) leave(loaded.problem, loaded.line);
    else if (before === undefined || (await stampOf(path).catch(() => undefined)) !== before)
      leave('it is being written: the next round reads it');
    else if (!loaded.isUtf8) leave('it is not UTF-8, and could not be written back: save it as UTF-8');
    else {
      bytes += loaded.text.length;
      if (bytes > SYNC_BYTES_MAX)
        throw new CliError(
          EXIT.failed,
          `the notes of the folder have more than ${SYNC_BYTES_MAX} characters`,
          'keep a folder inside it in step',
        );
      const parsed = parseNote(loaded.text, file, one.format);
      problems.push(...parsed.problems);
      if (parsed.kind === 'bad') unread.add(file);
      else files.set(file, { file, text: loaded.text, tree: parsed.node });
    }
  }
  return { files, unread, problems };
};
