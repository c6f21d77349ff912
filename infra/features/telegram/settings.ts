/** How the bot gets its messages on this machine, as the settings say. Pure. */
import { SETTINGS, type Variables } from '../../../lib/core/store/settings.ts';

export type TelegramSettings =
  | { readonly mode: 'off' }
  | { readonly mode: 'polling'; readonly token: string; readonly apiRoot: string }
  | { readonly mode: 'webhook'; readonly token: string; readonly apiRoot: string; readonly publicUrl: string };

export const findConflicts = (variables: Variables): readonly string[] => {
  const { TELEGRAM_MODE: mode, TELEGRAM_WEBHOOK_URL: url, TELEGRAM_BOT_TOKEN: token, ANCHOR_CHAT: anchor } = variables;
  return [
    ...(mode === 'webhook' && url === undefined ? ['TELEGRAM_WEBHOOK_URL: is missing (TELEGRAM_MODE is webhook)'] : []),
    ...(mode === 'webhook' && token === undefined ? ['TELEGRAM_BOT_TOKEN: is missing (TELEGRAM_MODE is webhook)'] : []),
    ...(anchor !== undefined && token === undefined
      ? ['ANCHOR_CHAT: needs a bot (TELEGRAM_BOT_TOKEN is missing)']
      : []),
  ];
};

export const readTelegram = (variables: Variables): TelegramSettings => {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_MODE: mode, TELEGRAM_WEBHOOK_URL: publicUrl } = variables;
  const apiRoot = variables.TELEGRAM_API_ROOT ?? SETTINGS.TELEGRAM_API_ROOT.default;
  if (!token) return { mode: 'off' };
  return mode === 'polling' || publicUrl === undefined
    ? { mode: 'polling', token, apiRoot }
    : { mode: 'webhook', token, apiRoot, publicUrl };
};

export const derive = (variables: Variables): Variables => ({
  TELEGRAM_API_ROOT: variables.TELEGRAM_API_ROOT ?? SETTINGS.TELEGRAM_API_ROOT.default,
  TELEGRAM_BOT_ID: variables.TELEGRAM_BOT_TOKEN?.split(':')[0],
  TELEGRAM_STATE: readTelegram(variables).mode,
});
