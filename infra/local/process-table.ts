/**
 * What the operating system says about a process: enough to tell a process we know from a stranger that got its number.
 * Linux answers from /proc; elsewhere `ps` does. Nothing here ends a process.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessFacts {
  /** Program and arguments, joined by spaces. */
  readonly command: string;
  /** Differs between two processes that had the same number. */
  readonly startedAt: string;
  readonly residentBytes: number;
}

const readProc = (pid: number): ProcessFacts | undefined => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may hold anything; fields are counted from the last one. The state is the first of them.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z') return undefined;
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  return { command, startedAt: fields[19] ?? '', residentBytes: Number(fields[21] ?? 0) * 4096 };
};

const readPs = (pid: number): ProcessFacts | undefined => {
  const fields = (column: string): string =>
    execFileSync('ps', ['-o', `${column}=`, '-p', `${pid}`], { encoding: 'utf8' }).trim();
  return { command: fields('command'), startedAt: fields('lstart'), residentBytes: Number(fields('rss')) * 1024 };
};

/** Undefined when there is no such process (or none we may look at). */
export const findProcess = (pid: number): ProcessFacts | undefined => {
  try {
    return process.platform === 'linux' ? readProc(pid) : readPs(pid);
  } catch {
    return undefined;
  }
};
