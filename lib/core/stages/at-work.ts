/**
 * Signs of life of a long turn. The chat's "typing" is refreshed; a turn without a reply after
 * `AT_WORK_SECONDS` says once that it is at work. That line is a notice with a stored
 * decision (I1); typing is best effort. A failure here does not affect the turn. A fast turn reads
 * and writes nothing here.
 */

import { changedWaits } from '../base/changed-waits.ts';
import type { GateSet } from '../gates/engine/verify.ts';
import type { SignalRecord } from '../ledger/record.ts';
import type { ActMessage } from '../signal/messages.ts';
import type { Signal } from '../signal/signal.ts';
import type { Table } from '../store/table.ts';

export interface AtWorkDeps {
  readonly table: Pick<Table, 'load' | 'put' | 'update'>;
  readonly gateSet: GateSet;
  /** Sends the stored line. */
  readonly send: (message: ActMessage) => Promise<void>;
  /** Loaded for the first look: most turns end before it. */
  readonly loadLook: () => Promise<{ readonly lookAtWork: (watch: Watch) => Promise<void> }>;
  /** Shows in a Telegram chat that somebody is typing. */
  readonly type: (signal: Signal) => Promise<void>;
  /** How long a person waits without a word; 0 for ever. */
  readonly afterMs: number;
  readonly now: () => number;
}

export interface AtWork {
  /** Ends all signs: the answer itself is being shown. */
  readonly hush: () => void;
  /** Waits for a sign that is under way. Never rejects. */
  readonly end: () => Promise<void>;
}

/** Between two looks at the clock; work that is over before the first one costs nothing. */
const LOOK_MS = 2_000;

/** Ids of signals made after a person decided an approval. */
const FOLLOWS_APPROVAL = /\/[rd]\d+(-\d+)?(\/|$)/;

export interface Watch {
  readonly deps: AtWorkDeps;
  readonly signal: Signal;
  readonly loadRoot: () => Promise<SignalRecord | undefined>;
  /** When a person let it go on: the time before counts as nobody's wait. */
  readonly resumedAt: number | undefined;
  root: SignalRecord | undefined;
  isHushed: boolean;
  isToBeTold: boolean;
  looks: number;
  busy: Promise<void> | undefined;
}

/** @param loadRoot called with the first look @param approvedAt if it was approved */
export const startAtWork = (
  deps: AtWorkDeps,
  { signal, modelWait }: Pick<SignalRecord, 'signal' | 'modelWait'>,
  loadRoot: () => Promise<SignalRecord | undefined>,
  approvedAt?: number,
): AtWork => {
  const watch: Watch = {
    deps,
    signal,
    loadRoot,
    resumedAt: approvedAt ?? (FOLLOWS_APPROVAL.test(signal.id) ? signal.receivedAt : undefined),
    root: undefined,
    isHushed: signal.payload.sensor === 'loop-error',
    // A person who was told that no model can be reached needs no second message.
    isToBeTold: deps.afterMs > 0 && modelWait === undefined,
    looks: 0,
    busy: undefined,
  };
  const timer = setInterval(() => {
    watch.busy ??= deps
      .loadLook()
      .then(({ lookAtWork }) => lookAtWork(watch))
      .catch(() => undefined)
      .finally(() => {
        watch.busy = undefined;
      });
  }, changedWaits.workLookMs ?? LOOK_MS);
  return {
    hush: () => {
      watch.isHushed = true;
    },
    end: async () => {
      clearInterval(timer);
      watch.isHushed = true;
      await watch.busy;
    },
  };
};
