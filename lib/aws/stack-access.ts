/**
 * How the command line finds a deployed stack: one Secrets Manager secret per stack, `passepartout/<stack>/console`,
 * with both tokens and, where the owner wrote it there, the address; readable by whoever may operate the stack. Fails with
 * what the client throws, or a ConfigError when the secret is not what a deployment writes.
 */
import * as z from 'zod/mini';
import { ConfigError } from '../errors.ts';
import { loadSecretString } from './secret-store.ts';

const ConsoleSecret = z.object({
  CONSOLE_URL: z.optional(z.url()),
  CONSOLE_TOKEN: z.string().check(z.minLength(1)),
  APPROVER_TOKEN: z.optional(z.string()),
});

export interface DeployedStack {
  /** Address of the console's function; undefined where the secret does not hold it. */
  readonly url: string | undefined;
  readonly consoleToken: string;
  readonly approverToken: string | undefined;
}

/** Name of the secret of a deployed stack. */
export const consoleSecretId = (stack: string): string => `passepartout/${stack}/console`;

/** @param load reads a secret's string by its id. */
export const loadStackAccess = async (
  stack: string,
  load: (secretId: string) => Promise<string> = loadSecretString,
): Promise<DeployedStack> => {
  const text = await load(consoleSecretId(stack));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const parsed = ConsoleSecret.safeParse(value);
  if (!parsed.success)
    throw new ConfigError([`the secret ${consoleSecretId(stack)} must hold CONSOLE_TOKEN and APPROVER_TOKEN`]);
  return {
    url: parsed.data.CONSOLE_URL,
    consoleToken: parsed.data.CONSOLE_TOKEN,
    approverToken: parsed.data.APPROVER_TOKEN,
  };
};
