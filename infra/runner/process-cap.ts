/**
 * The kernel bounds an ordinary account's processes by itself, but not root's: a control group
 * does, or where nobody may make one, the watcher alone.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../../lib/core/base/limits.ts';

/** The files in which version 1 and version 2 of control groups count processes. */
const PLACES = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup'];
/** The kernel takes a moment to empty a group whose processes have ended. */
const REMOVE_TRIES = 50;
const REMOVE_RETRY_MS = 100;
/** A group is empty for a moment before its first process joins it. */
const OLD_MS = MINUTE_MS;
const PREFIX = 'passepartout-runner-';

export interface ProcessCap {
  /** Starts a program within the cap. */
  readonly wrap: (argv: readonly string[]) => readonly string[];
  readonly remove: () => Promise<void>;
}

/** The groups that a killed runner left. One with processes in it cannot be removed. */
export const removeOldCaps = (now: number): void => {
  for (const place of PLACES)
    for (const group of listGroups(place)) {
      try {
        if (statSync(group).mtimeMs < now - OLD_MS) rmdirSync(group);
      } catch {}
    }
};

const listGroups = (place: string): readonly string[] => {
  try {
    return readdirSync(place).flatMap((name) => (name.startsWith(PREFIX) ? [`${place}/${name}`] : []));
  } catch {
    return [];
  }
};

const makeGroup = (place: string, max: number): string | undefined => {
  const group = `${place}/${PREFIX}${randomUUID()}`;
  try {
    mkdirSync(group);
    writeFileSync(`${group}/pids.max`, String(max));
    return group;
  } catch {
    if (statSync(group, { throwIfNoEntry: false }) !== undefined) rmdirSync(group);
    return undefined;
  }
};

const removeGroup = async (group: string): Promise<void> => {
  for (let left = REMOVE_TRIES; left > 0; left -= 1) {
    try {
      rmdirSync(group);
      return;
    } catch {
      await sleep(REMOVE_RETRY_MS);
    }
  }
};

/** @param max processes and threads at once @returns undefined if none is needed or possible */
export const makeProcessCap = (max: number): ProcessCap | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  for (const place of PLACES) {
    const group = makeGroup(place, max);
    if (group === undefined) continue;
    const join = ['/bin/sh', '-c', 'echo $$ > "$1/cgroup.procs" && shift && exec "$@"', 'sh', group];
    return { wrap: (argv) => [...join, ...argv], remove: () => removeGroup(group) };
  }
  return undefined;
};
