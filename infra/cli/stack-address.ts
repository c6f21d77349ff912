/**
 * Finds the stack a command talks to: the running local one through its data folder, or a deployed
 * one by name. The environment wins over `.env`, and both over what the stack wrote down. Nothing
 * found is said plainly, with what to do.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import * as z from 'zod';
import type { StackAccess } from './client.ts';
import { CliError, EXIT } from './exit-codes.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

const StackFile = z.object({ url: z.url(), pid: z.int() });
const TokensFile = z.object({ approverToken: z.optional(z.string()) });

/** Root of this installation: used when the current folder has no stack of its own. */
const INSTALLATION = resolve(import.meta.dirname, '..', '..');

/**
 * Variables as `npm start` sees them: the environment, then `.env` of the folder. Empty ones count
 * as unset.
 */
export const readVariables = (env: Variables, folder: string): Variables => {
  const file = join(folder, '.env');
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  const isSet = ([, value]: [string, string | undefined]) => value !== undefined && value !== '';
  return {
    ...Object.fromEntries(Object.entries(fromFile).filter(isSet)),
    ...Object.fromEntries(Object.entries(env).filter(isSet)),
  };
};

/** The data folder a stack of this folder has. */
export const dataFolderOf = (variables: Variables, folder: string): string => {
  const own = resolve(folder, variables.DATA_DIR ?? '.passepartout');
  if (variables.DATA_DIR !== undefined || existsSync(own)) return own;
  return join(INSTALLATION, '.passepartout');
};

/**
 * @returns undefined when there is no such file; @throws CliError when it is there and cannot be
 * used.
 */
const readJsonFile = <T>(path: string, schema: z.ZodType<T>): T | undefined => {
  if (!existsSync(path)) return undefined;
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new CliError(EXIT.usage, `${path} cannot be read as what "npm start" writes`, 'start the stack again');
  }
};

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

const START = 'start it with "npm start" (or set DATA_DIR to the folder of a running one)';

/** The stack running on a data folder. @throws CliError (exit 1) when none is. */
export const findLocalStack = (env: Variables, folder: string): StackAccess => {
  const variables = readVariables(env, folder);
  const dataFolder = dataFolderOf(variables, folder);
  const stack = readJsonFile(join(dataFolder, 'stack.json'), StackFile);
  if (stack === undefined) throw new CliError(EXIT.failed, `no stack is running on ${dataFolder}`, START);
  if (!isAlive(stack.pid))
    throw new CliError(EXIT.failed, `the stack on ${dataFolder} has ended (its process was ${stack.pid})`, START);
  const tokens = readJsonFile(join(dataFolder, 'tokens.json'), TokensFile);
  return {
    url: stack.url,
    approverToken: variables.APPROVER_TOKEN ?? tokens?.approverToken,
  };
};

/**
 * A deployed stack by its name. @throws CliError (exit 1) when its outputs or its secret cannot be
 * read.
 */
export const findDeployedStack = async (name: string): Promise<StackAccess> => {
  const { loadStackAccess } = await import('./stack-access.ts');
  const access = await loadStackAccess(name).catch((error: unknown) => {
    throw new CliError(
      EXIT.failed,
      `the deployed stack "${name}" cannot be looked up: ${error instanceof Error ? error.name : 'unknown error'}`,
      'are AWS credentials and AWS_REGION set, and is the name right?',
    );
  });
  const url = access.url.replace(/\/+$/, '');
  return { url, controlUrl: access.controlUrl, approverToken: access.approverToken, apiTokens: access.apiTokens };
};
