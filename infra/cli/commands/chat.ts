/** `chat`: a conversation in the terminal; so does the program without words. */
import { existsSync } from 'node:fs';
import { runChat } from '../chat/run-chat.ts';
import type { Command } from '../command.ts';
import { findDataFolder, readVariables } from '../stack.ts';
import { CliError, EXIT } from '../terminal.ts';

export const chat: Command = {
  name: 'chat',
  usage: '',
  summary: 'talk to the agent, as without a command; /exit leaves, every other /command goes to the agent',
  options: {
    session: { type: 'string', value: 'name', help: 'conversation to talk in (default: main)' },
    plain: { type: 'boolean', help: 'for screen readers: whole answers, no styles, nothing redrawn' },
  },
  argCount: [0, 0],
  run: async ({ access, input, output, text, flag, terminal, env, folder }) => {
    if (terminal.isJson) throw new CliError(EXIT.usage, 'chat has no --json; use "send --json"');
    const dataFolder = findDataFolder(readVariables(env, folder), folder);
    await runChat({
      access: await access(),
      input,
      output,
      session: text('session'),
      isPlain: flag('plain'),
      env,
      ...(existsSync(dataFolder) ? { dataFolder } : {}),
    });
    return EXIT.ok;
  },
};
