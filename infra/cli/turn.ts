/**
 * Follows a turn until nothing more comes of it. It looks once more after a turn seems over: the
 * result of a tool may be on its way back to the model.
 */
import { SECOND_MS } from '../../lib/core/base/limits.ts';
import { approvals, type ShownApproval } from '../../lib/core/verbs/approvals/operations.ts';
import type { SignalAnswer } from './answers.ts';
import { loadSignal, performLook, type StackAccess } from './client.ts';
import type { CommandContext } from './command.ts';
import { waitingCardLines } from './describe-action.ts';
import { printable, type Terminal } from './terminal.ts';

/** How long `send` waits for a turn to end by default. */
export const CLI_WAIT_S_DEFAULT = 60;
/** How long a command waits for an answer that code gives. */
export const CLI_DECISION_WAIT_S = 15;
/** Silence after which a person is told that something is going on. */
export const CLI_PROGRESS_AFTER_MS = 1 * SECOND_MS;
/** Pauses between looks: short at first, because most answers are quick. */
const CLI_POLL_MS = [100, 150, 250, 400, 600, 1 * SECOND_MS] as const;
const CLI_SECOND_LOOK_MS = 700;

export const pollPauseMs = (looks: number): number => CLI_POLL_MS[looks] ?? 1 * SECOND_MS;

export interface WaitDeps {
  readonly access: StackAccess;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly onLook?: (view: SignalAnswer, elapsedMs: number) => void;
}

export interface Waited {
  readonly view: SignalAnswer;
  readonly isTimedOut: boolean;
}

/** @param waitMs longest wait; the signal is read at least once */
export const waitForTurn = async (deps: WaitDeps, id: string, waitMs: number): Promise<Waited> => {
  const startedAt = deps.now();
  let hasLookedTwice = false;
  for (let looks = 0; ; looks += 1) {
    const view = await loadSignal(deps.access, id);
    const elapsedMs = deps.now() - startedAt;
    deps.onLook?.(view, elapsedMs);
    const isOver = view.turn !== 'running' && (view.turn === 'waiting' || view.isTurnClosed || hasLookedTwice);
    if (isOver) return { view, isTimedOut: false };
    if (elapsedMs >= waitMs) return { view, isTimedOut: view.turn === 'running' };
    hasLookedTwice = view.turn === 'ended';
    const pauseMs = hasLookedTwice ? CLI_SECOND_LOOK_MS : pollPauseMs(looks);
    await deps.sleep(Math.max(1, Math.min(pauseMs, waitMs - elapsedMs)));
  }
};

export interface WaitContext extends Pick<CommandContext, 'access' | 'now' | 'sleep'> {
  readonly terminal: Pick<Terminal, 'progress'>;
}

export const tellProgress = ({ progress }: Pick<Terminal, 'progress'>, { state }: SignalAnswer, elapsedMs: number) => {
  if (elapsedMs > CLI_PROGRESS_AFTER_MS) progress(`… ${printable(state)}, ${Math.round(elapsedMs / 1000)} s`);
};

/** The same, and tells the person how long it has taken. */
export const waitInSight = async ({ access, now, sleep, terminal }: WaitContext, id: string, waitMs: number) => {
  const onLook = (view: SignalAnswer, elapsedMs: number): void => tellProgress(terminal, view, elapsedMs);
  const waited = await waitForTurn({ access: await access(), now, sleep, onLook }, id, waitMs);
  terminal.progress('');
  return waited;
};

export const waitForAnswer = async (context: WaitContext, id: string): Promise<Waited> =>
  waitInSight(context, id, CLI_DECISION_WAIT_S * 1000);

export const loadWaiting = async (access: StackAccess, id: string): Promise<readonly ShownApproval[]> =>
  (await performLook(access, approvals, {})).approvals.filter(
    ({ signalId }) => signalId === id || signalId.startsWith(`${id}/`),
  );

export const waitingLines = async (access: StackAccess, id: string): Promise<readonly string[]> =>
  waitingCardLines(await loadWaiting(access, id), 'shell');

export const remarkRunning = ({ terminal }: CommandContext, view: SignalAnswer): void => {
  const machine = view.effects.find(({ state }) => state === 'handed')?.reason;
  const where = machine === undefined ? view.state : `with your machine ${machine}`;
  terminal.remark(`still ${printable(where)}; npx passepartout why ${printable(view.id)} says how far it is`);
};
