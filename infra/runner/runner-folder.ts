/**
 * The folder of one runner on its machine, for its owner alone: `~/.passepartout-runner/<name>`.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { ConfigError } from '../../lib/core/base/errors.ts';
import { parseJson } from '../../lib/core/base/json.ts';
import { RunnerName } from '../../lib/features/runner/runner-name.ts';
import { buildSigner, type Signer } from '../../lib/features/runner/sign.ts';
import type { OwnPlaces } from './check-folder.ts';

/** Whole outputs that stay: enough to look up what a conversation still speaks of. */
const OUTPUTS_KEPT_MAX = 20;
/** Versions of files before a write: weeks of edits by hand. */
const VERSIONS_KEPT_MAX = 500;
/** Of a file's name in the name of its version, which file systems bound at 255. */
const NAME_BYTES_MAX = 100;

/** Written when the machine is paired, never changed. */
export const Pairing = z.strictObject({
  v: z.literal(1),
  /** Of the stack, without a path at its end. */
  url: z.string(),
  space: z.string(),
  name: RunnerName,
  /** Act's public key. */
  actKey: z.string(),
  pairedAt: z.int(),
});
export type Pairing = z.infer<typeof Pairing>;

export interface RunnerFolder {
  readonly path: string;
  readonly places: OwnPlaces;
  readonly pairing: Pairing;
  readonly signer: Signer;
  readonly journal: string;
  /** A new file for the whole output of an order; the oldest others go. */
  readonly outputFile: (jobId: string) => string;
  /** Keeps the bytes of a file before a write; the oldest others go. */
  readonly keepVersion: (jobId: string, name: string, bytes: Uint8Array) => void;
  /** A signed result that is not posted yet. */
  readonly unsent: string;
  /** Files of skills that the stack gave, by their hashes. */
  readonly skillFiles: string;
  /** The folder of a server's package, as `mcp add` fetched it. */
  readonly package: (server: string) => string;
  /** A secret of one server; undefined if none is set. */
  readonly secret: (server: string, name: string) => string | undefined;
  readonly setSecret: (server: string, name: string, value: string) => void;
}

type Env = Readonly<Record<string, string | undefined>>;

export const homeOf = (): string => realpathSync(homedir());
const runnersFolder = (env: Env): string => env.PASSEPARTOUT_RUNNER_DIR ?? join(homeOf(), '.passepartout-runner');

const makeFolder = (path: string): string => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  return path;
};

/** Ids have characters that file names should not. */
export const fileNameOf = (jobId: string): string => createHash('sha256').update(jobId).digest('hex').slice(0, 32);

/** Removes the oldest files of a folder. Names begin with the time. */
const prune = (folder: string, max: number): void => {
  const names = readdirSync(folder).toSorted();
  for (const name of names.slice(0, Math.max(0, names.length - max))) rmSync(join(folder, name), { force: true });
};

const stamped = (now: number, name: string): string =>
  `${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}-${name}`;

export const writePairing = (env: Env, pairing: Pairing, seed: Uint8Array, allowExample: string): string => {
  const folder = makeFolder(join(makeFolder(runnersFolder(env)), pairing.name));
  writeFileSync(join(folder, 'key'), Buffer.from(seed).toString('base64url'), { mode: 0o600 });
  writeFileSync(join(folder, 'pairing.json'), `${JSON.stringify(pairing, null, 2)}\n`, { mode: 0o600 });
  const allowFile = join(folder, 'runner.yaml');
  // A machine that is paired again keeps what its owner wrote.
  if (statSync(allowFile, { throwIfNoEntry: false }) === undefined)
    writeFileSync(allowFile, allowExample, { mode: 0o600 });
  return folder;
};

/** The runners that are paired on this machine. */
export const listRunnerNames = (env: Env): readonly string[] => {
  try {
    return readdirSync(runnersFolder(env)).filter(
      (name) => RunnerName.safeParse(name).success && existsSync(join(runnersFolder(env), name, 'pairing.json')),
    );
  } catch {
    return [];
  }
};

/** @param name of the runner; may be left out if there is one. @throws ConfigError */
export const openRunnerFolder = (env: Env, name: string | undefined): RunnerFolder => {
  const names = listRunnerNames(env);
  const [first, ...others] = names;
  if (first === undefined)
    throw new ConfigError(['no runner is paired on this machine: begin with npx passepartout runners pair <name>']);
  if (name === undefined && others.length > 0) throw new ConfigError([`name the runner: ${names.join(', ')}`]);
  const chosen = name ?? first;
  if (!names.includes(chosen)) throw new ConfigError([`no runner ${chosen} is here, only ${names.join(', ')}`]);
  const path = realpathSync(join(runnersFolder(env), chosen));
  const outputs = makeFolder(join(path, 'outputs'));
  const kept = makeFolder(join(path, 'kept'));
  return {
    path,
    places: { home: homeOf(), runnerFolder: path },
    pairing: parseJson('pairing.json', readFileSync(join(path, 'pairing.json'), 'utf8'), Pairing),
    signer: buildSigner(Buffer.from(readFileSync(join(path, 'key'), 'utf8').trim(), 'base64url')),
    journal: join(path, 'journal.jsonl'),
    unsent: makeFolder(join(path, 'unsent')),
    skillFiles: makeFolder(join(path, 'skill-files')),
    package: (server) => join(path, 'servers', server),
    secret: (server, name) => {
      const file = join(path, 'secrets', server, name);
      return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    },
    setSecret: (server, name, value) => {
      const file = join(makeFolder(join(makeFolder(join(path, 'secrets')), server)), name);
      writeFileSync(file, value, { mode: 0o600, flush: true });
    },
    outputFile: (jobId) => {
      prune(outputs, OUTPUTS_KEPT_MAX - 1);
      return join(outputs, stamped(Date.now(), fileNameOf(jobId)));
    },
    keepVersion: (jobId, file, bytes) => {
      prune(kept, VERSIONS_KEPT_MAX - 1);
      const end = Buffer.from(file).subarray(-NAME_BYTES_MAX).toString();
      const at = stamped(Date.now(), `${fileNameOf(jobId).slice(0, 8)}-${end}`);
      writeFileSync(join(kept, at), bytes, { mode: 0o600, flush: true });
    },
  };
};
