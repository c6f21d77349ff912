/**
 * Places for functions as small as the cloud's: a process each, under Linux's CPU quota (cgroup v1
 * or v2) at the share its memory buys, and what each of them used. Lambda gives one whole processor
 * for 1,769 MB; measurements of others say that it gives a whole one while code is loaded
 * ("core"), but no document promises it ("share").
 */
import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FunctionHost } from '../../infra/local/environment.ts';
import type { Places } from '../../infra/local/function-pools.ts';
import type { WorkerMessage } from '../../infra/local/run-functions.ts';
import type { FunctionPlan } from '../../infra/local/wiring.ts';

/** Of one processor. */
const WHOLE_CORE_MB = 1_769;
/** Lambda's own, as others measured it. */
const PERIOD_US = 20_000;
/** Linux takes no smaller quota. */
const QUOTA_US_MIN = 1_000;
/** Nothing has run for so long: what follows a turn has been done. */
const QUIET_MS = 500;
/** For the processes of all groups to end. */
const GROUP_WAIT_MS = 2_000;
/** Clock ticks a second in /proc. */
const TICKS = 100;
const PROGRAM = fileURLToPath(new URL('cloud-function.ts', import.meta.url));
const ROOTS = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup'];

export type Initialisation = 'core' | 'share';

/** Of one function, since the last `reset`. */
export interface Used {
  invocations: number;
  /** Wall milliseconds that are charged: loading, and runs. */
  billedMs: number;
  cpuMs: number;
  /** Most resident memory of one of its processes. */
  peakMb: number;
  memoryMb: number;
}

export interface CloudPlaces extends Places {
  /** Ends all environments, once none runs anything: the next event meets fresh ones. */
  readonly chill: () => Promise<void>;
  readonly used: () => ReadonlyMap<string, Used>;
  readonly reset: () => void;
  readonly close: () => Promise<void>;
}

const groupRoot = (): string | undefined =>
  ROOTS.find((root) => existsSync(`${root}/cpu.cfs_quota_us`) || existsSync(`${root}/cgroup.subtree_control`));

/** Makes a group with that share of a processor. @throws where the kernel does not let us */
const makeGroup = (name: string, share: number): string => {
  const root = groupRoot();
  if (root === undefined) throw new Error('this machine has no control groups');
  const group = `${root}/passepartout-${process.pid}-${name}`;
  mkdirSync(group);
  const quota = Math.max(QUOTA_US_MIN, Math.round(share * PERIOD_US));
  if (existsSync(`${group}/cpu.max`)) writeFileSync(`${group}/cpu.max`, `${quota} ${PERIOD_US}`);
  else {
    writeFileSync(`${group}/cpu.cfs_period_us`, `${PERIOD_US}`);
    writeFileSync(`${group}/cpu.cfs_quota_us`, `${quota}`);
  }
  return group;
};

/** Lambda's runtime for Node 24 starts each process with them (`/var/runtime/bootstrap`). */
const heapFlags = (memoryMb: number): readonly string[] => [
  `--max-semi-space-size=${Math.floor(memoryMb / 20)}`,
  `--max-old-space-size=${memoryMb - Math.floor(memoryMb / 10)}`,
];

/** Whether quotas can be set here; the reason if not. */
export const findQuotaProblem = (): string | undefined => {
  try {
    rmdirSync(makeGroup('try', 1));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const cpuMsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS;
};

const peakMbOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

/**
 * @param moduleUrlOf the deployed bundle of a function
 * @param memoryMbOf its memory, which buys its share
 */
export const buildCloudPlaces = (
  moduleUrlOf: (name: string) => string,
  memoryMbOf: (plan: FunctionPlan) => number,
  initialisation: Initialisation,
): CloudPlaces => {
  const groups = new Map<string, string>();
  const used = new Map<string, Used>();
  const open = new Set<{
    readonly end: () => Promise<unknown>;
    readonly note: () => void;
    readonly isIdle: () => boolean;
  }>();

  /** A group can go when its processes have, a moment after they are killed. */
  const removeGroups = (): void => {
    for (const { end } of open) void end();
    const giveUpAt = performance.now() + GROUP_WAIT_MS;
    for (const group of groups.values())
      while (existsSync(group) && performance.now() < giveUpAt) {
        try {
          rmdirSync(group);
        } catch {
          // It is busy still.
        }
      }
  };
  // A benchmark that is ended leaves none behind.
  process.once('exit', removeGroups);

  const groupOf = (plan: FunctionPlan): string => {
    const found = groups.get(plan.name) ?? makeGroup(plan.name, Math.min(1, memoryMbOf(plan) / WHOLE_CORE_MB));
    groups.set(plan.name, found);
    return found;
  };

  const openPlace = (plan: FunctionPlan): FunctionHost => {
    const memoryMb = memoryMbOf(plan);
    const mine = (): Used => {
      const found = used.get(plan.name) ?? { invocations: 0, billedMs: 0, cpuMs: 0, peakMb: 0, memoryMb };
      used.set(plan.name, found);
      return found;
    };
    const group = groupOf(plan);
    const child = fork(PROGRAM, [], {
      execArgv: [...heapFlags(memoryMb)],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: {},
    });
    const pid = child.pid ?? 0;
    const enter = (): void => writeFileSync(`${group}/cgroup.procs`, `${pid}`);
    if (initialisation === 'share') enter();
    const ended = new Promise((resolve) => child.once('exit', resolve));
    let isAlive = true;
    let cpuNoted = 0;
    const note = (): void => {
      if (!isAlive) return;
      const cpuMs = cpuMsOf(pid);
      mine().cpuMs += cpuMs - cpuNoted;
      cpuNoted = cpuMs;
      mine().peakMb = Math.max(mine().peakMb, peakMbOf(pid));
    };
    const end = (): Promise<unknown> => {
      note();
      isAlive = false;
      open.delete(entry);
      child.kill('SIGKILL');
      return ended;
    };
    const since = new Map<string, number>([['load', performance.now()]]);
    const entry = { end, note, isIdle: () => since.size === 0 };
    open.add(entry);
    child.on('message', (message: WorkerMessage) => {
      if (message.type === 'ready' && initialisation === 'core') enter();
      const key = message.type === 'ready' ? 'load' : 'id' in message ? message.id : '';
      const begun = since.get(key);
      if (message.type === 'begun' || begun === undefined) return;
      since.delete(key);
      mine().billedMs += performance.now() - begun;
      if (key !== 'load') mine().invocations += 1;
    });
    return {
      isAlive: () => isAlive,
      listen: ({ message, error, exit }) => {
        child.on('message', message).on('error', error).on('exit', exit);
        return () => void child.off('message', message).off('error', error).off('exit', exit);
      },
      postMessage: (message) => {
        if (message.type === 'run') since.set(message.id, performance.now());
        child.send(message, () => undefined);
      },
      terminate: end,
    };
  };

  /** A run that is cut off comes again much later, and holds up what comes after it. */
  const becomeIdle = async (): Promise<void> => {
    let quietSince = performance.now();
    while (performance.now() - quietSince < QUIET_MS) {
      await sleep(10);
      if (![...open].every(({ isIdle }) => isIdle())) quietSince = performance.now();
    }
  };
  const chill = async (): Promise<void> => {
    await becomeIdle();
    await Promise.all([...open].map(({ end }) => end()));
  };
  return {
    runsMax: 1,
    open: (plan) => ({ place: openPlace(plan), moduleUrl: moduleUrlOf(plan.name) }),
    chill,
    used: () => {
      for (const { note } of open) note();
      return used;
    },
    reset: () => {
      for (const { note } of open) note();
      used.clear();
    },
    close: async () => {
      await Promise.all([...open].map(({ end }) => end()));
      removeGroups();
      process.off('exit', removeGroups);
    },
  };
};
