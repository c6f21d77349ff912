/**
 * The sandbox of Linux: bubblewrap, with its own namespaces. A command sees the system's programs
 * read-only, the named folders, and nothing else: no home, environment, capability or key.
 * Bounds, without cgroups: by the kernel, each process (`prlimit`), all of /tmp, and the number of
 * processes; by the watcher (`watch-tree.ts`), memory of all; by the runner, time and output.
 * Nothing bounds the disk as a whole. A command with network reaches this machine's own servers.
 */
import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { release } from 'node:os';
import { promisify } from 'node:util';
import { KIB } from '../../lib/core/base/limits.ts';
import type { Limits } from './allow-file.ts';
import { isWithin } from './check-folder.ts';
import { contain } from './contain.ts';
import { makeProcessCap, removeOldCaps } from './process-cap.ts';
import type { Confinement, Contained, FoundSandbox, Mask, SandboxCommand } from './sandbox.ts';

/** By Linux's headers: the processor's mark, and the calls `add_key`, `request_key`, `keyctl`. */
const PROCESSORS: Readonly<Record<string, { readonly mark: number; readonly first: number; readonly last: number }>> = {
  x64: { mark: 0xc000003e, first: 248, last: 250 },
  arm64: { mark: 0xc00000b7, first: 217, last: 219 },
};

/** Instructions of the filter's machine. */
const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_GREATER = 0x25;
const IF_AT_LEAST = 0x35;
const RETURN = 0x06;
/** Places in the kernel's record of a call. */
const CALL = 0;
const MARK = 4;
/** A second form of x64's calls begins here. */
const X32_FIRST = 0x40000000;
const ALLOW = 0x7fff0000;
/** The call fails as one that is not permitted. */
const DENY = 0x00050001;

/** An instruction: what it does, how many to skip if it holds and if not, and its value. */
type Instruction = readonly [code: number, skipIf: number, skipElse: number, value: number];

const encode = ([code, skipIf, skipElse, value]: Instruction): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(skipIf, 2);
  bytes.writeUInt8(skipElse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
};

/**
 * Denies the kernel's keyring, from which no namespace keeps a command. Calls of other processors'
 * forms are denied too: they have other numbers. @param processor as Node names it
 * @returns undefined if its calls are not known here
 */
const keysDenied = (processor: string): Buffer | undefined => {
  const known = PROCESSORS[processor];
  if (known === undefined) return undefined;
  const filter: readonly Instruction[] = [
    [LOAD, 0, 0, MARK],
    [IF_EQUAL, 0, 5, known.mark],
    [LOAD, 0, 0, CALL],
    [IF_AT_LEAST, 3, 0, X32_FIRST],
    [IF_AT_LEAST, 0, 1, known.first],
    [IF_GREATER, 0, 1, known.last],
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, DENY],
  ];
  return Buffer.concat(filter.map(encode));
};

const MIB = KIB * KIB;
const PROGRAM = 'bwrap';
/** It is no program of the runner's own PATH, where an order may be able to put one. */
const SEARCHED = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin',
};
/** Earlier ones cannot bound a folder in memory, or keep a command from nesting namespaces. */
const VERSION_MIN = [0, 8] as const;
/** Threads of one process on average: runtimes start about ten. */
const THREADS_PER_PROCESS = 8;
/** Shared memory of all processes; databases and browsers use some. */
const SHARED_MEMORY_BYTES = 64 * MIB;
const OPEN_FILES_MAX = 1_024;
/** Runtimes such as Node reserve so much for code and never touch it; the watcher counts use. */
const RESERVED_BYTES = KIB * MIB;
const VERSION_TIMEOUT_MS = 5_000;

/** The files of /etc that programs need to find libraries, names, time zones and certificates. */
const SYSTEM_FILES = [
  ...['alternatives', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'timezone', 'nsswitch.conf'],
  ...['passwd', 'group', 'host.conf', 'hosts', 'protocols', 'services', 'mime.types', 'terminfo', 'magic'],
  ...['ssl/certs', 'ssl/openssl.cnf', 'ca-certificates', 'pki/tls', 'pki/ca-trust', 'crypto-policies'],
].map((name) => `/etc/${name}`);

/** Links of a merged system (`/bin` → `usr/bin`) stay links; other systems have folders. */
const SYSTEM_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64'];

const systemArgs = (hasNetwork: boolean): readonly string[] => {
  const folders = SYSTEM_FOLDERS.filter((path) => existsSync(path)).flatMap((path) => {
    const real = realpathSync(path);
    return real === path ? ['--ro-bind', path, path] : ['--symlink', real.slice(1), path];
  });
  const files = SYSTEM_FILES.flatMap((path) => ['--ro-bind-try', path, path]);
  // It is often a link into /run, which the sandbox does not have.
  const names = '/etc/resolv.conf';
  const resolver = hasNetwork && existsSync(names) ? ['--ro-bind', realpathSync(names), names] : [];
  return ['--ro-bind', '/usr', '/usr', ...folders, ...files, ...resolver];
};

/** A device on a mount without devices: opening it fails, as does removing or renaming it. */
const maskArgs = ({ path, kind }: Mask): readonly string[] => {
  if (kind === 'name') return [];
  return kind === 'folder'
    ? ['--perms', '0000', '--tmpfs', path, '--remount-ro', path]
    : ['--ro-bind', '/dev/null', path];
};

/** A path with a mount cannot be renamed. A folder to read stays one within a folder to change. */
const folderArgs = ({ read, write, masks }: Confinement): readonly string[] => {
  const folders = [
    ...read.map((path) => ({ kind: '--ro-bind', path })),
    ...write.map((path) => ({ kind: '--bind', path })),
  ].toSorted((a, b) => a.path.length - b.path.length);
  const kindOf = (path: string) => folders.findLast((folder) => isWithin(path, folder.path))?.kind ?? '--ro-bind';
  const named = masks.flatMap(({ path, kind }) => (kind === 'name' ? [{ kind: kindOf(path), path }] : []));
  return [...folders, ...named]
    .toSorted((a, b) => a.path.length - b.path.length)
    .flatMap(({ kind, path }) => [kind, path, path]);
};

/** Mounts in their order: later ones lie over earlier ones. */
const mountArgs = (confinement: Confinement, { memoryBytes }: Limits): readonly string[] => [
  ...systemArgs(confinement.hasNetwork),
  ...['--proc', '/proc', '--dev', '/dev', '--size', String(SHARED_MEMORY_BYTES), '--tmpfs', '/dev/shm'],
  // Root without a capability may still write the settings of the kernel; /dev has no bound.
  ...['--remount-ro', '/proc', '--remount-ro', '/dev'],
  ...['--size', String(memoryBytes), '--tmpfs', '/tmp', '--dir', confinement.home],
  ...folderArgs(confinement),
  ...confinement.own.flatMap(({ from, to }) => ['--ro-bind', from, to]),
  ...confinement.masks.flatMap(maskArgs),
  ...['--remount-ro', '/'],
];

/** The whole environment of a command. Git takes no lock and asks nobody for a password. */
const environmentOf = ({ home, environment }: Confinement): Readonly<Record<string, string>> => ({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: home,
  USER: 'runner',
  LANG: 'C.UTF-8',
  TERM: 'dumb',
  PAGER: 'cat',
  TMPDIR: '/tmp',
  XDG_CACHE_HOME: '/tmp/cache',
  npm_config_cache: '/tmp/npm',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  ...environment,
});

/** Since 5.14 a namespace counts its own processes; before, all of the account's would count. */
const countsOwnProcesses = (): boolean => {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
};

const threadsMax = ({ processes }: Limits): number => processes * THREADS_PER_PROCESS;

const limitArgs = (limits: Limits, isTalking = false): readonly string[] => [
  ...[
    '/usr/bin/prlimit',
    '--core=0',
    `--data=${limits.memoryBytes + RESERVED_BYTES}`,
    `--fsize=${limits.fileBytes}`,
    `--nofile=${OPEN_FILES_MAX}`,
  ],
  `--cpu=${Math.ceil(limits.timeMs / 1_000)}`,
  ...(countsOwnProcesses() ? [`--nproc=${threadsMax(limits)}`] : []),
  // One pipe for both keeps their order; bubblewrap's own words go to the other.
  ...['--', '/bin/sh', '-c', isTalking ? 'exec "$@"' : 'exec "$@" 2>&1', 'sh'],
];

const startBubblewrap = ({ argv, confinement, limits, isTalking }: SandboxCommand): Contained => {
  const args = [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(confinement.hasNetwork ? [] : ['--unshare-net']),
    ...['--disable-userns', '--hostname', 'runner', '--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
    ...['--json-status-fd', '3', '--seccomp', '4', '--clearenv'],
    ...Object.entries(environmentOf(confinement)).flatMap(([name, value]) => ['--setenv', name, value]),
    ...mountArgs(confinement, limits),
    ...['--chdir', confinement.folder, '--', ...limitArgs(limits, isTalking), ...argv],
  ];
  const cap = makeProcessCap(threadsMax(limits));
  const [program = PROGRAM, ...rest] = cap?.wrap([PROGRAM, ...args]) ?? [PROGRAM, ...args];
  const contained = contain({ program, args: rest, env: SEARCHED, hasStatus: true, input: keysDenied(process.arch) });
  void contained.ended.then(() => cap?.remove());
  return contained;
};

const GET_IT = 'Install bubblewrap 0.8 or newer: `apt install bubblewrap`, `dnf install bubblewrap`.';

const versionProblem = async (): Promise<string | undefined> => {
  const run = promisify(execFile);
  const { stdout } = await run(PROGRAM, ['--version'], { timeout: VERSION_TIMEOUT_MS, env: SEARCHED }).catch(() => ({
    stdout: '',
  }));
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout) ?? [];
  if (major === undefined) return `There is no sandbox on this machine. ${GET_IT}`;
  const isNew = Number(major) > VERSION_MIN[0] || Number(minor) >= VERSION_MIN[1];
  return isNew ? undefined : `Bubblewrap ${major}.${minor} is too old. ${GET_IT}`;
};

const TRIAL: SandboxCommand = {
  argv: ['/bin/true'],
  confinement: { home: '/home', read: [], write: [], masks: [], hasNetwork: false, folder: '/tmp', own: [] },
  limits: { timeMs: 5_000, memoryBytes: 64 * MIB, processes: 8, fileBytes: MIB, outputBytes: MIB },
};

/** Some systems forbid ordinary accounts to make namespaces, so it is tried. */
export const findBubblewrap = async (): Promise<FoundSandbox> => {
  if (keysDenied(process.arch) === undefined)
    return { kind: 'none', problem: `There is no sandbox for the processor ${process.arch}. Use x64 or arm64.` };
  const problem = await versionProblem();
  if (problem !== undefined) return { kind: 'none', problem };
  removeOldCaps(Date.now());
  const trial = startBubblewrap(TRIAL);
  trial.output.resume();
  trial.stdin.end();
  const end = await trial.ended;
  if (end.kind === 'exit' && end.code === 0)
    return { kind: 'sandbox', sandbox: { name: 'bubblewrap', start: startBubblewrap } };
  const why = end.kind === 'unstarted' ? end.problem : 'a trial command failed';
  const hint = 'This system may forbid user namespaces (on Ubuntu: an AppArmor profile for bwrap allows them).';
  return { kind: 'none', problem: `Bubblewrap does not work here: ${why}. ${hint}` };
};
