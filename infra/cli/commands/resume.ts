/** `resume`: after a stop, and of one conversation that flood control has stopped. */
import { resumeStack } from '../client.ts';
import type { LocalPart, LocalParts } from '../operation-command.ts';
import { shellLines } from '../shell-lines.ts';
import { CliError, EXIT, show } from '../terminal.ts';
import { waitForAnswer } from '../turn.ts';

const SESSION = /^[a-z]+:[A-Za-z0-9_.:@+-]{1,60}$/;

/** A name alone is a conversation of the console. */
const parseSession = (given: string): string => {
  const session = given.includes(':') ? given : `console:${given}`;
  if (!SESSION.test(session)) throw new CliError(EXIT.usage, 'a session is named like telegram:7 or main');
  return session;
};

const run: LocalPart['run'] = async (context) => {
  const given = context.text('session');
  const session = given === undefined ? undefined : parseSession(given);
  const { id } = await resumeStack(await context.access(), session);
  const { view, isTimedOut } = await waitForAnswer(context, id);
  show(context.terminal, view, view.replies.map(shellLines));
  return !isTimedOut && view.outcome === 'done' ? EXIT.ok : EXIT.failed;
};

export const resumeParts: LocalParts = {
  '': {
    options: {
      session: { type: 'string', value: 'id', help: 'only this conversation, such as telegram:7, that was stopped' },
    },
    run,
  },
};
