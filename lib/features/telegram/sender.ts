/** The way out to Telegram, loaded with its first message. */
import { defined } from '../../core/base/defined.ts';
import type { BuildSender } from '../../core/channels/channel.ts';

export const telegramSender: BuildSender = ({ env, secrets, noteOwn, ...ways }) => {
  const token = secrets.get('TELEGRAM_BOT_TOKEN');
  if (token === undefined) return undefined;
  return async () => {
    const { openTelegramSender } = await import('./deliver.ts');
    return openTelegramSender({ token, apiRoot: env.TELEGRAM_API_ROOT }, noteOwn, {
      ...ways,
      ...defined({ page: env.CONSOLE_URL }),
    });
  };
};
