/** Telegram in programs of this machine. */
import { isFromTelegram } from '../../../lib/features/telegram/secret-token.ts';
import type { ChannelProgram } from '../../channel-program.ts';
import { connectTelegram } from './connect.ts';
import { inspectBot } from './inspect.ts';
import { derive, findConflicts, readTelegram } from './settings.ts';

export const telegramProgram: ChannelProgram = {
  name: 'Telegram',
  findConflicts,
  derive,
  publicHostOf: (variables) => {
    const telegram = readTelegram(variables);
    return telegram.mode === 'webhook' ? new URL(telegram.publicUrl).host : undefined;
  },
  headChecks: ({ TELEGRAM_WEBHOOK_SECRET: secret }) => ({
    telegram: ({ headers }) => (isFromTelegram(headers, secret) ? 'all' : 'head'),
  }),
  inspect: inspectBot,
  connect: ({ variables, ...input }) =>
    connectTelegram({
      ...input,
      telegram: readTelegram(variables),
      webhookSecret: variables.TELEGRAM_WEBHOOK_SECRET ?? '',
      isPollingWished: variables.TELEGRAM_MODE === 'polling',
    }),
};
