/**
 * `seen-by <object-id>`: the decisions whose context included a memory object, so that what a bad
 * note touched can be followed.
 */
import { SEEN_BY_DAYS_DEFAULT, SEEN_BY_DAYS_MAX } from '../../../lib/edge/limits.ts';
import type { Command } from '../command.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { printable } from '../printable.ts';

const parseDays = (given: string | undefined): number => {
  const days = given === undefined ? SEEN_BY_DAYS_DEFAULT : Number(/^(\d{1,4})d?$/.exec(given)?.[1] ?? 0);
  if (days >= 1 && days <= SEEN_BY_DAYS_MAX) return days;
  throw new CliError(EXIT.usage, `--since takes days, from 1d to ${SEEN_BY_DAYS_MAX}d`);
};

export const seenBy: Command = {
  name: 'seen-by',
  usage: '<object-id>',
  summary: 'list the decisions that were shown a memory object',
  options: {
    since: { type: 'string', value: 'days', help: `how far back, such as 7d (default ${SEEN_BY_DAYS_DEFAULT}d)` },
  },
  argCount: [1, 1],
  run: async (context) => {
    const { terminal, args } = context;
    const id = (args[0] ?? '').toLowerCase();
    if (!/^[0-9a-f]{32}$/.test(id))
      throw new CliError(
        EXIT.usage,
        'that is not the whole id of an object',
        'passepartout memory show <start of it> says it',
      );
    const answer = await (await context.client()).seenBy(id, parseDays(context.text('since')));
    if (terminal.isJson) terminal.json(answer);
    else {
      for (const { signalId, at, session, state, objects } of answer.seen) {
        const versions = objects.map(({ version }) => version).join(', ');
        const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
        terminal.line(
          `${printable(signalId).padEnd(34)}  ${when}  ${printable(session).padEnd(16)}  ${printable(state).padEnd(9)}  version ${versions}`,
        );
      }
      if (answer.seen.length === 0) terminal.remark('no decision was shown it in that time');
      if (!answer.isWhole) terminal.remark('there are more signals than were looked through');
    }
    return EXIT.ok;
  },
};
