/** Asks the Bot API whether it takes the bot's token, and how messages come. Never throws. */
import * as z from 'zod/mini';
import { HOUR_MS, SECOND_MS } from '../../../lib/core/base/limits.ts';
import type { Variables } from '../../../lib/core/store/settings.ts';
import { buildTelegramClient, isTokenRefused } from '../../../lib/features/telegram/client.ts';
import type { Endpoint } from '../../inspection.ts';
import { LOOK_TIMEOUT_MS, quotedWords, type SettingPlace, withRemedy } from '../../reachability.ts';

const Me = z.object({ username: z.string(), can_read_all_group_messages: z.optional(z.boolean()) });
const WebhookInfo = z.object({
  /** Empty while messages are fetched. */
  url: z.string(),
  pending_update_count: z.int(),
  /** Unix seconds. */
  last_error_date: z.optional(z.int()),
  last_error_message: z.optional(z.string()),
});

/** Messages that a bot which is connected takes within seconds. */
const PENDING_UPDATES_MAX = 20;
/** An older error is over. */
const TELEGRAM_ERROR_MS = HOUR_MS;

const PRIVACY = 'in groups it is shown commands and replies only, unless /setprivacy at @BotFather says otherwise';

const NO_MENU = 'it offers no commands after "/" yet; "npm start" again sets them';

/** How Telegram's hand-over of messages goes; undefined if it is well. */
const describeHandOver = (given: unknown, now: number): string | undefined => {
  const { data } = WebhookInfo.safeParse(given);
  if (data === undefined) return undefined;
  const { url, pending_update_count: waiting, last_error_date: at = 0, last_error_message: message } = data;
  if (url !== '' && message !== undefined && at * SECOND_MS > now - TELEGRAM_ERROR_MS)
    return `could not hand a message over${quotedWords(message, '')}: does TELEGRAM_WEBHOOK_URL lead here?`;
  return waiting > PENDING_UPDATES_MAX
    ? `keeps ${waiting} messages that nobody takes: is another program connected to this bot?`
    : undefined;
};

export const inspectBot = async (
  variables: Variables,
  place: SettingPlace,
  isRunning: boolean,
): Promise<Endpoint | undefined> => {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: address = 'https://api.telegram.org' } = variables;
  if (!token) return undefined;
  const client = buildTelegramClient({ token, apiRoot: address, timeoutMs: LOOK_TIMEOUT_MS });
  const outcome = await client.call('getMe', {});
  const bot = { name: 'Telegram', address, isReachable: false };
  if (outcome.kind === 'done') {
    const { username, can_read_all_group_messages: readsAll } = Me.safeParse(outcome.result).data ?? {};
    const info = isRunning ? await client.call('getWebhookInfo', {}) : undefined;
    const menu = isRunning ? await client.call('getMyCommands', { scope: { type: 'all_private_chats' } }) : undefined;
    const hasNoMenu = menu?.kind === 'done' && Array.isArray(menu.result) && menu.result.length === 0;
    const problem = info?.kind === 'done' ? describeHandOver(info.result, Date.now()) : undefined;
    const notes = [...(readsAll === false ? [PRIVACY] : []), ...(hasNoMenu ? [NO_MENU] : [])];
    const detail = problem ?? ['reachable', ...notes].join('; ');
    return { ...bot, name: `@${username}`, isReachable: problem === undefined, detail };
  }
  const refused = { isReachable: false, isRefused: true, detail: 'refuses the token' } as const;
  if (isTokenRefused(outcome)) return { ...bot, ...withRemedy(refused, place('TELEGRAM_BOT_TOKEN')) };
  if (outcome.kind === 'refused') return { ...bot, detail: outcome.description };
  return { ...bot, isAway: true, detail: 'not reachable' };
};
