/**
 * Signs of life of a long turn. While the models are asked, the chat's "typing" is refreshed, and a
 * turn that has no reply ten seconds after its message arrived says once that it is at work. That
 * line is a notice with a stored decision (I1); typing is best effort and goes the way of drafts.
 * A failure here has no effect on the turn. Nothing is written for a turn that is fast.
 */
import type { Publish } from '../../aws/queue.ts';
import { childId } from '../../signal/ids.ts';
import type { DraftMessage } from '../../signal/messages.ts';
import { loadKillSwitch } from '../kill-switch.ts';
import { actMessage, noteChildren } from '../ledger.ts';
import { notices } from '../notices.ts';
import { saveNotice } from '../notify.ts';
import type { LoadedTurn } from './load-turn.ts';
import type { ReasonDeps } from './reason-ports.ts';
import { isBackground } from './tell-refused-key.ts';

export interface AtWorkDeps {
  /** Asks Act to show that somebody is typing. */
  readonly publishTyping: Publish<DraftMessage>;
}

export interface AtWork {
  /** The answer itself is being shown: no other sign is needed. */
  readonly hush: () => void;
  /** Waits for a sign that is under way. Never rejects. */
  readonly end: () => Promise<void>;
}

/** A person waits this long without a word, milliseconds. */
const AT_WORK_AFTER_MS = 10_000;
/** Between two looks at the clock; a turn that is over before the first one costs nothing. */
const LOOK_MS = 2_000;
/** Telegram shows "typing" for five seconds: every second look refreshes it. */
const LOOKS_PER_TYPING = 2;

export const startAtWork = ({ publishTyping }: AtWorkDeps, deps: ReasonDeps, turn: LoadedTurn): AtWork => {
  const { record, rootPayload } = turn;
  const isUnasked = isBackground(record.signal, rootPayload.sensor);
  let isHushed = isUnasked;
  let isToBeTold = !isUnasked && record.modelWait === undefined && !wasTold(turn);
  let looks = 0;
  let busy: Promise<void> | undefined;

  const look = async (): Promise<void> => {
    looks += 1;
    if (isHushed) return;
    if (isToBeTold && deps.now() >= startedAt(turn) + AT_WORK_AFTER_MS) {
      isToBeTold = false;
      await tell(deps, turn);
    }
    const { space, session, id: signalId, reply } = record.signal;
    if (looks % LOOKS_PER_TYPING === 0 && reply.target === 'telegram')
      await publishTyping({ stage: 'draft', v: 1, space, session, signalId }, `typing:${deps.now()}`);
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

/** The time a turn waited for an approval, with its next signal made after the answer, does not count. */
const startedAt = ({ record: { signal }, rootRecord }: LoadedTurn): number =>
  /\/[rd]\d+(\/|$)/.test(signal.id) ? signal.receivedAt : rootRecord.signal.receivedAt;

const NOTICE = 'at-work';

const wasTold = ({ rootRecord: { signal, children } }: LoadedTurn): boolean =>
  children?.has(childId(signal.id, NOTICE)) === true;

const tell = async (deps: ReasonDeps, { rootRecord: { signal } }: LoadedTurn): Promise<void> => {
  if ((await loadKillSwitch(deps.table, signal.space))?.isStopped === true) return;
  const context = { gateSet: deps.gateSet, now: deps.now() };
  const told = await saveNotice(deps.table, context, signal, NOTICE, notices.atWork());
  await deps.publishAct(actMessage(told.signal, told.decision), 'act:0');
  await noteChildren(deps.table, signal, [told.signal.id]);
};
