/**
 * `cost`: what language models cost by day, week, conversation or job, and what small models and
 * caches saved.
 */
import { COST_PERIODS, parseCostPeriod } from '../../../lib/stages/perceive/cost.ts';
import type { Command } from '../command.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { printable } from '../printable.ts';

export const cost: Command = {
  name: 'cost',
  usage: '[day | week | session <conversation> | job [name]]',
  summary: 'what language models cost, and what was saved',
  argCount: [0, 2],
  run: async ({ args, client, terminal }) => {
    const period = parseCostPeriod(args[0] ?? '');
    if (period === undefined) throw new CliError(EXIT.usage, `cost takes ${COST_PERIODS.join(', ')}`);
    if (period !== 'job' && (period === 'session') !== (args[1] !== undefined))
      throw new CliError(
        EXIT.usage,
        'what is named is the conversation of session, or a job',
        'cost session telegram:7',
      );
    const answer = await (await client()).cost(period, args[1]);
    if (terminal.isJson) terminal.json(answer);
    else for (const line of answer.lines) terminal.line(printable(line));
    return EXIT.ok;
  },
};
