/**
 * `budget` shows the caps, what is spent today and what is left. `cost` shows what language models
 * cost in a period, and what small models and caches saved.
 */
import { COST_PERIODS, parseCostPeriod } from '../../../lib/stages/perceive/commands/cost.ts';
import { loadBudget, loadCost } from '../client.ts';
import type { Command } from '../command.ts';
import { CliError, EXIT, printable, shellLines, show } from '../terminal.ts';

export const budget: Command = {
  name: 'budget',
  usage: '',
  summary: 'what is spent today, what is left, and the caps',
  argCount: [0, 0],
  run: async ({ access, terminal }) => {
    const answer = await loadBudget(await access());
    show(terminal, answer, answer.lines.map(printable));
    return EXIT.ok;
  },
};

export const cost: Command = {
  name: 'cost',
  usage: '[day | week | session <conversation> | job [name]]',
  summary: 'what language models cost, and what was saved',
  argCount: [0, 2],
  run: async ({ args, access, terminal }) => {
    const [given = '', name] = args;
    const period = parseCostPeriod(given);
    if (period === undefined) throw new CliError(EXIT.usage, `cost takes ${COST_PERIODS.join(', ')}`);
    if (period !== 'job' && (period === 'session') !== (name !== undefined))
      throw new CliError(
        EXIT.usage,
        'what is named is the conversation of session, or a job',
        'npx passepartout cost session console:main',
      );
    const answer = await loadCost(
      await access(),
      period,
      period === 'session' && !name?.includes(':') ? `console:${name}` : name,
    );
    show(terminal, answer, answer.lines.map(shellLines));
    return EXIT.ok;
  },
};
