/** `skill`: what the agent may do of its own, as the chat's `/skill` says and changes it. */
import type { Command } from '../command.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { isSettingRefusal, sayCommand } from '../say-command.ts';

/** Verb → arguments, the verb among them. */
const VERBS: Readonly<Record<string, number>> = { list: 1, on: 2, off: 2, tier: 3 };

export const skill: Command = {
  name: 'skill',
  usage: 'list | on <name> | off <name> | tier <name> auto|cognition|reasoning',
  summary: 'what the agent may do of its own: which skills are on, and which model answers them',
  argCount: [0, 3],
  run: (context) => {
    const args = context.args.length === 0 ? ['list'] : context.args;
    const [verb = ''] = args;
    if (!Object.hasOwn(VERBS, verb) || VERBS[verb] !== args.length)
      throw new CliError(EXIT.usage, `usage: passepartout skill ${skill.usage}`);
    return sayCommand(context, `/skill ${args.join(' ')}`, isSettingRefusal);
  },
};
