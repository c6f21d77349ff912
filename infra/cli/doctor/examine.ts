/** Examines everything that has to be right, each thing with what to do about it. */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { USUAL_LANGUAGE } from '../../../lib/base/language.ts';
import { VERSION } from '../../../lib/base/version.ts';
import { parseApiTokens } from '../../../lib/edge/console/tokens.ts';
import { parseSources } from '../../../lib/edge/webhook/sources.ts';
import { isPassing } from '../../../lib/language/fault-texts.ts';
import { isAboutModels } from '../../../lib/language/finding.ts';
import { isRefusal, refusalTexts, sayRefusal } from '../../../lib/language/refusal-texts.ts';
import { NO_SUCH_NAME } from '../../../lib/ledger/unproven-requests.ts';
import { approvals } from '../../../lib/wings/approvals/operations.ts';
import { hooksList } from '../../../lib/wings/events/operations.ts';
import { jobsList } from '../../../lib/wings/jobs/operations.ts';
import { describeClock, type Endpoint } from '../../inspection.ts';
import { describeFileProblem, findDiskProblem } from '../../local/data-folder.ts';
import { findSettingProblems } from '../../local/settings.ts';
import { checkNames } from '../../spelling.ts';
import { loadHealth, loadInspection, performLook, type StackAccess } from '../client.ts';
import type { CommandContext } from '../command.ts';
import { shellLines } from '../shell-lines.ts';
import { findDataFolder, readVariables } from '../stack.ts';
import { CliError, printable } from '../terminal.ts';

/** The remedy of each kind of fault: a command, or the page that says what a person does. */
export const MENDS = {
  folder: '"npm start" makes it, or says why it cannot',
  place: 'make room, or set DATA_DIR to a folder of your own; then "npm start"',
  name: 'mend .env (infra/README.md#settings has every name)',
  settings: '"npm start" does not start with that: mend .env, or npx passepartout setup',
  token: 'set APPROVER_TOKEN, or "npm start"',
  scripts: "mend it in the console's secret (infra/operating.md#rotate-a-secret)",
  release: '"npm start" or "npm run deploy" again, or use the command of its release',
  models: 'npx passepartout setup --only model, then start the stack again',
  telegram: 'npx passepartout setup --only telegram, then start the stack again',
  keys: 'npx passepartout setup --only keys, then start the stack again',
  endpoint: 'mend its setting in .env, then start again (infra/troubleshooting.md#the-model)',
  peer: 'one that is away is asked again by itself (infra/troubleshooting.md#the-model)',
  limit: 'wait, or let the provider raise the limit of this key (infra/troubleshooting.md#the-model)',
  target: 'mend its address in WEBHOOK_TARGETS, or wait for its service (infra/webhooks.md)',
  sender: 'npx passepartout hooks, which says why; npx passepartout hooks add makes a new secret',
  clock: 'set the clock: signed requests are refused beyond five minutes (infra/troubleshooting.md#no-answer)',
  stopped: 'the stack is stopped: npx passepartout resume',
  late: 'the heartbeat is behind; health says when it last ran (infra/troubleshooting.md#no-answer)',
  other: 'infra/troubleshooting.md',
} as const;

type Mend = (typeof MENDS)[keyof typeof MENDS] | `chmod ${string}`;

interface Check {
  readonly name: string;
  readonly isOk: boolean;
  readonly detail: string;
  /** Says what to do; empty if there is nothing to do. */
  readonly advice: string;
  /** While it is wrong, nothing is answered. */
  readonly isNeeded?: true;
  /** The part of the detail that says why. */
  readonly because?: string;
  /** Puts it right without harm. @returns what was done */
  readonly fix?: () => string;
}

const needed = (check: Check): Check => ({ ...check, isNeeded: true });

const ok = (name: string, detail: string): Check => ({ name, isOk: true, detail, advice: '' });
const wrong = (name: string, detail: string, advice: Mend): Check => ({ name, isOk: false, detail, advice });

/** With less nothing can be stored. */
const DISK_FULL_BYTES = 1_000_000;

const checkFolder = (folder: string): Check => {
  try {
    readdirSync(folder);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const problem = isMissing ? undefined : describeFileProblem(error);
    return needed(
      problem === undefined
        ? wrong('data folder', `${folder} does not exist`, MENDS.folder)
        : wrong('data folder', problem, MENDS.place),
    );
  }
  const full = findDiskProblem(folder);
  if (full === undefined) return ok('data folder', folder);
  const found = wrong('data folder', full, MENDS.place);
  return findDiskProblem(folder, DISK_FULL_BYTES) === undefined ? found : needed(found);
};

/** Files with secrets that other accounts of this machine may read. */
const checkModes = (paths: readonly string[]): readonly Check[] => {
  const open = paths.filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0);
  if (open.length === 0) return [];
  const fix = (): string => {
    for (const path of open) chmodSync(path, statSync(path).mode & 0o700);
    return `${open.join(', ')}: for your account alone now`;
  };
  const names = open.join(' ');
  return [{ ...wrong('files', `others on this machine may read ${names}`, `chmod go-rwx ${names}`), fix }];
};

/** As `npm start` reads them. */
const checkSettings = ({ env, folder }: CommandContext): readonly Check[] => {
  const file = join(folder, '.env');
  const names = existsSync(file) ? Object.keys(parseEnv(readFileSync(file, 'utf8'))) : [];
  const { remarks, problems } = checkNames(names, Object.keys(env));
  const misspelt = remarks.map((remark) => wrong('settings', printable(remark), MENDS.name));
  const found = findSettingProblems(readVariables(env, folder), problems);
  if (found.length === 0) return misspelt;
  return [...misspelt, needed(wrong('settings', printable(found.join('; ')), MENDS.settings))];
};

const checkTokens = (access: StackAccess): Check => {
  if (!access.approverToken) return wrong('tokens', "there is no approver's token", MENDS.token);
  const { tokens, problems } = parseApiTokens(access.apiTokens, access.approverToken);
  if (problems.length > 0) return wrong('tokens', printable(`API_TOKENS: ${problems.join('; ')}`), MENDS.scripts);
  return ok('tokens', ["the approver's", ...tokens.map(({ name }) => `script ${name}`)].join(', '));
};

/** Nothing is wrong with the release that runs. */
const sayNewer = (newer: string): string => `; ${printable(newer)} is out (infra/operating.md#upgrade)`;

/** Different releases may not understand each other. */
const checkRelease = (version: string | undefined, newer: string | undefined): Check =>
  version === VERSION
    ? ok('release', `${VERSION}, of the stack and of this command${newer === undefined ? '' : sayNewer(newer)}`)
    : wrong(
        'release',
        `the stack is of release ${printable(version ?? 'before 0.1.0')}, this command of ${VERSION}`,
        MENDS.release,
      );

const checkHealth = async (context: CommandContext, access: StackAccess): Promise<readonly Check[]> => {
  const isLocal = context.text('stack') === undefined;
  const { say } = context.terminal;
  // The look at the models decides health too.
  const looking = isLocal ? loadInspection(access) : undefined;
  await looking?.catch(() => undefined);
  const { status, reasons, codes, because, checks, release } = await loadHealth(access);
  const words = [say(status), ...(reasons.length === 0 ? [] : [reasons.map(say).join('; ')])].join(': ');
  const judged =
    status === 'healthy' ? ok('health', 'healthy') : wrong('health', shellLines(printable(words)), MENDS.other);
  const why = because === undefined ? {} : { because: shellLines(printable(say(because))) };
  const state = status === 'unhealthy' || because !== undefined ? needed({ ...judged, ...why }) : judged;
  if (checks === undefined) return [state];
  const models =
    checks.models.length > 0
      ? ok('models', printable(checks.models.join(', ')))
      : needed(wrong('models', 'none configured', MENDS.models));
  const telegram = ok('telegram', printable(checks.telegram));
  const odd = checks.oddities.map((line) => ok('model', printable(line)));
  const found = [checkRelease(release?.version, release?.newer), state, ...odd];
  // An answer of just now says more than health.
  if (looking !== undefined) return [...(await checkKeys(looking, models, telegram, codes)), ...found];
  return [
    ...found,
    models,
    telegram,
    ok('keys', 'are not asked on a deployed stack; health names those that were refused'),
  ];
};

const checkClock = (endpoints: readonly Endpoint[]): readonly Check[] => {
  const found = endpoints.find(({ clockAheadS }) => clockAheadS !== undefined);
  return found === undefined ? [] : [wrong('clock', printable(describeClock(found)), MENDS.clock)];
};

const isLasting = (fault: Endpoint['fault']): boolean => fault !== undefined && !isPassing(fault);

/** A running local stack asks everybody that it has a key for; one of an older release does not. */
const checkKeys = (
  looking: ReturnType<typeof loadInspection>,
  models: Check,
  telegram: Check,
  codes: readonly string[],
): Promise<readonly Check[]> =>
  tryCheck('keys', async () => {
    const inspection = await looking;
    if (inspection === undefined) return [models, telegram];
    const { providers, embeddings, transcription, speech, telegram: bot, mcp, webhooks } = inspection;
    const isFailing = codes.some(isAboutModels);
    const judge = (
      name: string,
      mend: Mend,
      { name: peer, isReachable, isUnlisted, isRefused, isNearLimit, fault, detail }: Endpoint,
    ): Check => {
      const line = `${printable(peer)}: ${printable(detail)}`;
      if (isNearLimit === true) return wrong(name, line, MENDS.limit);
      // An endpoint may answer a model that it does not list.
      return isReachable && !(isUnlisted === true && isFailing)
        ? ok(name, line)
        : wrong(name, line, isRefused === true || isLasting(fault) ? mend : MENDS.peer);
    };
    const judged = providers.map((one) => judge('model', MENDS.models, one));
    const isAnyOk = judged.some(({ isOk }) => isOk);
    return [
      models,
      ...(isAnyOk ? judged : judged.map(needed)),
      ...(embeddings === undefined ? [] : [judge('model', MENDS.keys, embeddings)]),
      // No failure of these comes into health, so a model that is not listed is a finding.
      ...[transcription, speech].flatMap((one) => {
        if (one === undefined) return [];
        const line = `${printable(one.name)}: ${printable(one.detail)}`;
        return [one.isUnlisted === true ? wrong('model', line, MENDS.endpoint) : judge('model', MENDS.keys, one)];
      }),
      ...checkClock(providers),
      bot === undefined ? telegram : judge('telegram', MENDS.telegram, bot),
      ...mcp.map((one) => judge('MCP server', MENDS.endpoint, one)),
      ...webhooks.map(({ name, isReachable, detail }) => {
        const line = `${printable(name)}: ${printable(detail)}`;
        return isReachable ? ok('webhook', line) : wrong('webhook', line, MENDS.target);
      }),
    ];
  });

/** Checks nothing more if the work fails on purpose: its message is the check then. */
const tryCheck = async (name: string, work: () => Promise<readonly Check[]>): Promise<readonly Check[]> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const advice = error.advice === '' ? MENDS.other : `${error.advice} (${MENDS.other})`;
    return [{ ...wrong(name, error.message, MENDS.other), advice }];
  }
};

const checkSignIn = (access: StackAccess): Promise<readonly Check[]> =>
  tryCheck('sign-in', async () => {
    const { role } = await performLook(access, approvals, {});
    return [ok('sign-in', `the stack takes the ${printable(role)} token`)];
  });

/** Jobs of the first page: their number, and whether one is overdue. Health names paused ones. */
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
      const mend = checks?.isStopped === true ? MENDS.stopped : MENDS.late;
      return [wrong('jobs', `due, and not started: ${behind}`, mend)];
    }
    const active = jobs.filter(({ state }) => state === 'active').length;
    return [ok('jobs', `${active}${cursor === undefined ? '' : ' or more'} active`)];
  });

/** Services of this machine's settings of which nothing came lately. */
const findSilentSources = ({ env, folder, text }: CommandContext, known: readonly string[]): readonly Check[] => {
  if (text('stack') !== undefined) return [];
  const names = [...parseSources(readVariables(env, folder).WEBHOOK_SECRETS).sources.keys()];
  return names
    .filter((name) => !known.includes(name))
    .map((name) => ok('sender', `${name}: nothing came yet; to try it: npx passepartout hooks test ${name}`));
};

/** A service all of whose requests are refused has another secret than this stack. */
const checkSources = (context: CommandContext, access: StackAccess): Promise<readonly Check[]> =>
  tryCheck('sender', async () => {
    const { services } = await performLook(access, hooksList, {});
    const refusals = await refusalTexts.in(context.language?.() ?? USUAL_LANGUAGE);
    const names = services.map(({ name }) => name);
    const checks = services.map(({ name, count, refused = 0, because = '', refusal }) => {
      const line = printable(`${name}: ${count} taken today`);
      if (refused === 0) return ok('sender', line);
      const words = `${line}, ${refused} refused, the last because ${printable(isRefusal(refusal) ? sayRefusal(refusals, refusal) : because)}`;
      // Anybody can send what is refused.
      return count > 0 || name === NO_SUCH_NAME ? ok('sender', words) : wrong('sender', words, MENDS.sender);
    });
    return [...checks, ...findSilentSources(context, names)];
  });

const checkStack = async (context: CommandContext): Promise<readonly Check[]> => {
  const checks = await tryCheck('stack', async () => {
    const access = await context.access();
    const health = await checkHealth(context, access);
    const signIn = await checkSignIn(access);
    const isIn = signIn.every(({ isOk }) => isOk);
    const shown = isIn ? [...(await checkJobs(access)), ...(await checkSources(context, access))] : [];
    return [ok('stack', printable(access.url)), checkTokens(access), ...signIn, ...health, ...shown];
  });
  return checks.map((check) => (check.name === 'stack' ? needed(check) : check));
};

export interface Examined {
  readonly canAnswer: boolean;
  readonly isOk: boolean;
  /** The first line for a person. */
  readonly head: string;
  readonly checks: readonly Check[];
}

export const examine = async (context: CommandContext): Promise<Examined> => {
  const { env, folder, text } = context;
  const dataFolder = findDataFolder(readVariables(env, folder), folder);
  const secrets = [dataFolder, join(dataFolder, 'tokens.json'), join(folder, '.env'), join(folder, '.env.before')];
  const local =
    text('stack') === undefined ? [checkFolder(dataFolder), ...checkModes(secrets), ...checkSettings(context)] : [];
  // An older Node than the project needs does not come this far.
  const checks = [ok('node', process.version), ...local, ...(await checkStack(context))];
  const stop = checks.find(({ isOk, isNeeded }) => !isOk && isNeeded === true);
  const because = stop?.because ?? `of ${stop?.name}: ${stop?.detail}`;
  const head = stop === undefined ? 'yes.' : `no, because ${because}`;
  return {
    canAnswer: stop === undefined,
    isOk: checks.every(({ isOk }) => isOk),
    head: `It can answer: ${head}`,
    checks,
  };
};
