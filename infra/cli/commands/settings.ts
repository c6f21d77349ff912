/**
 * `identity`: a setting that the chat's command of the same name shows and changes. The command
 * sends the chat's own command and shows its answer.
 */
import { CARD_TEXT, type SignalAnswer } from '../answers.ts';
import { approveCard } from '../change.ts';
import { postCommand } from '../client.ts';
import type { Command, CommandContext } from '../command.ts';
import { CliError, EXIT, type ExitCode, shellLines, show } from '../terminal.ts';
import { CLI_WAIT_S_DEFAULT, sendCommand, waitForTurn } from '../turn.ts';

/** How answers begin that say that nothing was changed. */
export const isRefusal = (reply: string): boolean => /^(Only an approver|Nothing was changed|That command)/.test(reply);

const FIELDS: readonly string[] = ['name', 'owner', 'style', 'reset'];

export const identity: Command = {
  name: 'identity',
  usage: '[name | owner | style <text>, or reset <field>]',
  summary: 'who the agent is: its name, yours, how it speaks',
  argCount: [0, 128],
  run: (context) => {
    const { args } = context;
    const isWhole = args.length === 0 || (args.length > 1 && FIELDS.includes(args[0] ?? ''));
    if (!isWhole) throw new CliError(EXIT.usage, `usage: npx passepartout identity ${identity.usage}`);
    return sendCommand(context, `/identity ${args.join(' ')}`.trim(), isRefusal);
  },
};

/**
 * Sends one of the chat's commands, approves its card if it has one, and waits for its end. It
 * ended well if every action was done and no answer says otherwise.
 */
export const runApproved = async (
  context: CommandContext,
  text: string,
): Promise<{ readonly view: SignalAnswer; readonly replies: readonly string[]; readonly isDone: boolean }> => {
  const { now, sleep } = context;
  const access = await context.access();
  const { id } = await postCommand(access, text);
  const { view } = await waitForTurn({ access, now, sleep }, id, CLI_WAIT_S_DEFAULT * 1000);
  const ended = view.turn === 'waiting' ? await approveCard(context, id) : view;
  const replies = ended.replies.filter((reply) => reply !== CARD_TEXT);
  const isDone = ended.effects.length > 0 && ended.effects.every(({ state }) => state === 'done');
  return { view: ended, replies, isDone: isDone && !replies.some(isRefusal) };
};

/** The same, and shows its answer. */
export const sendApproved = async (context: CommandContext, text: string): Promise<ExitCode> => {
  const { view, replies, isDone } = await runApproved(context, text);
  show(context.terminal, view, replies.map(shellLines));
  return isDone ? EXIT.ok : EXIT.failed;
};
