/**
 * The requests of a paired machine: open its queue, take a job, ask whether to go on, give a
 * result, say that it ends. Repeating any of them changes nothing. A job is given only if nobody
 * stopped it, which is looked at before the claim and again behind it.
 */
import { defined } from '../../../core/base/defined.ts';
import { ConditionError, ProtocolError } from '../../../core/base/errors.ts';
import { CONFLICT_TRIES_MAX, MINUTE_MS } from '../../../core/base/limits.ts';
import { perceiveMessage } from '../../../core/ledger/accept.ts';
import { isStoppedFor, killSwitchKey, readKillSwitch } from '../../../core/ledger/kill-switch.ts';
import { isLive, parseRun } from '../../../core/ledger/run.ts';
import { parseHead } from '../../../core/ledger/session.ts';
import { isSessionStoppedFor } from '../../../core/ledger/session-controls.ts';
import type { MachineDeps } from '../../../core/operations/machine-door.ts';
import { partsOfOrderId, rootOf, stepOf } from '../../../core/signal/ids.ts';
import { runKeys, sessionKey } from '../../../core/store/keys.ts';
import { loadNamed } from '../../../core/store/load-named.ts';
import { endOrder, loadOrderRow, type OrderRow, refuseOrder, takeOrder } from '../order-row.ts';
import { RUNNER_CLOCK_MS_MAX, type RunnerAnswer, type RunnerBody } from '../requests.ts';
import { isReceiptOf, isResultOf, isShown, type SignedReceipt } from '../result.ts';
import { loadRunners, runnersWrites } from '../runner-powers.ts';
import type { Runner } from '../runners.ts';

/** A machine at work asks each second; so much is written down. */
const NOTE_SEEN_MS = MINUTE_MS;

/** Notes that the machine was there, and what it told of itself. @returns the runner now */
const noteSeen = async (
  { table, space, now }: MachineDeps,
  { name, publicKey }: Runner,
  told: Partial<Pick<Runner, 'allow' | 'isStopped' | 'start' | 'isPaused' | 'isCopied' | 'release' | 'takesFiles'>>,
): Promise<Runner> => {
  for (let tries = 1; ; tries += 1) {
    const before = await loadRunners(table, space);
    const found = before.runners.find((one) => one.name === name && one.publicKey === publicKey);
    if (found === undefined) throw new ProtocolError('this runner was removed; pair it again');
    const seen: Runner = { ...found, ...told, seenAt: now() };
    const runners = before.runners.map((one) => (one === found ? seen : one));
    try {
      await table.transact(runnersWrites(space, before, runners));
      return seen;
    } catch (error) {
      if (!(error instanceof ConditionError) || tries >= CONFLICT_TRIES_MAX) throw error;
    }
  }
};

/** Only the next start takes it back: a beat that was on its way does not. */
export const leave = async (deps: MachineDeps, runner: Runner): Promise<RunnerAnswer<'leave'>> => {
  await noteSeen(deps, runner, { isStopped: true });
  return {};
};

/**
 * Two programs with the key of one machine are at work: its folder was copied. Neither gets a job
 * until its owner has ended one and resumes the machine.
 */
const COPIED = { isPaused: true, isCopied: true } as const;

/** The words of a program about itself. */
export type ProgramReport = Pick<Runner, 'release' | 'takesFiles'>;

export const openQueue = async (
  deps: MachineDeps,
  runner: Runner,
  { allow, start }: RunnerBody<'open'>,
  { release, takesFiles = false }: ProgramReport = {},
): Promise<RunnerAnswer<'open'>> => {
  const told = { allow, isStopped: false, takesFiles, ...defined({ start, release }) };
  const { isPaused, slot, name } = await noteSeen(deps, runner, told);
  const queueUrl = deps.queueUrls[slot - 1];
  if (queueUrl === undefined) throw new ProtocolError('this runner has no queue; pair it again');
  const access = await deps.openQueue(queueUrl, name);
  // Only the local stack's queues have no TLS, and an address of their own.
  const { origin, protocol } = new URL(queueUrl);
  return { queueUrl, ...access, ...(protocol === 'http:' ? { endpoint: origin } : {}), isPaused };
};

/** Why nobody may run the job now; undefined if it may run. */
const whyStopped = async ({ table, space }: MachineDeps, row: OrderRow): Promise<string | undefined> => {
  const { signalId } = partsOfOrderId(row.id);
  const { stop, head, run } = await loadNamed(table, {
    stop: killSwitchKey(space),
    head: sessionKey(space, row.session),
    run: stepOf(signalId) === undefined ? undefined : runKeys.record(space, rootOf(signalId)),
  });
  const killSwitch = readKillSwitch(stop);
  if (isStoppedFor(killSwitch, row.consentedAt)) return 'everything was stopped';
  const consent = { at: row.consentedAt, isApproved: row.isApproved === true };
  if (isSessionStoppedFor(head && parseHead(row.session, head), consent)) return 'its conversation was stopped';
  return run !== undefined && !isLive(parseRun(run)) ? 'the run it belongs to was stopped' : undefined;
};

/** Tells the job's signal that Act has something to settle. */
const wake = ({ publish, space }: MachineDeps, { id, session }: OrderRow, step: string): Promise<void> => {
  const { signalId, n } = partsOfOrderId(id);
  return publish(perceiveMessage({ space, session, id: signalId }), `runner:${n}:${step}`);
};

/** @throws ProtocolError if it is not this runner's word about this job: no log would stand it */
const checkReceipt = (runner: Runner, row: OrderRow, signed: SignedReceipt): void => {
  const { jobHash, runner: named, takenAt } = signed.receipt;
  const isTheirs = jobHash === row.jobHash && named === runner.name && isReceiptOf(runner.publicKey, signed);
  if (!isTheirs || takenAt >= row.waitsUntil + RUNNER_CLOCK_MS_MAX)
    throw new ProtocolError('the receipt is not signed by this runner for this job, in its time');
};

const refused = (why: string): RunnerAnswer<'claim'> => ({ isYours: false, why });

export const claimJob = async (
  deps: MachineDeps,
  runner: Runner,
  { id, receipt }: RunnerBody<'claim'>,
): Promise<RunnerAnswer<'claim'>> => {
  const { table, space, now } = deps;
  const row = await loadOrderRow(table, space, id);
  if (row === undefined || row.runner !== runner.name) return refused('there is no such job for this runner');
  checkReceipt(runner, row, receipt);
  const { claim } = receipt.receipt;
  const why = runner.isPaused ? 'the runner is paused' : await whyStopped(deps, row);
  if (why === undefined) {
    const taken = await takeOrder(table, space, id, receipt, now());
    if (taken === undefined) return refuseTaken(deps, row);
    // A stop that came meanwhile is seen here at the latest.
    const late = await whyStopped(deps, taken);
    if (late === undefined) return { isYours: true, why: '' };
    await refuseOrder(table, space, id, late, claim);
    await wake(deps, row, 'refused');
    return refused(late);
  }
  await refuseOrder(table, space, id, why);
  await wake(deps, row, 'refused');
  return refused(why);
};

/** Somebody else has it, or it is over. */
const refuseTaken = async (deps: MachineDeps, row: OrderRow): Promise<RunnerAnswer<'claim'>> => {
  if (row.state !== 'queued' || row.isSettled === true) return refused('it was taken before, or is over');
  if (deps.now() < row.waitsUntil) return refused('another claim was faster');
  await wake(deps, row, 'expired');
  return refused('it has expired');
};

export const beat = async (
  deps: MachineDeps,
  runner: Runner,
  { ids, start }: RunnerBody<'beat'>,
): Promise<RunnerAnswer<'beat'>> => {
  if (runner.isCopied === true) return { stop: ids };
  if (start !== undefined && runner.start !== undefined && start !== runner.start) {
    await noteSeen(deps, runner, COPIED);
    return { stop: ids };
  }
  if (deps.now() - (runner.seenAt ?? 0) >= NOTE_SEEN_MS) await noteSeen(deps, runner, {});
  const isToStop = async (id: string): Promise<boolean> => {
    const row = await loadOrderRow(deps.table, deps.space, id);
    if (row?.runner !== runner.name || row.state !== 'taken') return true;
    return (await whyStopped(deps, row)) !== undefined;
  };
  const stops = await Promise.all(ids.map(isToStop));
  return { stop: ids.filter((_, index) => stops[index]) };
};

/** @throws ProtocolError if it is not this runner's word about this job: no log would stand it */
const checkResult = (runner: Runner, row: OrderRow, { result: signed, receipt, text }: RunnerBody<'result'>): void => {
  const { result } = signed;
  const isTheirs = result.runner === runner.name && result.jobHash === row.jobHash;
  if (!isTheirs || !isResultOf(runner.publicKey, signed))
    throw new ProtocolError('the result is not signed by this runner for this job');
  if (!isShown(text, result)) throw new ProtocolError('the text is not the one that the result names');
  if (receipt !== undefined) checkReceipt(runner, row, receipt);
  if (receipt?.receipt.claim !== result.claim || (receipt === undefined && result.state !== 'refused'))
    throw new ProtocolError('the result brings no receipt of its claim');
};

export const keepResult = async (
  deps: MachineDeps,
  runner: Runner,
  body: RunnerBody<'result'>,
): Promise<RunnerAnswer<'result'>> => {
  const { table, space, now } = deps;
  const row = await loadOrderRow(table, space, body.id);
  if (row === undefined || row.runner !== runner.name) return { isKept: false };
  checkResult(runner, row, body);
  const kept = await endOrder(table, space, body.id, { signed: body.result, ...body }, now());
  if (kept === undefined) return { isKept: false };
  if (kept.isSettled !== true) await wake(deps, row, 'ended');
  return { isKept: true };
};
