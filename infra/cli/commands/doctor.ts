/**
 * `doctor`: looks at everything that has to be right, and says for each thing that is not what to
 * do.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseApiTokens } from '../../../lib/edge/console/tokens.ts';
import type { Client, StackAccess } from '../client.ts';
import type { Command, CommandContext } from '../command.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { NODE_MAJOR_MIN } from '../node-version.ts';
import { paintWith } from '../paint-word.ts';
import { printable } from '../printable.ts';
import { dataFolderOf, readVariables } from '../stack-address.ts';

export interface Check {
  readonly name: string;
  readonly isOk: boolean;
  readonly detail: string;
  /** What to do; empty when nothing. */
  readonly advice: string;
}

const ok = (name: string, detail: string): Check => ({ name, isOk: true, detail, advice: '' });
const wrong = (name: string, detail: string, advice: string): Check => ({ name, isOk: false, detail, advice });

const checkNode = (): Check =>
  Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN
    ? ok('node', process.version)
    : wrong('node', process.version, `run it with Node ${NODE_MAJOR_MIN} or newer: npx passepartout`);

const checkFolder = (folder: string): Check => {
  if (!existsSync(folder)) return wrong('data folder', `${folder} does not exist`, 'npm start makes it');
  const open = ['', 'tokens.json']
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0);
  return open.length === 0
    ? ok('data folder', folder)
    : wrong('data folder', `others on this machine may read ${open.join(', ')}`, `chmod -R go-rwx ${folder}`);
};

const checkTokens = (access: StackAccess): Check => {
  if (!access.approverToken)
    return wrong('tokens', "there is no approver's token", 'set APPROVER_TOKEN, or start the stack');
  const { tokens, problems } = parseApiTokens(access.apiTokens, access.approverToken);
  if (problems.length > 0)
    return wrong('tokens', printable(`API_TOKENS: ${problems.join('; ')}`), "mend it in the console's secret");
  return ok('tokens', ["the approver's", ...tokens.map(({ name }) => `script ${name}`)].join(', '));
};

const asCheck = async (name: string, advice: string, work: () => Promise<Check>): Promise<Check> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CliError) return wrong(name, error.message, error.advice || advice);
    throw error;
  }
};

const healthChecks = async (client: Client): Promise<readonly Check[]> => {
  const health = await client.health();
  const { status, reasons, checks } = health;
  const words = [status, ...(reasons.length === 0 ? [] : [reasons.join('; ')])].join(': ');
  const state =
    status === 'healthy'
      ? ok('health', 'healthy')
      : wrong('health', printable(words), "see the reasons; the stack's log says more");
  if (checks === undefined) return [state];
  return [
    state,
    checks.models.length > 0
      ? ok('models', printable(checks.models.join(', ')))
      : wrong('models', 'none configured', 'set OPENAI_API_KEY or start Ollama, then start the stack again'),
    ok('telegram', printable(checks.telegram)),
  ];
};

const checkAnswer = (client: Client): Promise<Check> =>
  asCheck('sign-in', '', async () => {
    const { role } = await client.approvals();
    return ok('sign-in', `the stack takes the ${printable(role)} token`);
  });

const stackChecks = async (context: CommandContext): Promise<readonly Check[]> => {
  let access: StackAccess;
  try {
    access = await context.access();
    const client = await context.client();
    const health = await healthChecks(client);
    return [ok('stack', printable(access.url)), checkTokens(access), await checkAnswer(client), ...health];
  } catch (error) {
    if (error instanceof CliError) return [wrong('stack', error.message, error.advice)];
    throw error;
  }
};

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'check Node, folder, tokens, stack, health and models, and say what to do',
  argCount: [0, 0],
  run: async (context) => {
    const { terminal, env, folder, text } = context;
    const local = text('stack') === undefined ? [checkFolder(dataFolderOf(readVariables(env, folder), folder))] : [];
    const checks = [checkNode(), ...local, ...(await stackChecks(context))];
    const paint = paintWith(terminal);
    if (terminal.isJson) terminal.json({ isOk: checks.every((check) => check.isOk), checks });
    else
      for (const check of checks) {
        const word = check.isOk ? 'ok' : 'wrong';
        terminal.line(`${paint(word, word.padEnd(5))}  ${check.name.padEnd(11)}  ${check.detail}`);
        if (!check.isOk && check.advice !== '') terminal.line(`${' '.repeat(20)}→ ${check.advice}`);
      }
    return checks.every((check) => check.isOk) ? EXIT.ok : EXIT.failed;
  },
};
