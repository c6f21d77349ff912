/**
 * `doctor`: checks everything that has to be right, and says what to do about each thing that is
 * not.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseApiTokens } from '../../../lib/edge/console/tokens.ts';
import { approvals } from '../../../lib/wings/approvals/operations.ts';
import { jobsList } from '../../../lib/wings/jobs/operations.ts';
import type { Endpoint } from '../../inspect.ts';
import { describeFileProblem } from '../../local/data-folder.ts';
import { loadHealth, loadInspection, performLook, type StackAccess } from '../client.ts';
import type { Command, CommandContext } from '../command.ts';
import { findDataFolder, readVariables } from '../stack.ts';
import { CliError, EXIT, paintWith, printable, show } from '../terminal.ts';

interface Check {
  readonly name: string;
  readonly isOk: boolean;
  readonly detail: string;
  /** Says what to do; empty if there is nothing to do. */
  readonly advice: string;
}

const ok = (name: string, detail: string): Check => ({ name, isOk: true, detail, advice: '' });
const wrong = (name: string, detail: string, advice: string): Check => ({ name, isOk: false, detail, advice });

const checkFolder = (folder: string): Check => {
  try {
    readdirSync(folder);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const problem = isMissing ? undefined : describeFileProblem(error);
    return problem === undefined
      ? wrong('data folder', `${folder} does not exist`, 'npm start makes it, or says why it cannot')
      : wrong('data folder', problem, '');
  }
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

const checkHealth = async (access: StackAccess, isLocal: boolean): Promise<readonly Check[]> => {
  const { status, reasons, checks } = await loadHealth(access);
  const words = [status, ...(reasons.length === 0 ? [] : [reasons.join('; ')])].join(': ');
  const state =
    status === 'healthy'
      ? ok('health', 'healthy')
      : wrong('health', printable(words), reasons.length === 0 ? "the stack's log says more" : '');
  if (checks === undefined) return [state];
  const models =
    checks.models.length > 0
      ? ok('models', printable(checks.models.join(', ')))
      : wrong('models', 'none configured', 'set OPENAI_API_KEY or start Ollama, then start the stack again');
  const telegram = ok('telegram', printable(checks.telegram));
  if (isLocal) return [state, ...(await checkKeys(access, models, telegram, reasons))];
  return [
    state,
    models,
    telegram,
    ok('keys', 'are not asked on a deployed stack; health names those that were refused'),
  ];
};

/** A running local stack asks everybody that it has a key for; one of an older release does not. */
const checkKeys = (
  access: StackAccess,
  models: Check,
  telegram: Check,
  reasons: readonly string[],
): Promise<readonly Check[]> =>
  tryCheck('keys', async () => {
    const inspection = await loadInspection(access);
    if (inspection === undefined) return [models, telegram];
    const { providers, embeddings, telegram: bot } = inspection;
    const isFailing = reasons.some((reason) => /model/.test(reason));
    const judge = (name: string, { name: peer, isReachable, isUnlisted, detail }: Endpoint): Check => {
      const line = `${printable(peer)}: ${printable(detail)}`;
      // An endpoint may answer a model that it does not list.
      return isReachable && !(isUnlisted === true && isFailing) ? ok(name, line) : wrong(name, line, '');
    };
    return [
      models,
      ...[...providers, ...(embeddings === undefined ? [] : [embeddings])].map((one) => judge('model', one)),
      bot === undefined ? telegram : judge('telegram', bot),
    ];
  });

/** Checks nothing more if the work fails on purpose: its message is the check then. */
const tryCheck = async (name: string, work: () => Promise<readonly Check[]>): Promise<readonly Check[]> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CliError) return [wrong(name, error.message, error.advice)];
    throw error;
  }
};

const checkSignIn = (access: StackAccess): Promise<readonly Check[]> =>
  tryCheck('sign-in', async () => {
    const { role } = await performLook(access, approvals, {});
    return [ok('sign-in', `the stack takes the ${printable(role)} token`)];
  });

/** Jobs of the first page: their number, those that failures paused, and whether one is overdue. */
const checkJobs = (access: StackAccess): Promise<readonly Check[]> =>
  tryCheck('jobs', async () => {
    const { jobs, cursor } = await performLook(access, jobsList, {});
    const names = (pick: (job: (typeof jobs)[number]) => boolean): string =>
      jobs
        .filter(pick)
        .map(({ name }) => printable(name))
        .join(', ');
    const behind = names(({ isBehind }) => isBehind);
    if (behind !== '') {
      const { checks } = await loadHealth(access);
      const why =
        checks?.isStopped === true
          ? 'the stack is stopped: npx passepartout resume'
          : 'the heartbeat is behind; health says when it last ran';
      return [wrong('jobs', `due, and not started: ${behind}`, why)];
    }
    const failing = names(({ pausedBecause = '' }) => pausedBecause.startsWith('paused after'));
    if (failing !== '')
      return [
        wrong(
          'jobs',
          `paused by failures: ${failing}`,
          'npx passepartout jobs history <name>, then npx passepartout jobs resume <name>',
        ),
      ];
    const active = jobs.filter(({ state }) => state === 'active').length;
    return [ok('jobs', `${active}${cursor === undefined ? '' : ' or more'} active`)];
  });

const checkStack = (context: CommandContext): Promise<readonly Check[]> =>
  tryCheck('stack', async () => {
    const access = await context.access();
    const health = await checkHealth(access, context.text('stack') === undefined);
    const signIn = await checkSignIn(access);
    const jobs = signIn.every(({ isOk }) => isOk) ? await checkJobs(access) : [];
    return [ok('stack', printable(access.url)), checkTokens(access), ...signIn, ...health, ...jobs];
  });

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'check Node, folder, tokens, stack, health, models and jobs, and say what to do',
  argCount: [0, 0],
  run: async (context) => {
    const { terminal, env, folder, text } = context;
    const local = text('stack') === undefined ? [checkFolder(findDataFolder(readVariables(env, folder), folder))] : [];
    // An older Node than the project needs does not come this far.
    const checks = [ok('node', process.version), ...local, ...(await checkStack(context))];
    const paint = paintWith(terminal);
    const lines = checks.flatMap(({ name, isOk, detail, advice }) => {
      const word = isOk ? 'ok' : 'wrong';
      const line = `${paint(word, word.padEnd(5))}  ${name.padEnd(11)}  ${detail}`;
      return advice === '' ? [line] : [line, `${' '.repeat(20)}→ ${advice}`];
    });
    const isOk = checks.every((check) => check.isOk);
    show(terminal, { isOk, checks }, lines);
    return isOk ? EXIT.ok : EXIT.failed;
  },
};
