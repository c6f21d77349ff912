/**
 * The sandbox of macOS, NOT TESTED: it was written by the manual. Other processes can be listed,
 * memory and processes are bounded each (`ulimit`), and what leaves its group outlives a stop.
 */
import { existsSync } from 'node:fs';
import { contain } from './contain.ts';
import type { Confinement, Contained, FoundSandbox, SandboxCommand } from './sandbox.ts';

const PROGRAM = '/usr/bin/sandbox-exec';
const BLOCK_BYTES = 512;

/** Programs, libraries, time zones and devices that every program opens. */
const SYSTEM_READS = [
  ...['/usr', '/bin', '/sbin', '/System', '/Library/Apple', '/opt/homebrew', '/private/var/db/timezone'],
  ...['/private/etc/ssl', '/private/etc/localtime', '/private/var/db/dyld', '/dev/null', '/dev/urandom'],
];

/** A string of the profile's language. */
const quoted = (path: string): string => `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
const below = (paths: readonly string[]): string => paths.map((path) => `(subpath ${quoted(path)})`).join(' ');
const rule = (verb: string, paths: readonly string[]): readonly string[] =>
  paths.length === 0 ? [] : [`(${verb} ${below(paths)})`];

/** The last rule that fits decides, so secrets come last. */
const profileOf = ({ read, write, masks, own, hasNetwork }: Confinement): string =>
  [
    '(version 1)',
    '(deny default)',
    '(allow process-fork) (allow process-exec) (allow signal (target same-sandbox)) (allow sysctl-read)',
    '(allow file-read-metadata) (allow file-read* (literal "/"))',
    ...rule('allow file-read*', [...SYSTEM_READS, ...read, ...write, ...own.map(({ from }) => from)]),
    ...rule('allow file-write*', [...write, '/dev/null']),
    ...(hasNetwork ? ['(allow network*) (allow system-socket) (allow mach-lookup)'] : []),
    ...masks.map(({ path, kind }) =>
      kind === 'name'
        ? `(deny file-write-unlink (literal ${quoted(path)}))`
        : `(deny file-read* file-write* ${below([path])})`,
    ),
  ].join('\n');

const LIMITS = 'ulimit -c 0 -t "$1" -f "$2"; shift 2; cd "$1" && shift && exec "$@"';

const startSeatbelt = ({ argv, confinement, limits, isTalking }: SandboxCommand): Contained => {
  const places = new Map(confinement.own.map(({ from, to }) => [to, from]));
  const here = argv.map((word) => places.get(word) ?? word);
  const bounds = [Math.ceil(limits.timeMs / 1_000), Math.ceil(limits.fileBytes / BLOCK_BYTES)].map(String);
  const args = [
    '-p',
    profileOf(confinement),
    '/bin/sh',
    '-c',
    isTalking ? LIMITS : `${LIMITS} 2>&1`,
    'sh',
    ...bounds,
    confinement.folder,
    ...here,
  ];
  const env = {
    PATH: '/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    HOME: confinement.home,
    ...confinement.environment,
  };
  return contain({ program: PROGRAM, args, env, hasStatus: false });
};

export const findSeatbelt = async (): Promise<FoundSandbox> =>
  existsSync(PROGRAM)
    ? { kind: 'sandbox', sandbox: { name: 'Seatbelt', start: startSeatbelt } }
    : {
        kind: 'none',
        problem: `There is no sandbox on this machine: ${PROGRAM} is missing, which is a part of macOS.`,
      };
