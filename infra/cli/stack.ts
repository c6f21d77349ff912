/**
 * Finds the stack that a command talks to: a deployed one by its name, or the local one that runs
 * on a data folder. The environment wins over `.env`, and both win over the files of the stack.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import * as z from 'zod/mini';
import { ConfigError } from '../../lib/core/base/errors.ts';
import { parseJson } from '../../lib/core/base/json.ts';
import { SafeUrl } from '../../lib/core/store/setting-forms.ts';
import type { StackAccess } from './client.ts';
import { CliError, causeOf, EXIT, printable } from './terminal.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

const StackFile = z.object({ url: z.url(), pid: z.int() });
const TokensFile = z.object({ approverToken: z.optional(z.string()) });

/** Root of this installation, used if the current folder has no data folder of its own. */
const INSTALLATION = resolve(import.meta.dirname, '..', '..');

/** Variables as `npm start` sees them. An empty one counts as unset. */
export const readVariables = (env: Variables, folder: string): Variables => {
  const file = join(folder, '.env');
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  const isSet = ([, value]: [string, string | undefined]) => value !== undefined && value !== '';
  return {
    ...Object.fromEntries(Object.entries(fromFile).filter(isSet)),
    ...Object.fromEntries(Object.entries(env).filter(isSet)),
  };
};

export const findDataFolder = (variables: Variables, folder: string): string => {
  const own = resolve(folder, variables.DATA_DIR ?? '.passepartout');
  if (variables.DATA_DIR !== undefined || existsSync(own)) return own;
  return join(INSTALLATION, '.passepartout');
};

/** @returns undefined if there is no such file. @throws CliError if it cannot be used */
const readJsonFile = <T>(path: string, schema: z.core.$ZodType<T>): T | undefined => {
  if (!existsSync(path)) return undefined;
  try {
    return z.parse(schema, JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new CliError(EXIT.usage, `${path} cannot be read as what "npm start" writes`, 'start the stack again');
  }
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

const START_ADVICE = 'start it with "npm start" (or set DATA_DIR to the folder of a running one)';

/** @throws CliError (exit 2) unless the token stays on this machine or goes over TLS */
const readUrl = (given: string): string => {
  if (SafeUrl.safeParse(given).success) return given.replace(/\/+$/, '');
  throw new CliError(EXIT.usage, 'PASSEPARTOUT_URL must begin with https:// (http:// only on this machine)');
};

/**
 * The stack that PASSEPARTOUT_URL names, or the one that runs on a data folder. @throws CliError
 * (exit 1) if none does
 */
export const findLocalStack = (env: Variables, folder: string): StackAccess => {
  const variables = readVariables(env, folder);
  const { PASSEPARTOUT_URL: named } = variables;
  // A stack elsewhere: its token is not one of this machine's data folder.
  if (named !== undefined) return { url: readUrl(named), approverToken: variables.APPROVER_TOKEN };
  const dataFolder = findDataFolder(variables, folder);
  const stack = readJsonFile(join(dataFolder, 'stack.json'), StackFile);
  if (stack === undefined) throw new CliError(EXIT.failed, `no stack is running on ${dataFolder}`, START_ADVICE);
  if (!isAlive(stack.pid))
    throw new CliError(
      EXIT.failed,
      `the stack on ${dataFolder} has ended (its process was ${stack.pid})`,
      START_ADVICE,
    );
  const tokens = readJsonFile(join(dataFolder, 'tokens.json'), TokensFile);
  return { url: stack.url, approverToken: variables.APPROVER_TOKEN ?? tokens?.approverToken };
};

export const findStackIfRunning = (env: Variables, folder: string): StackAccess | undefined => {
  try {
    return findLocalStack(env, folder);
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
};

export interface DeployedSource {
  readonly loadSecret: (secretId: string) => Promise<string>;
  readonly loadOutputs: (stack: string) => Promise<ReadonlyMap<string, string>>;
}

export const loadDeployed = () => import('./deployed.ts');

export const openAws = async (): Promise<DeployedSource> => {
  const { loadSecretString, loadStackOutputs } = await loadDeployed();
  return { loadSecret: (secretId) => loadSecretString(secretId), loadOutputs: loadStackOutputs };
};

const ConsoleSecret = z.object({
  APPROVER_TOKEN: z.string().check(z.minLength(1)),
  API_TOKENS: z.optional(z.string()),
});

/** @throws ConfigError if the stack was not deployed by this project; errors of the AWS clients */
export const loadDeployedStack = async (stack: string, source?: DeployedSource): Promise<StackAccess> => {
  const { loadSecret, loadOutputs } = source ?? (await openAws());
  const secretId = `passepartout/${stack}/console`;
  const [text, outputs] = await Promise.all([loadSecret(secretId), loadOutputs(stack)]);
  const url = outputs.get('ConsoleUrl');
  if (url === undefined)
    throw new ConfigError([`the stack ${stack} has no output ConsoleUrl: is it a stack of this project?`]);
  const secret = parseJson(`the secret ${secretId}`, text, ConsoleSecret);
  return {
    url: url.replace(/\/+$/, ''),
    controlUrl: outputs.get('ControlUrl'),
    runnerUrl: outputs.get('RunnerUrl')?.replace(/\/+$/, ''),
    webhookUrl: outputs.get('WebhookUrl')?.replace(/\/+$/, ''),
    approverToken: secret.APPROVER_TOKEN,
    apiTokens: secret.API_TOKENS,
  };
};

/** @throws CliError (exit 1) if this look at a deployed stack fails */
export const lookUp = <T>(stack: string, look: Promise<T>): Promise<T> =>
  look.catch((error: unknown) => {
    throw new CliError(
      EXIT.failed,
      `the deployed stack "${printable(stack)}" cannot be looked up: ${causeOf(error)}`,
      'are AWS credentials and AWS_REGION set, and is the name right?',
    );
  });

export const findDeployedStack = (name: string): Promise<StackAccess> => lookUp(name, loadDeployedStack(name));
