/** `receipt` writes the receipt of one action, as a file of ASCII that any JSON reader takes. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defined } from '../../../lib/core/base/defined.ts';
import { receipt } from '../../../lib/features/receipts/operations.ts';
import { receiptText } from '../../../lib/features/receipts/receipt.ts';
import { performLook, wakeLog } from '../../cli/client.ts';
import type { CommandContext } from '../../cli/command.ts';
import { EXPORT_PAUSE_MS } from '../../cli/commands/evidence.ts';
import type { LocalParts } from '../../cli/operation-command.ts';
import { CliError, checkPlace, EXIT, type ExitCode, printable } from '../../cli/terminal.ts';
import { LOG_WAIT_MS } from '../../cli/wait-for-log.ts';

const USAGE = 'usage: npx passepartout receipt <signal>#<n> [--hide-content] [--out <file>]';

const writeReceipt = async (context: CommandContext, words: readonly string[]): Promise<ExitCode> => {
  const { access, flag, text, folder, terminal, now, sleep } = context;
  const [action] = words;
  if (action === undefined || words.length > 1) throw new CliError(EXIT.usage, 'receipt takes one action', USAGE);
  const out = text('out');
  if (out !== undefined) checkPlace(resolve(folder, out));
  const hideContent = flag('hide-content') ? 'true' : undefined;
  const stack = await access();
  const args = { action, ...defined({ hideContent }) };
  const end = now() + LOG_WAIT_MS;
  let answer = await performLook(stack, receipt, args);
  while (answer.receipt === undefined && now() < end) {
    await wakeLog(stack);
    await sleep(EXPORT_PAUSE_MS);
    answer = await performLook(stack, receipt, args);
  }
  if (answer.receipt === undefined) throw new CliError(EXIT.failed, answer.lines.join(' '));
  const made = receiptText(answer.receipt);
  if (out === undefined) {
    terminal.line(made);
    return EXIT.ok;
  }
  await writeFile(resolve(folder, out), `${made}\n`, { mode: 0o600 });
  terminal.line(`the receipt of ${printable(action)} is in ${printable(out)}`);
  const where = text('stack') === undefined ? '' : ` --stack ${printable(text('stack') ?? '')}`;
  terminal.line(`check it: npx passepartout verify ${printable(out)} --key "$(npx passepartout evidence key${where})"`);
  return EXIT.ok;
};

export const receiptParts: LocalParts = {
  '': {
    form: '<signal>#<n>',
    options: {
      'hide-content': { type: 'boolean', help: 'leave the action out; its hash stays' },
      out: { type: 'string', value: 'file', help: 'the file to write; printed if absent' },
    },
    run: writeReceipt,
  },
};
