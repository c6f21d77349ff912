/** `stop` and `resume`: the kill switch. */
import type { Command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';

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

export const resume: Command = {
  name: 'resume',
  usage: '',
  summary: 'carry on after a stop',
  argCount: [0, 0],
  run: async ({ client, terminal }) => {
    const answer = await (await client()).resume();
    if (terminal.isJson) terminal.json(answer);
    else terminal.line('Resuming.');
    return EXIT.ok;
  },
};
