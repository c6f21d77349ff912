/**
 * The end of a signal that could not be worked on: marked with the reason and where it died (a redrive takes it up there),
 * the turn handed on so that the session lives, the model told once where that can help (`loop-error`), the person always.
 */

import type { GateSet } from '../../gates/engine/verify.ts';
import { notices } from '../../judge/notices.ts';
import { saveNotice } from '../../judge/notify.ts';
import { acceptSignal, perceiveMessage } from '../../ledger/accept.ts';
import { advance, endedAs, noteChildren, parseRecord } from '../../ledger/ledger.ts';
import { FAILURES, failureTold } from '../../ledger/recover-failure.ts';
import { leaveTurn, parseHead } from '../../ledger/session.ts';
import type { PerceiveMessage } from '../../signal/messages.ts';
import { buildChild, type Signal, type SignalState } from '../../signal/signal.ts';
import { sessionKey, signalKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Publish } from '../../store/queue.ts';
import type { Table } from '../../store/table.ts';
import { saveUndo, UNDO } from './undo.ts';

/** `loop-error` signals are made only up to this depth: an error while handling an error tells the person instead. */
const LOOP_ERROR_DEPTH_MAX = 2;

export interface BuryDeps {
  readonly table: Table;
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly gateSet: GateSet;
  readonly now: number;
}

const UNDER_WAY: readonly SignalState[] = ['received', 'perceived', 'reasoned', 'suspended'];

/** Repeating it changes nothing. @param why in plain words, without texts from outside. */
export const buryDead = async (deps: BuryDeps, signal: Signal, why: string): Promise<void> => {
  const item = await loadItem(deps.table, signalKeys.record(signal.space, signal.id));
  const state = item === undefined ? undefined : parseRecord(signal.id, item).state;
  if (state === undefined || !(UNDER_WAY.includes(state) || state === 'dead-lettered')) return;
  const children = await tell(deps, signal, why);
  await handTurnOn(deps, signal);
  await noteChildren(deps.table, signal, children);
  if (state !== 'dead-lettered') {
    const ended = endedAs(signal.space, 'dead-lettered', deps.now, why);
    await advance(deps.table, signal, [state], { ...ended, set: { ...ended.set, diedIn: state } });
  }
};

/** A notice about a notice that failed would fail the same way, and errors about errors help nobody. */
const tell = async (deps: BuryDeps, signal: Signal, why: string): Promise<readonly string[]> => {
  const { sensor } = signal.payload;
  const { said, isModelTold } = FAILURES[failureTold(why)];
  if (sensor === 'notice') return [];
  const notice = await saveNotice(deps.table, deps, signal, 'broken', notices.broken(signal.id, said));
  await deps.publishPerceive(perceiveMessage(notice.signal), 'broken');
  const undo = await saveUndo(deps.table, deps, signal);
  if (undo !== undefined) await deps.publishPerceive(perceiveMessage(undo), UNDO);
  const told = [notice.signal.id, ...(undo === undefined ? [] : [undo.id])];
  const isTooDeep = signal.depth + 1 > LOOP_ERROR_DEPTH_MAX;
  if (!isModelTold || isTooDeep || sensor === 'loop-error' || sensor === 'tool-error') return told;
  const child = buildChild(
    signal,
    'e',
    // In our own words: what an error says of its cause may name what others wrote, and this counts as the agent's text.
    { sensor: 'loop-error', stage: 'pipeline', message: said },
    deps.now,
  );
  await acceptSignal({ table: deps.table, publish: deps.publishPerceive }, child);
  return [...told, child.id];
};

const handTurnOn = async (deps: BuryDeps, signal: Signal): Promise<void> => {
  const item = await loadItem(deps.table, sessionKey(signal.space, signal.session));
  const next = await leaveTurn(deps.table, signal, item === undefined ? undefined : parseHead(signal.session, item));
  if (next !== undefined) await deps.publishPerceive(perceiveMessage({ ...signal, id: next }), `turn:${signal.id}`);
};
