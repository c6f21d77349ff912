/** `send`: one message, and the replies to it. */
import { CARD_TEXT, type SignalAnswer } from '../answers.ts';
import { postMessage } from '../client.ts';
import type { Command, CommandContext } from '../command.ts';
import { shellLines } from '../shell-lines.ts';
import { CliError, EXIT, printable, show } from '../terminal.ts';
import { CLI_WAIT_S_DEFAULT, remarkRunning, waitInSight, waitingLines } from '../turn.ts';

const CLI_WAIT_S_MAX = 3_600;
/** Without quotes the words are joined. A shell makes many of a `*`, which nobody meant. */
const SEND_WORDS_MAX = 128;

const parseWaitMs = (given: string | undefined): number => {
  if (given === undefined) return CLI_WAIT_S_DEFAULT * 1000;
  if (!/^\d{1,4}$/.test(given) || Number(given) > CLI_WAIT_S_MAX)
    throw new CliError(EXIT.usage, `--wait takes whole seconds from 0 to ${CLI_WAIT_S_MAX}`);
  return Number(given) * 1000;
};

const isBad = ({ state }: SignalAnswer): boolean =>
  state === 'refused' || state === 'dropped' || state === 'dead-lettered';

const showOutcome = async (context: CommandContext, view: SignalAnswer, isTimedOut: boolean): Promise<void> => {
  const { terminal } = context;
  for (const text of view.replies) if (text !== CARD_TEXT) terminal.quote(shellLines(text));
  const why = `npx passepartout why ${printable(view.id)}`;
  if (isTimedOut) remarkRunning(context, view);
  else if (view.turn === 'waiting')
    for (const line of await waitingLines(await context.access(), view.id)) terminal.remark(line);
  else if (isBad(view) && !view.replies.some((text) => text.includes(view.id))) {
    const reason = view.stateReason === undefined || view.replies.length > 0 ? '' : `: ${printable(view.stateReason)}`;
    terminal.remark(`${view.state}${reason}; ${why} says why`);
  } else if (view.replies.length === 0) terminal.remark(`${view.state}, with no reply; ${why} says more`);
};

export const send: Command = {
  name: 'send',
  usage: '"text"',
  summary: 'send one message and print the replies',
  options: {
    session: { type: 'string', value: 'name', help: 'conversation to send it in (default: main)' },
    wait: {
      type: 'string',
      value: 'seconds',
      help: `wait for the end of the turn (default ${CLI_WAIT_S_DEFAULT}; 0: not at all)`,
    },
  },
  argCount: [1, SEND_WORDS_MAX],
  run: async (context) => {
    const { args, terminal, text } = context;
    const waitMs = parseWaitMs(text('wait'));
    const access = await context.access();
    const { id } = await postMessage(access, args.join(' '), text('session'));
    if (waitMs === 0) {
      show(terminal, { id }, [printable(id)]);
      return EXIT.ok;
    }
    const { view, isTimedOut } = await waitInSight(context, id, waitMs);
    if (terminal.isJson) terminal.json(view);
    else await showOutcome(context, view, isTimedOut);
    return isTimedOut || isBad(view) ? EXIT.failed : EXIT.ok;
  },
};
