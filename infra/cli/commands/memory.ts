/**
 * `memory` does what the chat's commands about memory do. To look is one request; to change sends
 * the chat's own command, and waits until it is done or needs an approval. `seen-by` lists the
 * decisions whose prompt held a memory object, so that the effects of a bad note can be followed.
 */
import { SEEN_BY_DAYS_DEFAULT, SEEN_BY_DAYS_MAX } from '../../../lib/edge/limits.ts';
import { CARD_TEXT } from '../answers.ts';
import { askMemory, loadSeenBy, postCommand } from '../client.ts';
import type { Command, CommandContext } from '../command.ts';
import { CliError, EXIT, type ExitCode, printable, printableLines, show } from '../terminal.ts';
import { remarkRunning, waitForAnswer } from '../turn.ts';

/** Verbs that look, each with the chat's command that answers it. */
const LOOKS: Readonly<Record<string, string>> = {
  recall: 'recall',
  show: 'memory',
  outline: 'memory',
  snapshots: 'snapshots',
  diff: 'diff',
  audit: 'audit',
};

const CHANGES: readonly string[] = ['remember', 'edit', 'project', 'scope', 'forget', 'focus', 'snapshot', 'rollback'];
const VERBS = [...Object.keys(LOOKS), ...CHANGES];

const look = async ({ access, terminal }: CommandContext, verb: string, text: string): Promise<ExitCode> => {
  if (verb === 'show' && text === '') throw new CliError(EXIT.usage, 'memory show needs the id of an object');
  const answer = await askMemory(await access(), LOOKS[verb] ?? verb, text);
  show(terminal, answer.data, answer.lines.map(printableLines));
  return EXIT.ok;
};

/** How notices begin that say that it was not done. */
const isRefusal = (text: string): boolean =>
  /^(That cannot|That command|Only an approver|Whether |\w+ (was refused|could not))/.test(text);

const change = async (context: CommandContext, verb: string, rest: string): Promise<ExitCode> => {
  const { terminal, text } = context;
  const { id } = await postCommand(await context.access(), `/${verb} ${rest}`.trim(), text('session'));
  const { view, isTimedOut } = await waitForAnswer(context, id);
  const replies = view.replies.filter((reply) => reply !== CARD_TEXT);
  show(terminal, view, replies.map(printableLines));
  if (isTimedOut) {
    remarkRunning(context, view);
    return EXIT.failed;
  }
  if (view.turn === 'waiting') terminal.remark('this waits for an approval: npx passepartout approvals');
  return view.replies.some(isRefusal) ? EXIT.failed : EXIT.ok;
};

export const memory: Command = {
  name: 'memory',
  usage: '<verb> [words]',
  summary: `look into memory or change it: ${VERBS.join(', ')}`,
  options: {
    session: { type: 'string', value: 'name', help: 'focus, scope: the conversation it is kept in (default: main)' },
  },
  argCount: [0, 64],
  run: (context) => {
    const [verb = 'outline', ...words] = context.args;
    const rest = words.join(' ');
    if (Object.hasOwn(LOOKS, verb)) return look(context, verb, rest);
    if (CHANGES.includes(verb)) return change(context, verb, rest);
    throw new CliError(EXIT.usage, `usage: npx passepartout memory ${VERBS.join('|')} [words]`);
  },
};

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
  run: async ({ terminal, args, access, text }) => {
    const id = (args[0] ?? '').toLowerCase();
    if (!/^[0-9a-f]{32}$/.test(id))
      throw new CliError(
        EXIT.usage,
        'that is not the whole id of an object',
        'npx passepartout memory show <start of it> says it',
      );
    const days = parseDays(text('since'));
    const answer = await loadSeenBy(await access(), id, days);
    const lines = answer.seen.map(({ signalId, at, session, state, objects }) => {
      const versions = objects.map(({ version }) => version).join(', ');
      const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
      return `${printable(signalId).padEnd(34)}  ${when}  ${printable(session).padEnd(16)}  ${printable(state).padEnd(9)}  version ${versions}`;
    });
    show(terminal, answer, lines);
    if (terminal.isJson) return EXIT.ok;
    if (answer.seen.length === 0) terminal.remark('no decision was shown it in that time');
    if (!answer.isWhole) terminal.remark('there are more signals than were looked through');
    return EXIT.ok;
  },
};
