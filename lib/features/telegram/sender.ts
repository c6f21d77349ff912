/** The way out to Telegram, loaded with its first message. */
import { defined } from '../../core/base/defined.ts';
import type { BuildSender } from '../../core/channels/channel.ts';

export const telegramSender: BuildSender = ({ env, secrets, table, noteOwn, ...ways }) => {
  const token = secrets.get('TELEGRAM_BOT_TOKEN');
  if (token === undefined) return undefined;
  return async () => {
    const { noteBotName, openTelegramSender } = await import('./deliver.ts');
    return openTelegramSender({ token, apiRoot: env.TELEGRAM_API_ROOT }, noteOwn, {
      ...ways,
      noteName: (username) => noteBotName(table, env.SPACE, username),
      ...defined({ page: env.CONSOLE_URL }),
    });
  };
};
