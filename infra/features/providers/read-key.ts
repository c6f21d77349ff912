/**
 * The key of a provider: typed at a terminal that does not show it, or the first line of standard
 * input. Never an argument, which other accounts of the machine could read.
 */
import type { CommandContext } from '../../cli/command.ts';
import { isTerminal, readHidden } from '../../cli/read-hidden.ts';
import { CliError, EXIT } from '../../cli/terminal.ts';

/** As the vault takes it. */
const KEY = /^[\x21-\x7e]{1,4096}$/;

export const KEY_OPTIONS = {
  'no-key': { type: 'boolean', help: 'add: it needs no key' },
} as const;

/** @returns empty for none @throws CliError (exit 2) */
export const readKey = async (context: CommandContext, name: string): Promise<string> => {
  if (context.flag('no-key')) return '';
  if (isTerminal(context.input))
    context.terminal.remark(`Key of ${name}, which is not shown (Enter if it needs none):`);
  const key = (await readHidden(context)).trim();
  if (key === '' || KEY.test(key)) return key;
  throw new CliError(EXIT.usage, 'a key is letters, digits and signs, without spaces', 'paste the key alone');
};
