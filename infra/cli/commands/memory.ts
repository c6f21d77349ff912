/**
 * `memory <verb>`: what the chat's commands about memory do, from a terminal. Looking is one
 * request; changing is the chat's own command, sent as one, followed until it is done or waits for
 * an approval.
 */
import { randomUUID } from 'node:crypto';
import { CARD_TEXT } from '../answers.ts';
import type { Command, CommandContext } from '../command.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { CLI_DECISION_WAIT_S } from '../limits.ts';
import { printable, printableLines } from '../printable.ts';
import { waitForTurn } from '../wait-for-turn.ts';

/** Verb → the chat's command that answers it. */
const LOOKS: Readonly<Record<string, string>> = {
  recall: 'recall',
  show: 'memory',
  outline: 'memory',
  snapshots: 'snapshots',
  diff: 'diff',
  audit: 'audit',
};

const CHANGES: readonly string[] = ['remember', 'forget', 'focus', 'snapshot', 'rollback'];

const USAGE = `usage: passepartout memory ${[...Object.keys(LOOKS), ...CHANGES].join('|')} [words]`;

const look = async ({ client, terminal }: CommandContext, verb: string, text: string): Promise<ExitCode> => {
  if (verb === 'show' && text === '') throw new CliError(EXIT.usage, 'memory show needs the id of an object');
  const answer = await (await client()).askMemory(LOOKS[verb] ?? verb, text);
  if (terminal.isJson) terminal.json(answer.data);
  else for (const line of answer.lines) terminal.line(printableLines(line));
  return EXIT.ok;
};

/** Notices that say it was not done, by how their fixed texts begin. */
const isRefusal = (text: string): boolean =>
  /^(That cannot|That command|Only an approver|Whether |\w+ (was refused|could not))/.test(text);

const change = async (context: CommandContext, verb: string, rest: string): Promise<ExitCode> => {
  const { terminal, now, sleep } = context;
  const client = await context.client();
  const session = context.text('session') ?? 'main';
  const { id } = await client.post({ text: `/${verb} ${rest}`.trim(), session, idempotencyKey: randomUUID() });
  const { view, outcome } = await waitForTurn({ client, now, sleep }, id, CLI_DECISION_WAIT_S * 1000);
  if (terminal.isJson) terminal.json(view);
  else for (const text of view.replies) if (text !== CARD_TEXT) terminal.line(printableLines(text));
  if (outcome === 'timed-out') {
    terminal.remark(`still ${printable(view.state)}; passepartout why ${printable(id)} says how far it is`);
    return EXIT.failed;
  }
  if (view.turn === 'waiting') terminal.remark('this waits for an approval: passepartout approvals');
  return view.replies.some(isRefusal) ? EXIT.failed : EXIT.ok;
};

export const memory: Command = {
  name: 'memory',
  usage: '<verb> [words]',
  summary: `look into memory or change it: ${[...Object.keys(LOOKS), ...CHANGES].join(', ')}`,
  options: {
    session: { type: 'string', value: 'name', help: 'focus: the conversation it is kept in (default: main)' },
  },
  argCount: [0, 64],
  run: (context) => {
    const [verb = 'outline', ...words] = context.args;
    const rest = words.join(' ');
    if (Object.hasOwn(LOOKS, verb)) return look(context, verb, rest);
    if (CHANGES.includes(verb)) return change(context, verb, rest);
    throw new CliError(EXIT.usage, USAGE);
  },
};
