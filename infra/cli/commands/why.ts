/** `why`: the whole story of one signal: attempts, each gate's verdict and reason, effects. */
import type { Command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { paintWith } from '../paint-word.ts';
import { whyLines } from '../render-why.ts';

export const why: Command = {
  name: 'why',
  usage: '<signal>',
  summary: "show a signal's attempts, gate verdicts and effects",
  argCount: [1, 1],
  run: async ({ args, client, terminal }) => {
    const view = await (await client()).signal(args[0] ?? '');
    if (terminal.isJson) terminal.json(view);
    else for (const line of whyLines(view, paintWith(terminal))) terminal.line(line);
    return EXIT.ok;
  },
};
