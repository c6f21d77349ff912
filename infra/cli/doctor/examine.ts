/** Examines everything that has to be right, each thing with what to do about it. */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { VERSION } from '../../../lib/core/base/version.ts';
import { parseApiTokens } from '../../../lib/core/edge/console/tokens.ts';
import { isPassing } from '../../../lib/core/language/fault-texts.ts';
import { isAboutModels } from '../../../lib/core/language/finding.ts';
import { approvals } from '../../../lib/core/verbs/approvals/operations.ts';
import { CHANNEL_PROGRAMS } from '../../features.ts';
import { describeClock, type Endpoint } from '../../inspection.ts';
import { describeFileProblem, findDiskProblem } from '../../local/data-folder.ts';
import { findSettingProblems } from '../../local/settings.ts';
import { checkNames } from '../../spelling.ts';
import { loadHealth, loadInspection, performLook, type StackAccess } from '../client.ts';
import type { CommandContext } from '../command.ts';
import { shellLines } from '../shell-lines.ts';
import { findDataFolder, readVariables } from '../stack.ts';
import { printable } from '../terminal.ts';
import { type Check, MENDS, type Mend, mendOfStep, needed, ok, tryCheck, wrong } from './check.ts';
import { FEATURE_CHECKS } from './feature-checks.ts';

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
  const channels = Object.keys(CHANNEL_PROGRAMS).map((id) => ok(id, printable(String(checks[id] ?? 'off'))));
  const odd = checks.oddities.map((line) => ok('model', printable(line)));
  const found = [checkRelease(release?.version, release?.newer), state, ...odd];
  // An answer of just now says more than health.
  if (looking !== undefined) return [...(await checkKeys(looking, models, channels, codes)), ...found];
  return [
    ...found,
    models,
    ...channels,
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
  channels: readonly Check[],
  codes: readonly string[],
): Promise<readonly Check[]> =>
  tryCheck('keys', async () => {
    const inspection = await looking;
    if (inspection === undefined) return [models, ...channels];
    const { providers, embeddings, transcription, speech, channels: bots, mcp, webhooks } = inspection;
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
      ...channels.map((channel) => {
        const { [channel.name]: bot } = bots;
        return bot === undefined ? channel : judge(channel.name, mendOfStep(channel.name), bot);
      }),
      ...mcp.map((one) => judge('MCP server', MENDS.endpoint, one)),
      ...webhooks.map(({ name, isReachable, detail }) => {
        const line = `${printable(name)}: ${printable(detail)}`;
        return isReachable ? ok('webhook', line) : wrong('webhook', line, MENDS.target);
      }),
    ];
  });

const checkSignIn = (access: StackAccess): Promise<readonly Check[]> =>
  tryCheck('sign-in', async () => {
    const { role } = await performLook(access, approvals, {});
    return [ok('sign-in', `the stack takes the ${printable(role)} token`)];
  });

const checkStack = async (context: CommandContext): Promise<readonly Check[]> => {
  const checks = await tryCheck('stack', async () => {
    const access = await context.access();
    const health = await checkHealth(context, access);
    const signIn = await checkSignIn(access);
    const isIn = signIn.every(({ isOk }) => isOk);
    const shown: Check[] = [];
    if (isIn) for (const check of FEATURE_CHECKS) shown.push(...(await check(context, access)));
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
