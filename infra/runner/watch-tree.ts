/**
 * Watches the memory and number of all processes of one sandbox. Between two looks they can pass a
 * bound; the kernel's own for each process hold meanwhile. Linux only.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { KIB } from '../../lib/core/base/limits.ts';
import type { Limits } from './allow-file.ts';

/** A look at a machine with hundreds of processes takes some milliseconds. */
const LOOK_MS = 100;

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
};

const namespaceOf = (pid: string): string | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
};

const kilobytes = (text: string, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0), 0);

/** Pages that forked processes share are counted for each. */
const residentKb = (pid: string): number => kilobytes(read(`/proc/${pid}/status`), ['RssAnon', 'RssShmem', 'VmSwap']);
/** Counts a shared page once, but costs a walk over the memory. */
const proportionalKb = (pid: string): number =>
  kilobytes(read(`/proc/${pid}/smaps_rollup`), ['Pss', 'SwapPss']) || residentKb(pid);

const sum = (pids: readonly string[], sizeOf: (pid: string) => number): number =>
  pids.reduce((total, pid) => total + sizeOf(pid), 0);

const PIDS = /^\d+$/;

/** @returns which bound is passed, as a sentence; undefined if none is */
const look = (namespace: string, { memoryBytes, processes }: Limits): string | undefined => {
  const inside: string[] = [];
  for (const pid of readdirSync('/proc')) {
    if (!PIDS.test(pid) || namespaceOf(pid) !== namespace) continue;
    inside.push(pid);
    // The sandbox's own first process does not count.
    if (inside.length > processes + 1) return `it started more than ${processes} processes`;
  }
  const isOver = (sizeOf: (pid: string) => number): boolean => sum(inside, sizeOf) * KIB > memoryBytes;
  if (!isOver(residentKb) || !isOver(proportionalKb)) return undefined;
  return `it used more than ${Math.round(memoryBytes / (KIB * KIB))} MB of memory`;
};

/** @param onOver called at most once. @returns ends the watch */
export const watchTree = (pid: number, limits: Limits, onOver: (why: string) => void): (() => void) => {
  if (process.platform !== 'linux') return () => {};
  let namespace: string | undefined;
  const timer = setInterval(() => {
    // The kernel may hide it for a moment while the sandbox changes its rights.
    namespace ??= namespaceOf(String(pid));
    const why = namespace && look(namespace, limits);
    if (why === undefined) return;
    clearInterval(timer);
    onOver(why);
  }, LOOK_MS);
  return () => clearInterval(timer);
};
