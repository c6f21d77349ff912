/** `redrive`: a dead-lettered signal goes on where it died. */
import type { Command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { printable } from '../printable.ts';

export const redrive: Command = {
  name: 'redrive',
  usage: '<signal>',
  summary: 'take up a dead-lettered signal again; nothing already done is repeated',
  argCount: [1, 1],
  run: async ({ args, client, terminal }) => {
    const answer = await (await client()).redrive(args[0] ?? '');
    if (terminal.isJson) terminal.json(answer);
    else terminal.line(`${printable(answer.id)} is on its way again`);
    return EXIT.ok;
  },
};
