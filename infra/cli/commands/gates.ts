/**
 * `gates list` shows the gates. `gates try` answers actions, one JSON object a line, without a
 * stack; a bad line is answered in its place.
 */
import { createInterface } from 'node:readline';
import { GATES } from '../../../lib/core/gates/engine/gate-set.ts';
import type { SpacePolicy } from '../../../lib/core/judge/space-policy.ts';
import { SETTINGS } from '../../../lib/core/store/settings.ts';
import { readWebhooks, type Webhooks } from '../../../lib/core/tools/webhooks.ts';
import type { Command, CommandContext } from '../command.ts';
import { POLICY_FILES } from '../features.ts';
import { readVariables } from '../stack.ts';
import { CliError, EXIT, type ExitCode, printable, show } from '../terminal.ts';
import { tryLine } from './try-line.ts';

/** @throws CliError (exit 2) if the file cannot be read or used */
export type ReadPolicyFile = (context: CommandContext, file: string) => Promise<SpacePolicy>;

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

/** As the settings of this folder declare them; a value that is faulty declares nothing. */
export const webhooksHere = ({ env, folder }: CommandContext): Webhooks['webhookCalls'] => {
  const variables = readVariables(env, folder);
  const read = (name: 'WEBHOOK_TARGETS' | 'WEBHOOK_URLS') =>
    SETTINGS[name].schema.safeParse(variables[name] ?? '{}').data ?? {};
  return readWebhooks({ ...read('WEBHOOK_URLS'), ...read('WEBHOOK_TARGETS') }).webhookCalls;
};

/** The policy that `--policy` names. */
const policyOf = async (context: CommandContext): Promise<SpacePolicy | undefined> => {
  const file = context.text('policy');
  const [read] = POLICY_FILES;
  if (file !== undefined && read === undefined) throw new CliError(EXIT.usage, 'no policy can be read here');
  return file === undefined ? undefined : read?.(context, file);
};

const tryGates = async (context: CommandContext): Promise<ExitCode> => {
  const { input, output } = context;
  const webhooks = webhooksHere(context);
  const policy = await policyOf(context);
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
  const policy = await policyOf(context);
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
