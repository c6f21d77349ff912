/**
 * What /proc says about a process and everything it started: resident bytes in all, and processor
 * time by thread name (the local stack's threads carry their function's name). Linux only; gives
 * nothing elsewhere.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports times in hundredths of a second everywhere Node runs. */
const MS_PER_TICK = 10;
const PAGE_BYTES = 4096;

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** Fields of a stat file after the name, which may hold anything; the first is the state. */
const statFields = (path: string): readonly string[] => {
  const stat = read(path);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** The process and its descendants. */
export const processTree = (root: number): readonly number[] => {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(statFields(`/proc/${name}/stat`)[1] ?? 0) }));
  const childrenOf = (pid: number): readonly number[] =>
    parents.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...childrenOf(child.pid)]);
  return [root, ...childrenOf(root)];
};

export const residentBytes = (root: number): number =>
  processTree(root).reduce((sum, pid) => sum + Number(statFields(`/proc/${pid}/stat`)[21] ?? 0) * PAGE_BYTES, 0);

/** Milliseconds of processor time so far by thread name, over the whole tree. */
export const threadTimes = (root: number): ReadonlyMap<string, number> => {
  const times = new Map<string, number>();
  for (const pid of processTree(root)) {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const name = read(`/proc/${pid}/task/${thread}/comm`).trim();
      const fields = statFields(`/proc/${pid}/task/${thread}/stat`);
      const ms = (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * MS_PER_TICK;
      times.set(name, (times.get(name) ?? 0) + ms);
    }
  }
  return times;
};
