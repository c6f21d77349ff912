/**
 * Micro-rollback: what a signal that failed for good had changed in memory is taken back, by an action of its own that goes the way of
 * all others: judged, stored, performed by Act, told. Only where the signal was to change memory at all. Repeating it
 * changes nothing.
 */

import { SWEEP_BACKOFF_MS } from '../../base/limits.ts';
import { buildPolicyVersion, decideByCode } from '../../judge/judge.ts';
import { buildNoticeSignal, type NoticeContext } from '../../judge/notify.ts';
import { parseDecision, saveDecidedSignal } from '../../ledger/ledger.ts';
import { buildRecordItem } from '../../ledger/record.ts';
import type { Action } from '../../signal/action.ts';
import type { Decision } from '../../signal/decision.ts';
import type { Signal } from '../../signal/signal.ts';
import { signalKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Table } from '../../store/table.ts';

export const UNDO = 'undo';

/** Tools whose commits can be taken back; forgetting cannot. */
const CHANGES_MEMORY: ReadonlySet<string> = new Set(['remember', 'ingest', 'rollback']);

const hasChangedMemory = (decision: Decision): boolean =>
  decision.actions.some(({ action }) => action.target === 'tool' && CHANGES_MEMORY.has(action.tool ?? ''));

const buildUndoAction = (signal: Signal): Action => ({
  target: 'tool',
  tool: 'revert',
  args: { signal: signal.id },
  explanation: 'the task failed for good, so what it had changed in memory is taken back',
  author: 'code',
  template: UNDO,
});

const buildUndoDecision = ({ gateSet, now }: NoticeContext, undo: Signal, signal: Signal): Promise<Decision> => {
  const { space, reply, session } = signal;
  const policyVersion = buildPolicyVersion(gateSet);
  return decideByCode(gateSet, { signalId: undo.id, outcome: 'act', reason: '' }, [buildUndoAction(signal)], {
    stage: 'reason',
    now,
    space,
    reply,
    origin: 'agent',
    policyVersion,
    session,
  });
};

/** @returns the signal it travels as, to be published; undefined where there is nothing to take back. */
export const saveUndo = async (
  table: Pick<Table, 'load' | 'put'>,
  context: NoticeContext,
  signal: Signal,
): Promise<Signal | undefined> => {
  const item = await loadItem(table, signalKeys.decision(signal.space, signal.id));
  if (item === undefined || !hasChangedMemory(parseDecision(signal.id, item))) return undefined;
  const undo = buildNoticeSignal(signal, UNDO, UNDO, context.now);
  const record = buildRecordItem(undo, 'reasoned', context.now + SWEEP_BACKOFF_MS[0]);
  await saveDecidedSignal(table, undo, record, await buildUndoDecision(context, undo, signal));
  return undo;
};
