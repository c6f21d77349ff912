/**
 * The functions' log in the data folder. At a fixed size a new file begins, and one older file
 * stays. A full disk costs only log lines.
 */
import { closeSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { KIB } from '../../lib/core/base/limits.ts';
import { describeFileProblem } from './data-folder.ts';

/** The functions' log file is turned over at this size; one older file is kept. */
const LOCAL_LOG_BYTES_MAX = 10 * 1024 * KIB;

export interface LogFile {
  readonly path: string;
  readonly write: (source: string, text: string) => void;
  /** A sentence if the last write failed. */
  readonly problem: () => string | undefined;
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
  const open = (): number => openSync(path, 'a', 0o600);
  let bytes = sizeOf(path);
  let file: number | undefined = open();
  let lostLines = 0;
  let problem: string | undefined;

  const append = (lines: readonly string[]): void => {
    if (file === undefined) return;
    const isFull = bytes >= LOCAL_LOG_BYTES_MAX;
    if (isFull) renameSync(path, `${path}.1`);
    // After a failure the file is opened anew: a person may have removed it to make room.
    if (isFull || problem !== undefined) {
      closeSync(file);
      file = open();
      bytes = sizeOf(path);
    }
    bytes += writeSync(file, lines.map((line) => `${line}\n`).join(''));
  };

  return {
    path,
    write: (source, text) => {
      const now = new Date().toISOString();
      const lines = text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => `${now} ${source} ${line}`);
      const lost = lostLines === 0 ? [] : [`${now} stack ${lostLines} lines were lost: ${problem}`];
      try {
        append([...lost, ...lines]);
        lostLines = 0;
        problem = undefined;
      } catch (error) {
        lostLines += lines.length;
        problem = describeFileProblem(error, path) ?? `${path} cannot be written: ${String(error)}`;
      }
    },
    problem: () => problem,
    close: () => {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
};
