/**
 * `runners`: the machines that may perform commands for the agent, by the chat's own commands.
 * To pair one, this terminal makes the code's secret and sends only its hash, so that no record of
 * the stack ever holds it.
 */
import { randomBytes } from 'node:crypto';
import { buildPairingCode, hashOfSecret, RUNNER_CODE_TTL_MS } from '../../../lib/runner/pairing-code.ts';
import type { Command, CommandContext } from '../command.ts';
import { remainingWords } from '../describe-action.ts';
import { CliError, EXIT, type ExitCode, printable, printableLines, show } from '../terminal.ts';
import { runApproved, sendApproved } from './settings.ts';

const USAGE = 'list | pair|pause|resume|remove <name>';

const SECRET_BYTES = 16;

/** @throws CliError */
const pair = async (context: CommandContext, given: string): Promise<ExitCode> => {
  const { terminal } = context;
  const name = given.toLowerCase();
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  const { view, replies, isDone } = await runApproved(context, `/runners pair ${name} ${hashOfSecret(secret)}`);
  const fingerprint = /\bMy key: ([0-9a-f]{32})$/m.exec(view.effects[0]?.output ?? '')?.[1];
  if (!isDone || fingerprint === undefined) {
    show(terminal, view, replies.map(printableLines));
    return EXIT.failed;
  }
  const { runnerUrl, url } = await context.access();
  const line = `npx passepartout runner pair ${printable(runnerUrl ?? url)} ${buildPairingCode({ secret, fingerprint })}`;
  if (!terminal.isJson)
    terminal.remark(`Paste this line on the machine. It works once, for ${remainingWords(RUNNER_CODE_TTL_MS)}:`);
  show(terminal, { name, line, expiresInMs: RUNNER_CODE_TTL_MS }, [line]);
  return EXIT.ok;
};

export const runners: Command = {
  name: 'runners',
  usage: USAGE,
  summary: 'machines that perform commands: see, pair, pause, remove',
  argCount: [0, 2],
  run: (context) => {
    const [verb = 'list', name] = context.args;
    if (verb === 'list' && name === undefined) return sendApproved(context, '/runners list');
    if (name === undefined || !/^(pair|pause|resume|remove)$/.test(verb))
      throw new CliError(EXIT.usage, `usage: npx passepartout runners ${USAGE}`);
    return verb === 'pair' ? pair(context, name) : sendApproved(context, `/runners ${verb} ${name}`);
  },
};
