/** `send`: one message, and what comes back. */
import { randomUUID } from 'node:crypto';
import type { SignalAnswer } from '../answers.ts';
import { CARD_TEXT } from '../answers.ts';
import type { Command, CommandContext } from '../command.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { CLI_PROGRESS_AFTER_MS, CLI_WAIT_S_DEFAULT } from '../limits.ts';
import { printable, printableLines } from '../printable.ts';
import { waitForTurn } from '../wait-for-turn.ts';

const CLI_WAIT_S_MAX = 3_600;

const parseWait = (given: string | undefined): number => {
  if (given === undefined) return CLI_WAIT_S_DEFAULT * 1000;
  if (!/^\d{1,4}$/.test(given) || Number(given) > CLI_WAIT_S_MAX)
    throw new CliError(EXIT.usage, `--wait takes whole seconds from 0 to ${CLI_WAIT_S_MAX}`);
  return Number(given) * 1000;
};

const isBad = (state: string): boolean => state === 'refused' || state === 'dropped' || state === 'dead-lettered';

const tellOutcome = ({ terminal }: CommandContext, view: SignalAnswer, isTimedOut: boolean): void => {
  for (const text of view.replies) if (text !== CARD_TEXT) terminal.line(printableLines(text));
  const id = printable(view.id);
  if (isTimedOut) terminal.remark(`still ${view.state}; passepartout why ${id} says how far it is`);
  else if (view.turn === 'waiting') terminal.remark('this waits for an approval: passepartout approvals');
  else if (isBad(view.state)) {
    const reason = view.stateReason === undefined || view.replies.length > 0 ? '' : `: ${printable(view.stateReason)}`;
    terminal.remark(`${view.state}${reason}; passepartout why ${id} says why`);
  } else if (view.replies.length === 0)
    terminal.remark(`${view.state}, with no reply; passepartout why ${id} says more`);
};

const exitCodeOf = (view: SignalAnswer, isTimedOut: boolean): ExitCode => {
  if (isTimedOut) return EXIT.failed;
  return isBad(view.state) ? EXIT.failed : EXIT.ok;
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
  argCount: [1, 1],
  run: async (context) => {
    const { args, terminal, now, sleep } = context;
    const waitMs = parseWait(context.text('wait'));
    const client = await context.client();
    const { id } = await client.post({
      text: args[0] ?? '',
      session: context.text('session') ?? 'main',
      idempotencyKey: randomUUID(),
    });
    if (waitMs === 0) {
      if (terminal.isJson) terminal.json({ id });
      else terminal.line(printable(id));
      return EXIT.ok;
    }
    const onLook = (view: SignalAnswer, elapsedMs: number): void => {
      if (elapsedMs > CLI_PROGRESS_AFTER_MS)
        terminal.progress(`… ${printable(view.state)}, ${Math.round(elapsedMs / 1000)} s`);
    };
    const { view, outcome } = await waitForTurn({ client, now, sleep, onLook }, id, waitMs);
    terminal.progress('');
    if (terminal.isJson) terminal.json(view);
    else tellOutcome(context, view, outcome === 'timed-out');
    return exitCodeOf(view, outcome === 'timed-out');
  },
};
