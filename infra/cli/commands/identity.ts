/** `identity`: who the agent is, as the chat's `/identity` says and changes it. */
import type { Command } from '../command.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { isSettingRefusal, sayCommand } from '../say-command.ts';

const VERBS: readonly string[] = ['name', 'owner', 'style', 'reset'];

export const identity: Command = {
  name: 'identity',
  usage: '[name | owner | style <text>, or reset <field>]',
  summary: 'who the agent is: its name, yours, how it speaks',
  argCount: [0, 128],
  run: (context) => {
    const { args } = context;
    const isWhole = args.length === 0 || (args.length > 1 && VERBS.includes(args[0] ?? ''));
    if (!isWhole) throw new CliError(EXIT.usage, `usage: passepartout identity ${identity.usage}`);
    return sayCommand(context, `/identity ${args.join(' ')}`.trim(), isSettingRefusal);
  },
};
