/**
 * `connect-telegram`: tells Telegram where a deployed stack takes its updates. A local stack does
 * that by itself.
 */
import { registerWebhook } from '../../../lib/actuators/register-webhook.ts';
import type { Command } from '../command.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { printable } from '../printable.ts';

const API_ROOT = 'https://api.telegram.org';

export const connectTelegram: Command = {
  name: 'connect-telegram',
  usage: '',
  summary: "register a deployed stack's webhook with Telegram (--stack)",
  argCount: [0, 0],
  run: async ({ text, terminal, env }) => {
    const stack = text('stack');
    if (stack === undefined)
      throw new CliError(
        EXIT.usage,
        'connect-telegram needs --stack <name>',
        'a local stack connects by itself when it starts',
      );
    const { loadTelegramAccess } = await import('../telegram-access.ts');
    const access = await loadTelegramAccess(stack).catch((error: unknown) => {
      throw new CliError(
        EXIT.failed,
        `the bot of "${stack}" cannot be looked up: ${error instanceof Error ? error.message : 'unknown error'}`,
        'is TELEGRAM_BOT_TOKEN in its secret …/act, and are AWS credentials set?',
      );
    });
    const problem = await registerWebhook({ ...access, apiRoot: env.TELEGRAM_API_ROOT ?? API_ROOT });
    if (problem !== '')
      throw new CliError(
        EXIT.failed,
        `Telegram did not take the webhook: ${printable(problem)}`,
        'check the token and try again',
      );
    terminal.line(`Telegram sends updates to ${printable(access.url)} now.`);
    return EXIT.ok;
  },
};
