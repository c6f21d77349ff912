/**
 * How the command line finds a deployed stack: the addresses of console and control among its
 * outputs, the tokens in the secret `passepartout/<stack>/console`, for whoever may read the two.
 * Fails with what the clients throw, or a ConfigError when the secret or the outputs are not what a
 * deployment writes.
 */
import * as z from 'zod/mini';
import { ConfigError } from '../../lib/base/errors.ts';
import { loadSecretString } from '../../lib/store/secret-store.ts';
import { loadStackOutputs } from '../../lib/store/stack-outputs.ts';

const ConsoleSecret = z.object({
  APPROVER_TOKEN: z.string().check(z.minLength(1)),
  API_TOKENS: z.optional(z.string()),
});

export interface DeployedStack {
  /** Address of the console's function. */
  readonly url: string;
  /** Of the control function's; a stack of an earlier release has none. */
  readonly controlUrl: string | undefined;
  readonly approverToken: string;
  /** Of scripts, as it stands in the secret. */
  readonly apiTokens: string | undefined;
}

/** Name of the secret of a deployed stack. */
export const consoleSecretId = (stack: string): string => `passepartout/${stack}/console`;

/**
 * @param load reads a secret's string by its id; @param loadOutputs a stack's outputs by its name.
 */
export const loadStackAccess = async (
  stack: string,
  load: (secretId: string) => Promise<string> = loadSecretString,
  loadOutputs: (stack: string) => Promise<ReadonlyMap<string, string>> = loadStackOutputs,
): Promise<DeployedStack> => {
  const [text, outputs] = await Promise.all([load(consoleSecretId(stack)), loadOutputs(stack)]);
  const url = outputs.get('ConsoleUrl');
  if (url === undefined)
    throw new ConfigError([`the stack ${stack} has no output ConsoleUrl: is it a stack of this project?`]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const parsed = ConsoleSecret.safeParse(value);
  if (!parsed.success) throw new ConfigError([`the secret ${consoleSecretId(stack)} must hold APPROVER_TOKEN`]);
  return {
    url,
    controlUrl: outputs.get('ControlUrl'),
    approverToken: parsed.data.APPROVER_TOKEN,
    apiTokens: parsed.data.API_TOKENS,
  };
};
