/**
 * Following a turn until nothing more comes of it: looks at the signal again and again, often at
 * first. A turn that called a tool is looked at once more after it seems over, because the tool's
 * result may just be on its way back.
 */

import type { SignalAnswer } from './answers.ts';
import type { Client } from './client.ts';
import { CLI_POLL_MS } from './limits.ts';

/** A turn whose tool result may still go back to the model is looked at once more after this. */
const CLI_SECOND_LOOK_MS = 700;

export interface WaitDeps {
  readonly client: Pick<Client, 'signal'>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Called with every look at the turn. */
  readonly onLook?: (view: SignalAnswer, elapsedMs: number) => void;
}

export interface Waited {
  readonly view: SignalAnswer;
  /** `over`: ended or waiting for a person; `timed-out`: still running. */
  readonly outcome: 'over' | 'timed-out';
}

/** @param waitMs at most this long; one look is always taken. */
export const waitForTurn = async (deps: WaitDeps, id: string, waitMs: number): Promise<Waited> => {
  const startedAt = deps.now();
  let hasLookedTwice = false;
  for (let look = 0; ; look += 1) {
    const view = await deps.client.signal(id);
    const elapsedMs = deps.now() - startedAt;
    deps.onLook?.(view, elapsedMs);
    const isOver = view.turn !== 'running' && (view.turn === 'waiting' || view.isTurnClosed || hasLookedTwice);
    if (isOver) return { view, outcome: 'over' };
    if (elapsedMs >= waitMs) return { view, outcome: view.turn === 'running' ? 'timed-out' : 'over' };
    hasLookedTwice = view.turn === 'ended';
    const pauseMs = hasLookedTwice
      ? CLI_SECOND_LOOK_MS
      : (CLI_POLL_MS[look] ?? CLI_POLL_MS[CLI_POLL_MS.length - 1] ?? 1000);
    await deps.sleep(Math.max(1, Math.min(pauseMs, waitMs - elapsedMs)));
  }
};
