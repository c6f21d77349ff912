/**
 * Follows a change until it has ended. A person with the approver's token typed it here, so its
 * card is approved, if the operation takes that for a yes.
 */
import type { JsonObject } from '../../lib/base/json.ts';
import type { Change } from '../../lib/operations/operation.ts';
import { approvals } from '../../lib/wings/approvals/operations.ts';
import { CARD_TEXT, type SignalAnswer } from './answers.ts';
import { loadSignal, performChange, performLook, tapApprove } from './client.ts';
import type { CommandContext } from './command.ts';
import { shellLines } from './shell-lines.ts';
import { CliError, EXIT, type ExitCode, printable, show } from './terminal.ts';
import { CLI_WAIT_S_DEFAULT, pollPauseMs, remarkRunning, waitForTurn, waitingLines } from './turn.ts';

export interface Ended {
  readonly view: SignalAnswer;
  /** The answer, without cards. */
  readonly replies: readonly string[];
  readonly isDone: boolean;
}

export type ChangeContext = Pick<CommandContext, 'access' | 'now' | 'sleep' | 'text'>;

/** Approves the one action of a signal, and waits until it has ended. */
export const approveCard = async (context: ChangeContext, id: string): Promise<SignalAnswer> => {
  const { now, sleep } = context;
  const access = await context.access();
  const waiting = (await performLook(access, approvals, {})).approvals;
  const found = waiting.find((one) => one.signalId === id)?.id;
  if (found === undefined) throw new CliError(EXIT.failed, "this needs the approver's token, or a yes in the chat");
  await tapApprove(access, found);
  const end = now() + CLI_WAIT_S_DEFAULT * 1000;
  for (;;) {
    const view = await loadSignal(access, id);
    if (view.outcome !== undefined && view.replies.some((text) => text !== CARD_TEXT)) return view;
    if (now() > end)
      throw new CliError(EXIT.failed, `it has not ended yet; npx passepartout why ${printable(id)} says how far it is`);
    await sleep(pollPauseMs(Number.POSITIVE_INFINITY));
  }
};

/** Performs a change and waits for its end, or until it waits for a person. */
export const endChange = async (context: ChangeContext, operation: Change, args: JsonObject): Promise<Ended> => {
  const { now, sleep, text } = context;
  const access = await context.access();
  const { id } = await performChange(access, operation, args, text('session'));
  const { view } = await waitForTurn({ access, now, sleep }, id, CLI_WAIT_S_DEFAULT * 1000);
  const isTyped = view.turn === 'waiting' && operation.isTypedYes === true;
  const ended = isTyped ? await approveCard(context, id) : view;
  const replies = ended.replies.filter((reply) => reply !== CARD_TEXT);
  return { view: ended, replies, isDone: ended.outcome === 'done' };
};

/**
 * The same, and shows its answer. An action that waits for a person is shown, and is no failure.
 */
export const runChange = async (context: CommandContext, operation: Change, args: JsonObject): Promise<ExitCode> => {
  const { view, replies, isDone } = await endChange(context, operation, args);
  show(context.terminal, view, replies.map(shellLines));
  if (view.turn === 'running') remarkRunning(context, view);
  if (view.turn !== 'waiting') return isDone ? EXIT.ok : EXIT.failed;
  for (const line of await waitingLines(await context.access(), view.id)) context.terminal.remark(line);
  return EXIT.ok;
};
