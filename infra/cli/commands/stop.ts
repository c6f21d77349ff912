/** `stop` and `resume`: the kill switch, and the conversations that flood control stopped. */

import type { Command, CommandContext } from '../command.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { CLI_DECISION_WAIT_S } from '../limits.ts';
import { printableLines } from '../printable.ts';
import { waitForTurn } from '../wait-for-turn.ts';

export const stop: Command = {
  name: 'stop',
  usage: '',
  summary: 'stop every action at once',
  argCount: [0, 0],
  run: async ({ client, terminal }) => {
    const answer = await (await client()).stop();
    if (terminal.isJson) terminal.json(answer);
    else terminal.line('Stopped: nothing is done until "passepartout resume".');
    return EXIT.ok;
  },
};

const SESSION = /^[a-z]+:[A-Za-z0-9_.:-]{1,60}$/;

/** `main` is the console's; any other conversation is named whole. */
const sessionOf = (given: string): string => {
  const session = given.includes(':') ? given : `console:${given}`;
  if (!SESSION.test(session)) throw new CliError(EXIT.usage, 'a session is named like telegram:7 or main');
  return session;
};

const resumeSession = async ({ client, terminal, now, sleep }: CommandContext, given: string): Promise<ExitCode> => {
  const stack = await client();
  const { id } = await stack.resume(sessionOf(given));
  const { view, outcome } = await waitForTurn({ client: stack, now, sleep }, id, CLI_DECISION_WAIT_S * 1000);
  if (terminal.isJson) terminal.json(view);
  else for (const text of view.replies) terminal.line(printableLines(text));
  const isResumed = outcome !== 'timed-out' && view.replies.some((text) => text.includes(' goes on.'));
  return isResumed ? EXIT.ok : EXIT.failed;
};

export const resume: Command = {
  name: 'resume',
  usage: '',
  summary: 'carry on after a stop',
  options: {
    session: { type: 'string', value: 'id', help: 'only this conversation, such as telegram:7, that was stopped' },
  },
  argCount: [0, 0],
  run: async (context) => {
    const session = context.text('session');
    if (session !== undefined) return resumeSession(context, session);
    const answer = await (await context.client()).resume();
    if (context.terminal.isJson) context.terminal.json(answer);
    else context.terminal.line('Resuming.');
    return EXIT.ok;
  },
};
