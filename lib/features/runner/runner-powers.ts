/**
 * The powers over paired runners that Act gives to tools. Each change of the record is conditional
 * on its round; every claim reads the record, so a removed or paused runner gets no further order.
 */
import * as z from 'zod/mini';
import { ConditionError, ProtocolError } from '../../core/base/errors.ts';
import { CONFLICT_TRIES_MAX, MINUTE_MS, QUEUE_ACCESS_MS, RUNNERS_MAX } from '../../core/base/limits.ts';
import { equals, IS_NEW } from '../../core/store/condition.ts';
import { runnerDataWrite } from '../../core/store/data-version.ts';
import { runnerKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { Table, Write } from '../../core/store/table.ts';
import { wasWritten } from '../../core/store/update-if.ts';
import { fingerprintOf, RUNNER_CODE_TTL_MS } from './pairing-code.ts';
import { RunnerName } from './runner-name.ts';
import { parseRunners, type Runner, type Runners } from './runners.ts';

/** The item of a code that may pair a runner of this name. */
export const RunnerCode = z.object({
  schemaVersion: z.literal(1),
  name: RunnerName,
  /** Sender id of the approver. */
  by: z.string(),
  /** Act's public key, which the code's fingerprint names. */
  actKey: z.string(),
  expiresAtMs: z.int(),
  /** Public key of the machine that used it. */
  spentBy: z.optional(z.string()),
});
export type RunnerCode = z.infer<typeof RunnerCode>;

interface OpenPairing {
  /** Of Act's public key. */
  readonly fingerprint: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

export interface RunnerPowers {
  /** @param codeHash SHA-256 of the code's secret. @throws ProtocolError */
  readonly open: (code: {
    readonly name: string;
    readonly codeHash: string;
    readonly by: string;
    readonly now: number;
  }) => Promise<OpenPairing>;
  /** @throws ProtocolError if there is no such runner */
  readonly pause: (name: string, isPaused: boolean) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
  readonly list: () => Promise<readonly Runner[]>;
}

type RunnersTable = Pick<Table, 'load' | 'put' | 'transact'>;

export const loadRunners = async (table: Pick<Table, 'load'>, space: string): Promise<Runners> =>
  parseRunners(await loadItem(table, runnerKeys.list(space)));

/** Longer than credentials last: they are made after the machine was noted as seen. */
const LENT_MS = QUEUE_ACCESS_MS + MINUTE_MS;

/** Nothing takes back the credentials of a runner that goes, so nobody gets its queue meanwhile. */
const lentOf = ({ runners: before, lent = [] }: Runners, runners: readonly Runner[]) => {
  const gone = before.filter(({ slot }) => runners.every((one) => one.slot !== slot));
  const left = gone.map(({ slot, seenAt = 0 }) => ({ slot, until: seenAt + LENT_MS }));
  const slots = new Set(left.map(({ slot }) => slot));
  return [...lent.filter(({ slot }) => !slots.has(slot)), ...left];
};

/** Part of a transaction that replaces the record as it was read. */
export const runnersWrites = (space: string, before: Runners, runners: readonly Runner[]): readonly Write[] => [
  {
    kind: 'put',
    key: runnerKeys.list(space),
    item: {
      schemaVersion: 1,
      round: before.round + 1,
      runners: runners.map(
        ({ isStopped: _, isCopied: _copied, start: _start, release: _release, takesFiles: _files, ...runner }) =>
          runner,
      ),
      lent: lentOf(before, runners),
      copied: runners.flatMap(({ name, isCopied }) => (isCopied === true ? [name] : [])),
      starts: Object.fromEntries(runners.flatMap(({ name, start }) => (start === undefined ? [] : [[name, start]]))),
      releases: Object.fromEntries(
        runners.flatMap(({ name, release }) => (release === undefined ? [] : [[name, release]])),
      ),
      takeFiles: runners.flatMap(({ name, takesFiles }) => (takesFiles === true ? [name] : [])),
      stopped: runners.flatMap(({ name, isStopped }) => (isStopped === true ? [name] : [])),
    },
    condition:
      before.round === 0 ? IS_NEW : { name: 'the runners are as they were read', holds: equals('round', before.round) },
  },
];

/** @throws ProtocolError */
export const runnerOrFail = ({ runners }: Runners, name: string): Runner => {
  const runner = runners.find((one) => one.name === name);
  if (runner === undefined) throw new ProtocolError(`there is no runner ${name}; /runners lists those there are`);
  return runner;
};

/** @throws ProtocolError if there is no room for a runner of this name */
export const checkRoom = ({ runners }: Runners, name: string): void => {
  if (runners.some((one) => one.name === name))
    throw new ProtocolError(`there is a runner ${name} already; /runners remove ${name} takes it away`);
  if (runners.length >= RUNNERS_MAX)
    throw new ProtocolError(`there are ${RUNNERS_MAX} runners already; remove one first`);
};

const change = async (
  table: RunnersTable,
  space: string,
  name: string,
  make: (runner: Runner) => Runner | undefined,
): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    const before = await loadRunners(table, space);
    const runner = runnerOrFail(before, name);
    const changed = make(runner);
    const runners = before.runners.flatMap((one) => (one !== runner ? [one] : changed === undefined ? [] : [changed]));
    try {
      await table.transact(runnersWrites(space, before, runners));
      return;
    } catch (error) {
      if (!(error instanceof ConditionError) || tries >= CONFLICT_TRIES_MAX) throw error;
    }
  }
};

const open =
  (table: RunnersTable, space: string, loadActKey: () => Promise<string>): RunnerPowers['open'] =>
  async ({ name, codeHash, by, now }) => {
    checkRoom(await loadRunners(table, space), name);
    const actKey = await loadActKey();
    const expiresAtMs = now + RUNNER_CODE_TTL_MS;
    const code: RunnerCode = { schemaVersion: 1, name, by, actKey, expiresAtMs };
    // A repeat of the same effect finds its own code. No release from before can read what follows.
    const item = { ...code, expiresAt: Math.ceil(expiresAtMs / 1000) };
    const key = runnerKeys.code(space, codeHash);
    await wasWritten(table.transact([{ kind: 'put', key, item, condition: IS_NEW }, runnerDataWrite(space)]));
    return { fingerprint: fingerprintOf(actKey), expiresAt: expiresAtMs };
  };

/** @param refuseWaiting ends the orders that wait for a runner */
export const buildRunnerPowers = (
  table: RunnersTable,
  space: string,
  loadActKey: () => Promise<string>,
  refuseWaiting: (runner: string, why: string) => Promise<void>,
): RunnerPowers => ({
  open: open(table, space, loadActKey),
  pause: async (name, isPaused) => {
    await change(table, space, name, (runner) => ({ ...runner, isPaused, isCopied: false }));
    if (isPaused) await refuseWaiting(name, `the machine ${name} was paused`);
  },
  remove: async (name) => {
    // Paused first: no order comes in between, and a repeat after a crash still finds the runner.
    await change(table, space, name, (runner) => ({ ...runner, isPaused: true }));
    await refuseWaiting(name, `the machine ${name} was removed`);
    await change(table, space, name, () => undefined);
  },
  list: async () => (await loadRunners(table, space)).runners,
});
