/**
 * Registers the bot's webhook: one connection, so that accepted order is sent order, the secret sent along, and only the
 * kinds of updates that mean anything here. Says what happened in words; never throws, never names the token.
 */

import { buildTelegramClient } from './client.ts';
import { TELEGRAM_TIMEOUT_MS } from './limits.ts';

export interface WebhookRegistration {
  readonly token: string;
  readonly apiRoot: string;
  /** Whole address of the webhook. */
  readonly url: string;
  readonly secret: string;
}

/** Kinds of updates the bot is told of, by polling or by webhook. */
export const UPDATE_KINDS: readonly string[] = ['message', 'edited_message', 'callback_query', 'my_chat_member'];

/** @returns what is wrong, in words; empty when the webhook is registered. */
export const registerWebhook = async ({ token, apiRoot, url, secret }: WebhookRegistration): Promise<string> => {
  const client = buildTelegramClient({ token, apiRoot, timeoutMs: TELEGRAM_TIMEOUT_MS });
  const outcome = await client.call('setWebhook', {
    url,
    secret_token: secret,
    max_connections: 1,
    allowed_updates: UPDATE_KINDS,
  });
  if (outcome.kind === 'done') return '';
  return outcome.kind === 'refused' ? outcome.description : outcome.reason;
};
