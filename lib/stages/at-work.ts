/**
 * Signs of life of a long turn, while a model is asked or actions are performed: the chat's
 * "typing" is refreshed, and a turn that has no reply ten seconds after its message arrived says
 * once that it is at work. That line is a notice with a stored decision (I1); typing is best
 * effort, as drafts are. A failure here has no effect on the turn. Nothing is read or written for a
 * fast turn.
 */

import type { GateSet } from '../gates/engine/verify.ts';
import { loadKillSwitch } from '../ledger/kill-switch.ts';
import { actMessage, noteChildren } from '../ledger/ledger.ts';
import type { SignalRecord } from '../ledger/record.ts';
import { childId } from '../signal/ids.ts';
import type { ActMessage } from '../signal/messages.ts';
import type { Sensor, Signal } from '../signal/signal.ts';
import type { Table } from '../store/table.ts';

export interface AtWorkDeps {
  readonly table: Pick<Table, 'load' | 'put' | 'update'>;
  readonly gateSet: GateSet;
  /** Has the stored line sent. */
  readonly send: (message: ActMessage) => Promise<void>;
  /** Shows in a Telegram chat that somebody is typing. */
  readonly type: (signal: Signal) => Promise<void>;
  readonly now: () => number;
}

export interface AtWork {
  /** The answer itself is being shown: no other sign is needed. */
  readonly hush: () => void;
  /** Waits for a sign that is under way. Never rejects. */
  readonly end: () => Promise<void>;
}

/** A person waits this long without a word, milliseconds. */
const AT_WORK_AFTER_MS = 10_000;
/** Between two looks at the clock; work that is over before the first one costs nothing. */
const LOOK_MS = 2_000;
/** Telegram shows "typing" for five seconds: every second look refreshes it. */
const LOOKS_PER_TYPING = 2;

const ASKED_BY_PEOPLE: readonly Sensor[] = ['chat-message', 'user-input'];

/** Ids of signals made after a person decided an approval. */
const FOLLOWS_APPROVAL = /\/[rd]\d+(\/|$)/;

/**
 * @param loadRoot the record of the signal the turn began with; asked for with the first look
 * @param approvedAt when the work was approved, epoch milliseconds: what was before counts as
 * nobody's wait
 */
export const startAtWork = (
  deps: AtWorkDeps,
  { signal, modelWait }: Pick<SignalRecord, 'signal' | 'modelWait'>,
  loadRoot: () => Promise<SignalRecord | undefined>,
  approvedAt?: number,
): AtWork => {
  const resumedAt = approvedAt ?? (FOLLOWS_APPROVAL.test(signal.id) ? signal.receivedAt : undefined);
  let isHushed = signal.payload.sensor === 'loop-error';
  // Whoever heard that no model can be reached needs no second line.
  let isToBeTold = modelWait === undefined;
  let root: SignalRecord | undefined;
  let looks = 0;
  let busy: Promise<void> | undefined;

  const look = async (): Promise<void> => {
    looks += 1;
    if (isHushed) return;
    root ??= await loadRoot();
    if (root === undefined || !ASKED_BY_PEOPLE.includes(root.signal.payload.sensor)) return;
    const isTyping = looks % LOOKS_PER_TYPING === 0 && signal.reply.target === 'telegram';
    const isTelling = isToBeTold && deps.now() >= (resumedAt ?? root.signal.receivedAt) + AT_WORK_AFTER_MS;
    if (!isTyping && !isTelling) return;
    if ((await loadKillSwitch(deps.table, signal.space))?.isStopped === true || isHushed) return;
    isToBeTold &&= !isTelling;
    if (isTelling) await tell(deps, root);
    if (isTyping) await deps.type(signal);
  };
  const timer = setInterval(() => {
    busy ??= look()
      .catch(() => undefined)
      .finally(() => {
        busy = undefined;
      });
  }, LOOK_MS);

  return {
    hush: () => {
      isHushed = true;
    },
    end: async () => {
      clearInterval(timer);
      isHushed = true;
      await busy;
    },
  };
};

const NOTICE = 'at-work';

const tell = async (deps: AtWorkDeps, { signal, children }: SignalRecord): Promise<void> => {
  if (children?.has(childId(signal.id, NOTICE)) === true) return;
  const [{ saveNotice }, { notices }] = await Promise.all([
    import('../judge/notify.ts'),
    import('../judge/notices.ts'),
  ]);
  const context = { gateSet: deps.gateSet, now: deps.now() };
  const told = await saveNotice(deps.table, context, signal, NOTICE, notices.atWork());
  await deps.send(actMessage(told.signal, told.decision));
  await noteChildren(deps.table, signal, [told.signal.id]);
};
