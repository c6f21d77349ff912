/** `budget`: the caps, what is committed today, what is left and when it begins anew. */
import type { Command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { printable } from '../printable.ts';

export const budget: Command = {
  name: 'budget',
  usage: '',
  summary: 'what is spent today, what is left, and the caps',
  argCount: [0, 0],
  run: async ({ client, terminal }) => {
    const answer = await (await client()).budget();
    if (terminal.isJson) terminal.json(answer);
    else for (const line of answer.lines) terminal.line(printable(line));
    return EXIT.ok;
  },
};
