/**
 * The heartbeat's look at a run of a runbook: sends its next signal if a wait is over, if its step
 * ended and nobody said so (a dead letter, a crash), or if the step's time is over. Everything else
 * is looked at again later. A repeat changes nothing.
 */
import { MINUTE_MS } from '../../core/base/limits.ts';
import { acceptSignal } from '../../core/ledger/accept.ts';
import { parseDecision, parseEffect, parseRecord } from '../../core/ledger/ledger.ts';
import { isLive, parseRun, type Run } from '../../core/ledger/run.ts';
import type { TickDeps, TickHook } from '../../core/operations/hooks.ts';
import type { Effect } from '../../core/signal/decision.ts';
import { childId, QUESTION_SUFFIX, stepSuffix } from '../../core/signal/ids.ts';
import { type ActionResult, isFinal } from '../../core/signal/signal.ts';
import { signalKeys } from '../../core/store/keys.ts';
import { loadNamed } from '../../core/store/load-named.ts';
import type { Item } from '../../core/store/table.ts';
import { buildStepSignal } from './begin-run.ts';
import { buildNextStep } from './next-step.ts';
import { closeStepCards } from './stop-run.ts';
import { lookAgainAt } from './store-run.ts';

/** The waits between two looks double up to this: a person may take an hour to decide. */
const RUN_LOOK_MS_MAX = 16 * MINUTE_MS;

const TIME_IS_OVER = 'its time limit is over';

const goOn = async (deps: TickDeps, run: Run, results: readonly ActionResult[]): Promise<void> => {
  const { table, publishPerceive: publish, space, now } = deps;
  await acceptSignal({ table, publish }, buildStepSignal(space, run, run.n + 1, results, now));
};

const failed = (state: ActionResult['state'], output: string): readonly ActionResult[] => [
  { n: 0, state, output, origin: 'agent' },
];

/** A step that can end in no other way. */
const endStep = async (deps: TickDeps, run: Run, effects: readonly Effect[]): Promise<boolean> => {
  // Somebody performs it at this moment; its claim ends soon.
  if (effects.some(({ state, isReleased }) => state === 'claimed' && isReleased !== true)) return false;
  const closed = await closeStepCards(deps, run, { state: 'expired', by: 'heartbeat' });
  for (const next of closed) await acceptSignal({ table: deps.table, publish: deps.publishPerceive }, next);
  if (closed.length === 0) await goOn(deps, run, failed('refused', TIME_IS_OVER));
  return true;
};

/** @returns whether the run goes on by this look */
const lookAtStep = async (deps: TickDeps, run: Run): Promise<boolean> => {
  const { table, space, now } = deps;
  const step = run.n === 0 ? run.id : childId(run.id, stepSuffix(run.n));
  const asked = childId(step, QUESTION_SUFFIX);
  const items = await loadNamed(table, {
    records: [signalKeys.record(space, step), signalKeys.record(space, asked)],
    decisions: [signalKeys.decision(space, step), signalKeys.decision(space, asked)],
  });
  const at = items.records[1] === undefined ? 0 : 1;
  const [id, recordItem, decisionItem] = [at === 0 ? step : asked, items.records[at], items.decisions[at]];
  // The first signal is on its way, or is that of a job.
  if (recordItem === undefined) return false;
  const record = parseRecord(id, recordItem);
  const decision = decisionItem === undefined ? undefined : parseDecision(id, decisionItem);
  const stored = await table.load(
    (decision?.actions ?? []).map((_, n) => signalKeys.effect(space, id, n)),
    { isConsistent: true },
  );
  const effects = stored.flatMap((item) => (item === undefined ? [] : [parseEffect(id, item)]));
  if (!isFinal(record.state)) return now >= endOf(run) && run.n > 0 ? endStep(deps, run, effects) : false;
  const next = decision === undefined ? undefined : buildNextStep(record.signal, run, decision, effects, now);
  if (next !== undefined) await acceptSignal({ table, publish: deps.publishPerceive }, next);
  else await goOn(deps, run, run.n === 0 ? [] : failed('failed', record.stateReason ?? 'it ended without a result'));
  return true;
};

const endOf = ({ current, endsAt }: Run): number => current?.endsAt ?? endsAt;

const isWaitOver = ({ dueAt, endsAt }: Run, now: number): boolean => now >= Math.min(dueAt ?? endsAt, endsAt);

/** @param item of the index of jobs */
const lookAtRun = async (deps: TickDeps, item: Item): Promise<void> => {
  const { table, space, now } = deps;
  const run = parseRun(item);
  if (!isLive(run)) return;
  if (run.state !== 'waiting') await lookAtStep(deps, run);
  else if (isWaitOver(run, now)) await goOn(deps, run, []);
  const later = now + Math.min(RUN_LOOK_MS_MAX, MINUTE_MS * 2 ** Math.min(run.looks, 10));
  const end = endOf(run);
  await lookAgainAt(table, space, run, end > now ? Math.min(later, end) : later);
};

export const lookAtRuns: TickHook['look'] = async (deps, items) => {
  let fault: unknown;
  for (const item of items) {
    try {
      await lookAtRun(deps, item);
    } catch (error) {
      fault ??= error;
    }
  }
  return { started: 0, fault };
};
