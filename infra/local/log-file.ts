/**
 * The functions' log: what they write to standard output and error, a line each with time and function name, in a file of the
 * data folder, so that a chat prompt on the terminal stays readable. Turned over at a fixed size; one older file is kept.
 */
import { closeSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { LOCAL_LOG_BYTES_MAX } from '../../lib/limits.ts';

export interface LogFile {
  readonly path: string;
  readonly write: (source: string, text: string) => void;
  readonly close: () => void;
}

const sizeOf = (path: string): number => {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
};

export const openLogFile = (path: string): LogFile => {
  let bytes = sizeOf(path);
  let file: number | undefined = openSync(path, 'a', 0o600);
  return {
    path,
    write: (source, text) => {
      if (file === undefined) return;
      const now = new Date().toISOString();
      const lines = text.split('\n').filter((line) => line !== '');
      const chunk = lines.map((line) => `${now} ${source} ${line}\n`).join('');
      bytes += writeSync(file, chunk);
      if (bytes < LOCAL_LOG_BYTES_MAX) return;
      closeSync(file);
      renameSync(path, `${path}.1`);
      file = openSync(path, 'a', 0o600);
      bytes = 0;
    },
    close: () => {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
};
