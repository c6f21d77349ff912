/**
 * Follows a change until it has ended. A person with the approver's token typed it here, so its
 * card is approved, if the operation takes that for a yes.
 */
import { sayGranted } from '../../lib/core/approvals/say-reach.ts';
import type { JsonObject } from '../../lib/core/base/json.ts';
import type { Change } from '../../lib/core/operations/operation.ts';
import { approvals, approve, grantsAdd } from '../../lib/core/verbs/approvals/operations.ts';
import { CARD_TEXT, type SignalAnswer } from './answers.ts';
import { loadSignal, performChange, performLook, tapApprove } from './client.ts';
import type { CommandContext } from './command.ts';
import { shellLines } from './shell-lines.ts';
import { CliError, EXIT, type ExitCode, printable, showWords, type Terminal } from './terminal.ts';
import { CLI_WAIT_S_DEFAULT, pollPauseMs, remarkRunning, tellProgress, waitInSight, waitingLines } from './turn.ts';

export interface Ended {
  readonly view: SignalAnswer;
  /** The answer, without cards. */
  readonly replies: readonly string[];
  readonly isDone: boolean;
}

export interface ChangeContext extends Pick<CommandContext, 'access' | 'now' | 'sleep' | 'text'> {
  readonly terminal: Pick<Terminal, 'remark' | 'progress'>;
}

/**
 * Approves the one action of a signal, and waits until it has ended. It first says what the card
 * does not fold, such as the kinds of action that become possible.
 */
export const approveCard = async (context: ChangeContext, id: string): Promise<SignalAnswer> => {
  const { now, sleep, terminal } = context;
  const access = await context.access();
  const waiting = (await performLook(access, approvals, {})).approvals;
  const card = waiting.find((one) => one.signalId === id);
  if (card?.id === undefined) throw new CliError(EXIT.failed, "this needs the approver's token, or a yes in the chat");
  for (const line of card.unusual) terminal.remark(shellLines(line));
  await tapApprove(access, card.id);
  const begun = now();
  for (;;) {
    const view = await loadSignal(access, id);
    const elapsedMs = now() - begun;
    if (view.outcome !== undefined && view.replies.some((text) => text !== CARD_TEXT)) {
      terminal.progress('');
      return view;
    }
    tellProgress(terminal, view, elapsedMs);
    if (elapsedMs > CLI_WAIT_S_DEFAULT * 1000)
      throw new CliError(EXIT.failed, `it has not ended yet; npx passepartout why ${printable(id)} says how far it is`);
    await sleep(pollPauseMs(Number.POSITIVE_INFINITY));
  }
};

const findApproval = async (context: CommandContext, typed: unknown) => {
  const { approvals: all } = await performLook(await context.access(), approvals, { state: 'all' });
  return all.find(({ id }) => typeof typed === 'string' && id?.startsWith(typed.toLowerCase()));
};

/** A grant has no card: the kind of action that it lets pass is said before it is made. */
const sayNewGrant = async (context: CommandContext, { approval, from = approval, loosen }: JsonObject) => {
  const found = await findApproval(context, from);
  if (found === undefined) return;
  const how = typeof loosen === 'string' ? `as it was approved, but for ${loosen}` : 'exactly as it was approved';
  for (const line of sayGranted(found.action, how)) context.terminal.remark(shellLines(line));
};

/** Performs a change and waits for its end, or until it waits for a person. */
export const endChange = async (context: ChangeContext, operation: Change, args: JsonObject): Promise<Ended> => {
  const { id } = await performChange(await context.access(), operation, args, context.text('session'));
  const { view } = await waitInSight(context, id, CLI_WAIT_S_DEFAULT * 1000);
  const isTyped = view.turn === 'waiting' && operation.isTypedYes === true;
  const ended = isTyped ? await approveCard(context, id) : view;
  const replies = ended.replies.filter((reply) => reply !== CARD_TEXT);
  return { view: ended, replies, isDone: ended.outcome === 'done' };
};

/**
 * The same, and shows its answer. An action that waits for a person is shown, and is no failure.
 */
export const runChange = async (context: CommandContext, operation: Change, args: JsonObject): Promise<ExitCode> => {
  if (operation.name === grantsAdd.name || args.similar === true) await sayNewGrant(context, args);
  const { view, replies, isDone } = await endChange(context, operation, args);
  showWords(context.terminal, view, replies.map(shellLines));
  if (view.turn === 'running') remarkRunning(context, view);
  // The action itself is told in the conversation that asked for it, which is not this one.
  const approved = operation.name === approve.name && isDone ? await findApproval(context, args.approval) : undefined;
  if (approved !== undefined)
    context.terminal.remark(`what becomes of it: npx passepartout why ${printable(approved.signalId)}`);
  if (view.turn !== 'waiting') return isDone ? EXIT.ok : EXIT.failed;
  for (const line of await waitingLines(await context.access(), view.id)) context.terminal.remark(line);
  return EXIT.ok;
};
