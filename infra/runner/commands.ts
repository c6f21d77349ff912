/** Performs `npx passepartout runner` on this machine. Errors say what to do. */
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { sayReach, UNDER_POLICY } from '../../lib/core/approvals/say-reach.ts';
import { ConfigError, isRetryable, ProtocolError } from '../../lib/core/base/errors.ts';
import { problemWords } from '../../lib/core/base/file-problem.ts';
import { fingerprintOf, parsePairingCode } from '../../lib/features/runner/pairing-code.ts';
import { runnerReach } from '../../lib/features/runner/runner-reach.ts';
import { buildSigner } from '../../lib/features/runner/sign.ts';
import { FolderInUseError, lockFolder } from '../local/data-folder.ts';
import { ALLOW_EXAMPLE } from './allow-example.ts';
import { type Allowed, readAllowFile } from './allow-file.ts';
import { runLoop } from './run-loop.ts';
import { homeOf, openRunnerFolder, type RunnerFolder, writePairing } from './runner-folder.ts';
import { findSandbox, type Sandbox } from './sandbox.ts';
import { buildStack, checkStackUrl } from './transport.ts';

export interface RunnerContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  readonly report: (line: string) => void;
}

const SEED_BYTES = 32;

/** @throws ConfigError with the package to install */
export const requireSandbox = async (): Promise<Sandbox> => {
  const found = await findSandbox();
  if (found.kind === 'none') throw new ConfigError([found.problem]);
  return found.sandbox;
};

/** Before it is paired, a machine allows nothing. */
const nothingAllowed = () => ({
  hash: createHash('sha256').update(ALLOW_EXAMPLE).digest('hex'),
  home: homeOf(),
  read: [],
  write: [],
  programs: [],
  hasNetwork: false,
});

/**
 * @returns the runner's name and its folder. @throws ConfigError, ProtocolError, UnavailableError
 */
export const pairRunner = async ({ env, now }: RunnerContext, url: string, code: string) => {
  await requireSandbox();
  const parsed = parsePairingCode(code);
  if (parsed === undefined) throw new ProtocolError('this is no pairing code: copy the whole line again');
  const seed = randomBytes(SEED_BYTES);
  const signer = buildSigner(seed);
  const stack = buildStack({ url: checkStackUrl(url), signer, runner: '', now });
  const { secret, fingerprint } = parsed;
  const ask = () => stack.pair({ secret, fingerprint, publicKey: signer.publicKey, allow: nothingAllowed() });
  // If only the answer was lost, the code is spent, and none but this key gets it again.
  const answer = await ask().catch((error: unknown) => {
    if (!isRetryable(error)) throw error;
    return ask();
  });
  // An impostor in the stack's place has another key.
  if (fingerprintOf(answer.actKey) !== fingerprint)
    throw new ProtocolError('the answer does not come from the stack that made the code: nothing was written here');
  const { space, runner: name, actKey } = answer;
  const pairing = { v: 1, url: checkStackUrl(url), space, name, actKey, pairedAt: now() } as const;
  return { name, folder: writePairing(env, pairing, seed, ALLOW_EXAMPLE) };
};

/** @throws ConfigError with every fault and its line */
const requireAllowed = (folder: RunnerFolder): Allowed => {
  const read = readAllowFile(folder.places);
  if (read.kind === 'problems') throw new ConfigError(read.problems.map(problemWords));
  const { allowed } = read;
  if (allowed.read.length + allowed.write.length + allowed.servers.length === 0)
    throw new ConfigError([
      `${folder.path}/runner.yaml names no folder: write down which ones orders may read or change`,
    ]);
  return allowed;
};

/** The kinds of action that a start makes possible; no line if it can do nothing. */
const allowedLines = ({ places }: RunnerFolder): readonly string[] => {
  const read = readAllowFile(places);
  const reach = read.kind === 'problems' ? new Map() : runnerReach(read.allowed);
  return reach.size === 0 ? [] : [...sayReach(new Map(), reach), UNDER_POLICY];
};

/** @throws ConfigError if it is not paired */
export const sayAllowed = async ({ env }: RunnerContext, name: string): Promise<readonly string[]> =>
  allowedLines(openRunnerFolder(env, name));

/** The rules that would hold if it started now. @throws ConfigError */
export const checkRunner = async ({ env, report }: RunnerContext, name?: string): Promise<void> => {
  const folder = openRunnerFolder(env, name);
  const sandbox = await requireSandbox();
  const { read, write, programs, hasNetwork, limits, servers } = requireAllowed(folder);
  const listed = (values: readonly string[]): string => (values.length === 0 ? 'none' : values.join(', '));
  report(`${folder.pairing.name} is paired with ${folder.pairing.url}`);
  report(`key ${fingerprintOf(folder.signer.publicKey)}, folder ${folder.path}`);
  report(`sandbox: ${sandbox.name}`);
  report(`reads: ${listed([...read, ...write])}`);
  report(`changes: ${listed(write)}`);
  report(`programs beside those that only read: ${listed(programs)}; network: ${hasNetwork ? 'yes' : 'none'}`);
  for (const { name, hosts, ...own } of servers)
    report(
      `server ${name}: reads ${listed([...own.read, ...own.write])}; changes ${listed(own.write)}; reaches ${listed(hosts)}`,
    );
  report(`${limits.timeMs / 1_000} s, ${limits.memoryBytes / 2 ** 20} MB of memory, ${limits.processes} processes`);
};

/** A second one in the same folder would take the orders of the first for orders of a crash. */
export const lockRunner = ({ path, pairing }: RunnerFolder): (() => void) => {
  try {
    return lockFolder(path);
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new ConfigError([`the runner ${pairing.name} is at work already, in the process ${error.pid}`]);
  }
};

/** Linux's mark of a descriptor that no started program gets. */
const CLOSES_ON_EXEC = 0o2000000;

/** A file that was open when this process began would be open in each order. Linux only. */
const closeInherited = (): void => {
  const folder = '/proc/self/fdinfo';
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = `${folder}/${name}`;
    const flags = existsSync(path) ? /^flags:\s+(\d+)$/m.exec(readFileSync(path, 'utf8'))?.[1] : undefined;
    if (Number(name) > 2 && flags !== undefined && (Number.parseInt(flags, 8) & CLOSES_ON_EXEC) === 0)
      closeSync(Number(name));
  }
};

/** Runs until the signal aborts. @throws ConfigError if it cannot begin */
export const startRunner = async (
  { env, now, report }: RunnerContext,
  signal: AbortSignal,
  name?: string,
): Promise<void> => {
  closeInherited();
  const folder = openRunnerFolder(env, name);
  const sandbox = await requireSandbox();
  requireAllowed(folder);
  const { url, name: runner } = folder.pairing;
  const stack = buildStack({ url, signer: folder.signer, runner, now });
  const unlock = lockRunner(folder);
  try {
    report(`runner ${runner}: ${sandbox.name}, ${url}`);
    for (const line of allowedLines(folder)) report(line);
    await runLoop({ folder, stack, sandbox, now, report, signal });
  } finally {
    unlock();
  }
};
