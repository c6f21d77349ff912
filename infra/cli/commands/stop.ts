/** `stop` and `resume`: the kill switch, and conversations that flood control has stopped. */
import { resumeStack, stopStack } from '../client.ts';
import type { Command } from '../command.ts';
import { shellLines } from '../shell-lines.ts';
import { CliError, EXIT, show } from '../terminal.ts';
import { waitForAnswer } from '../turn.ts';

export const stop: Command = {
  name: 'stop',
  usage: '',
  summary: 'stop every action at once',
  argCount: [0, 0],
  run: async ({ access, terminal }) => {
    show(terminal, await stopStack(await access()), ['Stopped: nothing is done until "npx passepartout resume".']);
    return EXIT.ok;
  },
};

const SESSION = /^[a-z]+:[A-Za-z0-9_.:-]{1,60}$/;

/** A name alone is a conversation of the console. */
const parseSession = (given: string): string => {
  const session = given.includes(':') ? given : `console:${given}`;
  if (!SESSION.test(session)) throw new CliError(EXIT.usage, 'a session is named like telegram:7 or main');
  return session;
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
    const given = context.text('session');
    const session = given === undefined ? undefined : parseSession(given);
    const { id } = await resumeStack(await context.access(), session);
    const { view, isTimedOut } = await waitForAnswer(context, id);
    show(context.terminal, view, view.replies.map(shellLines));
    return !isTimedOut && view.outcome === 'done' ? EXIT.ok : EXIT.failed;
  },
};
