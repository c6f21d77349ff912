/** `pair` lets one chat in. A local stack connects its bot by itself. */
import * as z from 'zod/mini';
import { ConfigError } from '../../../lib/core/base/errors.ts';
import { parseJson } from '../../../lib/core/base/json.ts';
import { SETTINGS } from '../../../lib/core/store/settings.ts';
import { FEATURES } from '../../../lib/features/features.ts';
import { registerWebhook } from '../../../lib/features/telegram/client.ts';
import { setMenus } from '../../../lib/features/telegram/menu.ts';
import { createPairingCode, loadHealth, loadInspection } from '../../cli/client.ts';
import type { Command } from '../../cli/command.ts';
import { remainingWords } from '../../cli/describe-action.ts';
import { openAws } from '../../cli/stack.ts';
import { CliError, causeOf, EXIT, printable, show } from '../../cli/terminal.ts';
import { CHANNEL_PROGRAMS } from '../../features.ts';

export const pair: Command = {
  name: 'pair',
  usage: '',
  summary: 'make a one-time code that pairs a chat',
  argCount: [0, 0],
  run: async ({ access, terminal, now }) => {
    const stack = await access();
    const { checks } = await loadHealth(stack);
    const answer = await createPairingCode(stack);
    const code = printable(answer.code);
    show(terminal, answer, [`Send this to the bot from the chat to pair:  /pair ${code.slice(0, 4)}-${code.slice(4)}`]);
    const states = Object.keys(CHANNEL_PROGRAMS).map((id) => checks?.[id] ?? 'off');
    if (checks !== undefined && states.every((state) => state === 'off') && !terminal.isJson)
      terminal.remark('No bot is connected yet: put TELEGRAM_BOT_TOKEN into .env and start the stack again.');
    // This asks Telegram, so it comes after the code.
    const bot = (await loadInspection(stack))?.channels.telegram;
    if (bot?.isReachable === false && !terminal.isJson)
      terminal.remark(`No bot answers now: ${printable(bot.name)}: ${printable(bot.detail)}`);
    if (!terminal.isJson) terminal.remark(`It works once, for ${remainingWords(answer.expiresAt - now())}.`);
    return EXIT.ok;
  },
};

const TelegramSecret = z.object({ TELEGRAM_WEBHOOK_SECRET: z.string().check(z.minLength(1)) });
const ActSecret = z.object({ TELEGRAM_BOT_TOKEN: z.string().check(z.regex(/^\d+:\S+$/)) });

/** Everything that registering a deployed stack's bot needs. @throws as `loadDeployedStack` does */
const loadTelegramAccess = async (stack: string) => {
  const { loadSecret, loadOutputs } = await openAws();
  const [outputs, telegram, act] = await Promise.all([
    loadOutputs(stack),
    loadSecret(`passepartout/${stack}/telegram`),
    loadSecret(`passepartout/${stack}/act`),
  ]);
  const base = outputs.get('TelegramUrl');
  if (base === undefined) throw new ConfigError([`the stack ${stack} has no output TelegramUrl`]);
  return {
    url: new URL('telegram', base).href,
    secret: parseJson(`the secret passepartout/${stack}/telegram`, telegram, TelegramSecret).TELEGRAM_WEBHOOK_SECRET,
    token: parseJson(`the secret passepartout/${stack}/act`, act, ActSecret).TELEGRAM_BOT_TOKEN,
  };
};

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
    const access = await loadTelegramAccess(stack).catch((error: unknown) => {
      throw new CliError(
        EXIT.failed,
        `the bot of "${stack}" cannot be looked up: ${causeOf(error)}`,
        'is TELEGRAM_BOT_TOKEN in its secret …/act, and are AWS credentials set?',
      );
    });
    const bot = { ...access, apiRoot: env.TELEGRAM_API_ROOT ?? SETTINGS.TELEGRAM_API_ROOT.default };
    const problem = (await registerWebhook(bot)) || (await setMenus(bot, FEATURES));
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
