/**
 * `runner.yaml`: what the owner of this machine allows its runner. Read before each order: one
 * fault and no order runs. Nothing that comes from the cloud changes it.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { parseDuration } from '../../lib/core/base/duration.ts';
import type { FileProblem } from '../../lib/core/base/file-problem.ts';
import { KIB, SECOND_MS } from '../../lib/core/base/limits.ts';
import { readYaml } from '../../lib/core/base/read-yaml.ts';
import { MCP_SERVER_NAME } from '../../lib/core/signal/mcp-name.ts';
import { canonicalPath } from '../../lib/core/text/path-canonical.ts';
import { RUNNER_RUN_MS_MAX } from '../../lib/features/runner/order.ts';
import { ALLOWED_MAX, type AllowSummary, ANY_PROGRAM } from '../../lib/features/runner/runners.ts';
import { checkFolder, isWithin, type OwnPlaces, spell } from './check-folder.ts';

const MIB = KIB * KIB;
const UNIT_BYTES: Readonly<Record<string, number>> = { KB: KIB, MB: MIB, GB: KIB * MIB };
/** A runner's programs fit into a command's memory; fewer bytes start no interpreter. */
const MEMORY_BYTES_MIN = 64 * MIB;
/** Processes at once: builds start dozens. */
const PROCESSES_MAX = 4_096;
/** The file is a page; a longer one is a mistake. */
const ALLOW_FILE_CHARS_MAX = 64 * KIB;

const parseBytes = (given: string): number | undefined => {
  const [, count = '', unit = ''] = /^(\d{1,6}) ?([KMG]B)$/i.exec(given.trim()) ?? [];
  const bytes = Number(count) * (UNIT_BYTES[unit.toUpperCase()] ?? 0);
  return bytes > 0 ? bytes : undefined;
};

const bytes = (fallback: string) =>
  z._default(
    z.string().check(z.refine((text) => parseBytes(text) !== undefined, 'give a size such as 16MB')),
    fallback,
  );
const list = (item: z.ZodMiniType<string, string>) => z._default(z.array(item).check(z.maxLength(ALLOWED_MAX)), []);
const program = z
  .string()
  .check(
    z.regex(
      /^(?:[\w.+-]+( [\w.:-]+)?|~?\/[\w./+-]+)$/,
      'give a name, a name and a subcommand, or the path of a program',
    ),
  );

/** Servers of tools that one machine starts. */
const SERVERS_MAX = 8;
const WORDS_MAX = 64;

const variable = z.string().check(z.regex(/^[A-Z][A-Z0-9_]*$/, 'give the name of a variable, as in API_TOKEN'));

const Server = z.strictObject({
  run: z.array(z.string().check(z.minLength(1), z.maxLength(1_024))).check(z.minLength(1), z.maxLength(WORDS_MAX)),
  read: list(z.string()),
  write: list(z.string()),
  hosts: list(
    z.string().check(z.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/, 'give a host, as in api.example.com')),
  ),
  env: z._default(z.record(variable, z.string().check(z.maxLength(1_024))), {}),
  secrets: list(variable),
});

const AllowYaml = z.strictObject({
  folders: z._default(z.strictObject({ read: list(z.string()), write: list(z.string()) }), { read: [], write: [] }),
  // Each use asks a person, and the sandbox holds it: a list is for who wants less.
  programs: z._default(
    z.pipe(
      z.transform((given: unknown) => (given === ANY_PROGRAM ? [ANY_PROGRAM] : given)),
      z.array(program).check(z.maxLength(ALLOWED_MAX)),
    ),
    [ANY_PROGRAM],
  ),
  servers: z._default(
    z
      .record(z.string().check(z.regex(MCP_SERVER_NAME, 'give one lower-case word')), Server)
      .check(z.refine((all) => Object.keys(all).length <= SERVERS_MAX, `there may be ${SERVERS_MAX} servers`)),
    {},
  ),
  network: z._default(z.boolean(), false),
  time: z._default(
    z.string().check(z.refine((text) => parseDuration(text) !== undefined, 'give a time such as 5m')),
    '5m',
  ),
  memory: bytes('1GB'),
  processes: z._default(z.int().check(z.minimum(1), z.maximum(PROCESSES_MAX)), 64),
  fileSize: bytes('100MB'),
  output: bytes('16MB'),
});

interface Folders {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

export interface Limits {
  readonly timeMs: number;
  readonly memoryBytes: number;
  readonly processes: number;
  /** Of each file that it writes. */
  readonly fileBytes: number;
  readonly outputBytes: number;
}

/** A server of tools (MCP) that this machine starts, each in a sandbox of its own. */
export interface MachineServer {
  readonly name: string;
  /** Program and arguments; `npx` and a package for one that was fetched by `mcp add`. */
  readonly run: readonly string[];
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** It reaches these alone, by https: `host`, or `host:port`. */
  readonly hosts: readonly string[];
  /** Variables that anybody may read. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables whose values are in the machine's own store, for this server alone. */
  readonly secrets: readonly string[];
}

export interface Allowed extends AllowSummary {
  readonly servers: readonly MachineServer[];
  readonly limits: Limits;
}

export type ReadAllowed =
  | { readonly kind: 'allowed'; readonly allowed: Allowed }
  | { readonly kind: 'problems'; readonly problems: readonly FileProblem[] };

/** @param file its name in faults */
export const parseAllowFile = (text: string, file: string, places: OwnPlaces): ReadAllowed => {
  const bad = (line: number, problem: string): ReadAllowed => ({
    kind: 'problems',
    problems: [{ file, line, problem }],
  });
  if (text.length > ALLOW_FILE_CHARS_MAX) return bad(1, 'it is longer than 64 KiB');
  const read = readYaml({ file, text, linesBefore: 0 }, AllowYaml);
  if (read.kind === 'problems') return read;
  const { value, lineOf } = read;
  const problems: FileProblem[] = [];
  const foldersOf = (place: readonly string[], of: Folders) => {
    const check = (kind: keyof Folders): string[] =>
      of[kind].flatMap((given, n) => {
        const checked = checkFolder(given, kind, places);
        if ('path' in checked) return [checked.path];
        problems.push({ file, line: lineOf([...place, kind, n]), problem: `${given}: ${checked.problem}` });
        return [];
      });
    return { read: check('read'), write: check('write') };
  };
  const folders = foldersOf(['folders'], value.folders);
  const servers = Object.entries(value.servers).map(([name, { run, hosts, env, secrets, ...own }]) => ({
    ...{ name, hosts, env, secrets, ...foldersOf(['servers', name], own) },
    run: run.map((word) => spell(word, places.home)),
  }));
  const programs = value.programs.map((given, n) => {
    if (!/^[~/]/.test(given)) return given;
    const path = spell(given, places.home);
    const isVisible = [...folders.read, ...folders.write].some((folder) => isWithin(path, folder));
    if (canonicalPath(path) !== path || !isVisible)
      problems.push({ file, line: lineOf(['programs', n]), problem: `${given}: no folder above holds this program` });
    return path;
  });
  const timeMs = (parseDuration(value.time) ?? 0) * SECOND_MS;
  if (timeMs > RUNNER_RUN_MS_MAX)
    problems.push({ file, line: lineOf(['time']), problem: 'an order may take 30m at most' });
  const memoryBytes = parseBytes(value.memory) ?? 0;
  if (memoryBytes < MEMORY_BYTES_MIN)
    problems.push({ file, line: lineOf(['memory']), problem: 'no program runs with less than 64MB' });
  if (problems.length > 0) return { kind: 'problems', problems };
  const limits: Limits = {
    timeMs,
    memoryBytes,
    processes: value.processes,
    fileBytes: parseBytes(value.fileSize) ?? 0,
    outputBytes: parseBytes(value.output) ?? 0,
  };
  const allowed: Allowed = {
    hash: createHash('sha256').update(text).digest('hex'),
    home: places.home,
    ...folders,
    servers,
    programs,
    hasNetwork: value.network,
    limits,
  };
  return { kind: 'allowed', allowed };
};

export const readAllowFile = (places: OwnPlaces): ReadAllowed => {
  const file = join(places.runnerFolder, 'runner.yaml');
  try {
    return parseAllowFile(readFileSync(file, 'utf8'), file, places);
  } catch {
    return { kind: 'problems', problems: [{ file, line: 1, problem: 'it cannot be read' }] };
  }
};

export const summaryOf = ({ limits: _limits, servers: _servers, ...summary }: Allowed): AllowSummary => summary;
