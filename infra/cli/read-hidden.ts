/** One line that a terminal does not show, or the first of standard input. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { CommandContext } from './command.ts';

export const isTerminal = (input: NodeJS.ReadableStream): boolean => 'isTTY' in input && input.isTTY === true;

/** @returns empty if there is none */
export const readHidden = async ({ input }: Pick<CommandContext, 'input'>): Promise<string> => {
  const isTyped = isTerminal(input);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface(isTyped ? { input, output: nowhere, terminal: true } : { input });
  try {
    if (isTyped) return await reader.question('');
    for await (const line of reader) return line;
    return '';
  } finally {
    reader.close();
  }
};
