/** Pairs a machine by its one-time code. The same key, asking again, gets the same answer. */
import { ConditionError, ProtocolError } from '../../../core/base/errors.ts';
import { CONFLICT_TRIES_MAX, RUNNERS_MAX } from '../../../core/base/limits.ts';
import { HttpError } from '../../../core/http/function-url.ts';
import type { MachineDeps } from '../../../core/operations/machine-door.ts';
import { absent, allOf, type Condition, equals } from '../../../core/store/condition.ts';
import { runnerKeys } from '../../../core/store/keys.ts';
import { loadItem } from '../../../core/store/load-named.ts';
import { parseStored } from '../../../core/store/parse-stored.ts';
import { fingerprintOf, hashOfSecret } from '../pairing-code.ts';
import type { RunnerAnswer, RunnerBody } from '../requests.ts';
import { checkRoom, loadRunners, RunnerCode, runnersWrites } from '../runner-powers.ts';
import type { Runner, Runners } from '../runners.ts';

const NO_CODE =
  'this code is unknown, used or older than ten minutes; make another with: npx passepartout runners pair';

const ALTERED = 'this code was altered on its way: copy the whole line again';

const IS_UNSPENT: Condition = {
  name: 'the code is unspent',
  holds: allOf(equals('schemaVersion', 1), absent('spentBy')),
};

/** @throws ProtocolError while a removed machine might still read from each queue that is free */
const freeSlot = ({ runners, lent = [] }: Runners, now: number): number => {
  const taken = new Set([...runners, ...lent.filter(({ until }) => now < until)].map(({ slot }) => slot));
  const free = Array.from({ length: RUNNERS_MAX }, (_, index) => index + 1).find((slot) => !taken.has(slot));
  if (free === undefined)
    throw new ProtocolError('removed machines may still read from the queues that are free: try again in 15 minutes');
  return free;
};

/** @throws HttpError if the code counts for nothing, ProtocolError if there is no room */
export const pairRunner = async (
  { table, space, now }: MachineDeps,
  { secret, fingerprint, publicKey, allow }: RunnerBody<'pair'>,
): Promise<RunnerAnswer<'pair'>> => {
  const key = runnerKeys.code(space, hashOfSecret(secret));
  const item = await loadItem(table, key);
  const code = item === undefined ? undefined : parseStored(item, RunnerCode, 'pairing code');
  const isSpentElsewhere = code?.spentBy !== undefined && code.spentBy !== publicKey;
  if (code === undefined || isSpentElsewhere || now() >= code.expiresAtMs) throw new HttpError(403, 'no-code', NO_CODE);
  const { name, by: pairedBy, actKey } = code;
  // The machine would trust no key of ours, so the code stays good for the right line.
  if (fingerprintOf(actKey) !== fingerprint) throw new HttpError(403, 'no-code', ALTERED);
  for (let tries = 1; ; tries += 1) {
    const before = await loadRunners(table, space);
    const isPaired = before.runners.some((one) => one.name === name && one.publicKey === publicKey);
    if (isPaired) return { space, runner: name, actKey };
    if (code.spentBy !== undefined) throw new HttpError(403, 'no-code', NO_CODE);
    checkRoom(before, name);
    const slot = freeSlot(before, now());
    const runner: Runner = { name, publicKey, actKey, slot, pairedAt: now(), pairedBy, isPaused: false, allow };
    try {
      await table.transact([
        { kind: 'update', key, change: { set: { spentBy: publicKey } }, condition: IS_UNSPENT },
        ...runnersWrites(space, before, [...before.runners, runner]),
      ]);
      return { space, runner: name, actKey };
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      if (error.condition === IS_UNSPENT.name) throw new HttpError(403, 'no-code', NO_CODE);
      if (tries >= CONFLICT_TRIES_MAX) throw error;
    }
  }
};
