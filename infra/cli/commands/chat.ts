/** `chat`: a conversation in this terminal. */
import { runChat } from '../chat.ts';
import type { Command } from '../command.ts';
import { CliError, EXIT } from '../exit-codes.ts';

export const chat: Command = {
  name: 'chat',
  usage: '',
  summary: 'talk to the agent; /exit leaves, every other /command goes to the agent',
  options: { session: { type: 'string', value: 'name', help: 'conversation to talk in (default: main)' } },
  argCount: [0, 0],
  run: async ({ access, input, output, text, terminal }) => {
    if (terminal.isJson) throw new CliError(EXIT.usage, 'chat has no --json; use "send --json"');
    const { url, approverToken } = await access();
    await runChat({ url, approverToken, input, output, session: text('session') });
    return EXIT.ok;
  },
};
