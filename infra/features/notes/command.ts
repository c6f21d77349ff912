/**
 * Other nouns of memory are verbs of `memory` too. `seen-by` lists the decisions whose prompt held
 * an object, so that the effects of a bad note can be followed.
 */
import { isoMinute } from '../../../lib/core/base/utc-minute.ts';
import { SEEN_BY_DAYS_DEFAULT, SEEN_BY_DAYS_MAX } from '../../../lib/core/edge/limits.ts';
import { operationsIn } from '../../../lib/core/operations/feature.ts';
import { FEATURES } from '../../../lib/features/features.ts';
import { memory } from '../../../lib/features/notes/operations.ts';
import { loadSeenBy, performLook, type StackAccess } from '../../cli/client.ts';
import type { Command } from '../../cli/command.ts';
import { type LocalPart, type LocalParts, runNoun } from '../../cli/operation-command.ts';
import { CliError, EXIT, printable, show } from '../../cli/terminal.ts';

/** Verbs, each with the noun that it stands for. */
const NOUNS: Readonly<Record<string, string>> = {
  ...{ show: 'memory', outline: 'memory', recall: 'recall', remember: 'remember', edit: 'edit', project: 'project' },
  ...{ scope: 'scope', focus: 'focus', snapshots: 'snapshots', snapshot: 'snapshot', diff: 'diff', audit: 'audit' },
  ...{ forget: 'forget', rollback: 'rollback', revert: 'revert' },
};

const part = (verb: string, noun: string): LocalPart => ({
  form: verb === 'show' ? '<id>' : '…',
  run: (context, words) => {
    if (verb === 'show' && words.length === 0) throw new CliError(EXIT.usage, 'memory show needs the id of an object');
    return runNoun(context, operationsIn(FEATURES), noun, words);
  },
});

export const memoryParts: LocalParts = Object.fromEntries(
  Object.entries(NOUNS).map(([verb, noun]) => [verb, part(verb, noun)]),
);

const parseDays = (given: string | undefined): number => {
  const days = given === undefined ? SEEN_BY_DAYS_DEFAULT : Number(/^(\d{1,4})d?$/.exec(given)?.[1] ?? 0);
  if (days >= 1 && days <= SEEN_BY_DAYS_MAX) return days;
  throw new CliError(EXIT.usage, `--since takes days, from 1d to ${SEEN_BY_DAYS_MAX}d`);
};

const WHOLE_ID = /^[0-9a-f]{32}(?= |$)/m;

/** @param given a whole id, also of a note that is gone, or the start of one that is there */
const findObjectId = async (access: StackAccess, given: string): Promise<string> => {
  if (WHOLE_ID.test(given)) return given;
  const { lines } = await performLook(access, memory, { id: given || '?' });
  const found = WHOLE_ID.exec(lines.join('\n'))?.[0];
  if (found?.startsWith(given) === true) return found;
  throw new CliError(EXIT.usage, 'that is not the id of one object', 'npx passepartout memory lists them');
};

export const seenBy: Command = {
  name: 'seen-by',
  usage: '<object-id>',
  summary: 'list the decisions that were shown a memory object',
  options: {
    since: { type: 'string', value: 'days', help: `how far back, such as 7d (default ${SEEN_BY_DAYS_DEFAULT}d)` },
  },
  argCount: [1, 1],
  run: async ({ terminal, args, access, text }) => {
    const id = await findObjectId(await access(), (args[0] ?? '').toLowerCase());
    const days = parseDays(text('since'));
    const answer = await loadSeenBy(await access(), id, days);
    const lines = answer.seen.map(({ signalId, at, session, state, objects }) => {
      const versions = objects.map(({ version }) => version).join(', ');
      const when = isoMinute(at);
      return `${printable(signalId).padEnd(34)}  ${when}  ${printable(session).padEnd(16)}  ${terminal.say(printable(state)).padEnd(9)}  version ${versions}`;
    });
    show(terminal, answer, lines);
    if (terminal.isJson) return EXIT.ok;
    if (answer.seen.length === 0) terminal.remark('no decision was shown it in that time');
    if (!answer.isWhole) terminal.remark('there are more signals than were looked through');
    return EXIT.ok;
  },
};
