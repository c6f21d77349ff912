/** `pair`: a one-time code that lets one Telegram chat in. */
import type { Command } from '../command.ts';
import { remainingWords } from '../describe-action.ts';
import { EXIT } from '../exit-codes.ts';
import { printable } from '../printable.ts';

export const pair: Command = {
  name: 'pair',
  usage: '',
  summary: 'make a one-time code that pairs a Telegram chat',
  argCount: [0, 0],
  run: async ({ client, terminal, now }) => {
    const answer = await (await client()).pair();
    if (terminal.isJson) {
      terminal.json(answer);
      return EXIT.ok;
    }
    const code = printable(answer.code);
    terminal.line(`Send this to the bot from the chat to pair:  /pair ${code.slice(0, 4)}-${code.slice(4)}`);
    terminal.remark(`It works once, for ${remainingWords(answer.expiresAt - now())}.`);
    return EXIT.ok;
  },
};
