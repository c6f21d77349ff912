/**
 * Stops a run of a runbook for good, and closes the card of its current step. The state is written
 * first, under a condition: from then on Perceive decides on no further step, and Act performs
 * none. A job's occurrence ends with its run. A repeat closes what is still open.
 */

import { type Approval, parseApproval, type Settlement, settleApproval } from '../../core/approvals/approval.ts';
import type { GateSet } from '../../core/gates/engine/verify.ts';
import { saveCardUpdate } from '../../core/judge/approval-notices.ts';
import { perceiveMessage } from '../../core/ledger/accept.ts';
import { parseEffect } from '../../core/ledger/ledger.ts';
import type { Run } from '../../core/ledger/run.ts';
import { jobOf } from '../../core/money/day-spend.ts';
import type { Hooks } from '../../core/operations/hooks.ts';
import { childId, stepSuffix } from '../../core/signal/ids.ts';
import type { PerceiveMessage } from '../../core/signal/messages.ts';
import type { Signal } from '../../core/signal/signal.ts';
import { refuseSuspended } from '../../core/stages/suspended.ts';
import { approvalKey, signalKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { Publish } from '../../core/store/queue.ts';
import type { Table } from '../../core/store/table.ts';
import { closeEnded } from '../jobs/close-run.ts';
import { endRun } from './store-run.ts';

export interface CloseCardDeps {
  readonly hooks: Hooks;
  readonly table: Table;
  readonly loadGateSet: () => Promise<GateSet>;
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly space: string;
  readonly now: number;
}

/** Approvals that the current step waits for. */
const findOpen = async ({ table, space }: CloseCardDeps, run: Run): Promise<readonly Approval[]> => {
  const signalId = childId(run.id, stepSuffix(run.n));
  const page = await table.query({
    pk: signalKeys.partition(space, signalId),
    skPrefix: 'effect#',
    isConsistent: true,
  });
  const ids = page.items.flatMap((item) => {
    const { state, approvalId } = parseEffect(signalId, item);
    return state === 'suspended' && approvalId !== undefined ? [approvalId] : [];
  });
  const found: Approval[] = [];
  for (const id of ids) {
    const item = await loadItem(table, approvalKey(space, id));
    if (item !== undefined) found.push(parseApproval(id, item));
  }
  return found;
};

/** @returns the next signals of the run, if it goes on after the refusal */
export const closeStepCards = async (
  deps: CloseCardDeps,
  run: Run,
  settlement: Settlement,
): Promise<readonly Signal[]> => {
  const { table, hooks, now } = deps;
  const next: Signal[] = [];
  for (const approval of await findOpen(deps, run)) {
    const settled = approval.state === 'pending' ? await settleApproval(table, approval, settlement, now) : approval;
    // A yes that came first is judged by Act, which looks at the run.
    if (settled.state !== 'denied' && settled.state !== 'expired') continue;
    const child = await refuseSuspended({ table, hooks, now }, settled, settled.state);
    const update = await saveCardUpdate(table, { gateSet: await deps.loadGateSet(), now }, settled);
    if (update !== undefined) await deps.publishPerceive(perceiveMessage(update.signal), 'notice');
    if (child !== undefined) next.push(child);
  }
  return next;
};

/** @returns the run as it stands then; undefined if there is none */
export const stopRun = async (
  deps: CloseCardDeps,
  id: string,
  by: Pick<Signal, 'id' | 'sender'>,
): Promise<Run | undefined> => {
  const run = await endRun(
    deps.table,
    deps.space,
    id,
    { state: 'stopped', why: `stopped by ${by.sender.id}` },
    deps.now,
  );
  if (run?.state !== 'stopped') return run;
  await closeStepCards(deps, run, { state: 'denied', by: by.id, decider: by.sender.id });
  // The job's next moment need not wait for the heartbeat.
  if (jobOf(run.session) !== undefined) await closeEnded(deps, run.id);
  return run;
};
