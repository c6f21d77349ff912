/**
 * Shows a draft in a private Telegram chat (`sendMessageDraft`): a preview that goes by itself after some 30 seconds, or when the
 * message comes. Plain text, once, for a short time: what becomes of it is nobody's business.
 */
import { SECOND_MS } from '../base/limits.ts';
import type { TelegramClient } from './client.ts';
import type { SendDraft, SendTyping } from './show-draft.ts';

const DRAFT_SHOW_TIMEOUT_MS = 3 * SECOND_MS;

export const buildSendDraft =
  (client: TelegramClient): SendDraft =>
  async (chat, draftId, text) => {
    const body = { chat_id: chat, draft_id: draftId, text };
    await client.call('sendMessageDraft', body, { timeoutMs: DRAFT_SHOW_TIMEOUT_MS });
  };

/** Telegram shows it for five seconds, or until a message comes; in groups too. */
export const buildSendTyping =
  (client: TelegramClient): SendTyping =>
  async (chat) => {
    await client.call('sendChatAction', { chat_id: chat, action: 'typing' }, { timeoutMs: DRAFT_SHOW_TIMEOUT_MS });
  };
