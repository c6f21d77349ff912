/**
 * `gates list` shows the gates. `gates try` answers actions, one JSON object a line, without a
 * stack; a bad line is answered in its place.
 */
import { createInterface } from 'node:readline';
import { GATES } from '../../../lib/core/gates/engine/gate-set.ts';
import type { Command, CommandContext } from '../command.ts';
import { CliError, EXIT, type ExitCode, printable, show } from '../terminal.ts';
import { compilePolicyFile, targetsHere, webhooksHere } from './policy.ts';
import { tryLine } from './try-line.ts';

/** A write for each answer would cost more than the judging. */
const CHUNK_CHARS = 64 * 1024;

const USAGE = 'list | try [tool] [arguments as JSON]';
/** Stands for the reason that a model would give. */
const WHY = 'The owner asked for exactly this.';

const listGates = ({ terminal }: CommandContext): ExitCode => {
  const gates = [...GATES]
    .sort((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1))
    .map(({ priority, name, version, stops }) => ({ priority, name, version, stops }));
  const chars = Math.max(...gates.map(({ name }) => name.length));
  const lines = gates.map(
    ({ priority, name, stops }) => `${String(priority).padStart(5)}  ${name.padEnd(chars)}  ${terminal.say(stops)}`,
  );
  show(terminal, { gates }, lines);
  if (!terminal.isJson) terminal.remark('gates of added skills judge too: npx passepartout skill list');
  return EXIT.ok;
};

const tryGates = async (context: CommandContext): Promise<ExitCode> => {
  const { input, output, text } = context;
  const file = text('policy');
  const webhooks = webhooksHere(context);
  const policy = file === undefined ? undefined : await compilePolicyFile(context, file, targetsHere(context));
  let hasBadLine = false;
  let pending = '';
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const answer = await tryLine(line, policy, webhooks);
    hasBadLine ||= 'error' in answer;
    pending += `${JSON.stringify(answer)}\n`;
    if (pending.length < CHUNK_CHARS && output.isTTY !== true) continue;
    output.write(pending);
    pending = '';
  }
  output.write(pending);
  return hasBadLine ? EXIT.failed : EXIT.ok;
};

/** One call, named by its tool and arguments. */
const tryCall = async (context: CommandContext, tool: string, args: string): Promise<ExitCode> => {
  const file = context.text('policy');
  const policy = file === undefined ? undefined : await compilePolicyFile(context, file, targetsHere(context));
  const action = `{"target":"tool","tool":${JSON.stringify(tool)},"args":${args || '{}'},"explanation":${JSON.stringify(WHY)}}`;
  const tried = await tryLine(`{"action":${action}}`, policy, webhooksHere(context));
  if ('error' in tried) throw new CliError(EXIT.usage, tried.error, `usage: npx passepartout gates ${USAGE}`);
  const said = tried.trace.filter(({ reason }) => reason !== '');
  show(context.terminal, tried, [
    `${tried.verdict}${tried.class === undefined ? '' : `, class ${tried.class}`}`,
    ...said.map(({ gate, verdict, reason }) => `  ${verdict.padEnd(5)}  ${gate}: ${printable(reason)}`),
  ]);
  return EXIT.ok;
};

export const gates: Command = {
  name: 'gates',
  usage: USAGE,
  summary: 'the built-in rules in order; or judge one call, or actions from standard input, one JSON object a line',
  options: { policy: { type: 'string', value: 'file', help: 'try: under this policy too' } },
  argCount: [1, 3],
  run: async (context) => {
    const [verb, tool, args = ''] = context.args;
    if (verb === 'list' && tool === undefined) return listGates(context);
    if (verb === 'try') return tool === undefined ? tryGates(context) : tryCall(context, tool, args);
    throw new CliError(EXIT.usage, 'gates takes list or try', `usage: npx passepartout gates ${USAGE}`);
  },
};
