import { createInterface } from 'node:readline/promises';
import type { CommandContext } from './command.ts';
import { CliError, EXIT } from './terminal.ts';

/** Asks a person at a terminal. @throws CliError if they say no */
export const requireConsent = async ({ input, output }: CommandContext, question: string): Promise<void> => {
  if (!('isTTY' in input) || input.isTTY !== true) return;
  const lines = createInterface({ input, output });
  const answer = await lines.question(`${question} [y/N] `);
  lines.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError(EXIT.failed, 'nothing was changed');
};
