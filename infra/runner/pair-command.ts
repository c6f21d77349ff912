/**
 * `runners pair`: this terminal makes the secret and sends its hash, so no record ever holds it.
 */
import { randomBytes } from 'node:crypto';
import { runnersPair } from '../../lib/features/runner/operations.ts';
import { buildPairingCode, hashOfSecret, RUNNER_CODE_TTL_MS } from '../../lib/features/runner/pairing-code.ts';
import { type Ended, endChange } from '../cli/change.ts';
import type { CommandContext } from '../cli/command.ts';
import { remainingWords } from '../cli/describe-action.ts';
import type { LocalParts } from '../cli/operation-command.ts';
import { CliError, EXIT, type ExitCode, printable, printableLines, show } from '../cli/terminal.ts';

const SECRET_BYTES = 16;
/** Of the stack's key, at the end of the answer. */
const FINGERPRINT = /\b[0-9a-f]{32}$/;

/** Has the stack make a code. @returns address and code, or the stack's answer without one */
export const makeCode = async (
  context: CommandContext,
  name: string,
): Promise<Pick<Ended, 'view' | 'replies'> | { readonly address: string; readonly code: string }> => {
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  const { view, replies, isDone } = await endChange(context, runnersPair, { name, codeHash: hashOfSecret(secret) });
  const fingerprint = FINGERPRINT.exec(view.effects[0]?.output ?? '')?.[0];
  if (!isDone || fingerprint === undefined) return { view, replies };
  const { runnerUrl, url } = await context.access();
  return { address: runnerUrl ?? url, code: buildPairingCode({ secret, fingerprint }) };
};

const pair = async (context: CommandContext, given: string): Promise<ExitCode> => {
  const { terminal } = context;
  const name = given.toLowerCase();
  const made = await makeCode(context, name);
  if ('view' in made) {
    show(terminal, made.view, made.replies.map(printableLines));
    return EXIT.failed;
  }
  const line = `npx passepartout runner pair ${printable(made.address)} ${made.code}`;
  if (!terminal.isJson)
    terminal.remark(`Paste this line on the machine. It works once, for ${remainingWords(RUNNER_CODE_TTL_MS)}:`);
  show(terminal, { name, line, expiresInMs: RUNNER_CODE_TTL_MS }, [line]);
  return EXIT.ok;
};

export const runnersParts: LocalParts = {
  pair: {
    form: '<name>',
    summary: 'print the line that pairs a machine, once, within ten minutes',
    run: (context, [name, ...more]) => {
      if (name !== undefined && more.length === 0) return pair(context, name);
      throw new CliError(EXIT.usage, 'usage: npx passepartout runners pair <name>');
    },
  },
};
