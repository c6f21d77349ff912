/**
 * `memory` does what the chat's commands about memory do. To look is one request; to change sends
 * the chat's own command, and waits until it is done or needs an approval. `seen-by` lists the
 * decisions whose prompt held a memory object, so that the effects of a bad note can be followed.
 */
import { SEEN_BY_DAYS_DEFAULT, SEEN_BY_DAYS_MAX } from '../../../lib/edge/limits.ts';
import { CARD_TEXT } from '../answers.ts';
import { askMemory, loadSeenBy, postCommand, type StackAccess } from '../client.ts';
import type { Command, CommandContext } from '../command.ts';
import { CliError, EXIT, type ExitCode, printable, printableLines, shellLines, show } from '../terminal.ts';
import { remarkRunning, waitForAnswer, waitingLines } from '../turn.ts';

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
  show(terminal, view, replies.map(shellLines));
  if (isTimedOut) {
    remarkRunning(context, view);
    return EXIT.failed;
  }
  if (view.turn === 'waiting')
    for (const line of await waitingLines(await context.access(), id, 'shell')) terminal.remark(line);
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

const WHOLE_ID = /^[0-9a-f]{32}(?= |$)/m;

/** @param given a whole id, also of a note that is gone, or the start of one that is there */
const findObjectId = async (access: StackAccess, given: string): Promise<string> => {
  if (WHOLE_ID.test(given)) return given;
  const { lines } = await askMemory(access, 'memory', given || '?');
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
