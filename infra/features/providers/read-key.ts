/**
 * The key of a provider: typed at a terminal that does not show it, or the first line of standard
 * input. Never an argument, which other accounts of the machine could read.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { CommandContext } from '../../cli/command.ts';
import { CliError, EXIT } from '../../cli/terminal.ts';

/** As the vault takes it. */
const KEY = /^[\x21-\x7e]{1,4096}$/;

export const KEY_OPTIONS = {
  'no-key': { type: 'boolean', help: 'add: it needs no key' },
} as const;

const isTerminal = (input: NodeJS.ReadableStream): boolean => 'isTTY' in input && input.isTTY === true;

const nextLine = async ({ input }: CommandContext): Promise<string> => {
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

/** @returns empty for none @throws CliError (exit 2) */
export const readKey = async (context: CommandContext, name: string): Promise<string> => {
  if (context.flag('no-key')) return '';
  if (isTerminal(context.input))
    context.terminal.remark(`Key of ${name}, which is not shown (Enter if it needs none):`);
  const key = (await nextLine(context)).trim();
  if (key === '' || KEY.test(key)) return key;
  throw new CliError(EXIT.usage, 'a key is letters, digits and signs, without spaces', 'paste the key alone');
};
