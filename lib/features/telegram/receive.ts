/**
 * The Telegram webhook: secret token → parse → stop, accept or pair → answer. Telegram gets a 200
 * only for an update that is stored (I6) or that needs nothing; a 503 makes Telegram send it again.
 * Nothing of an update is logged.
 */

import * as z from 'zod/mini';
import { defined } from '../../core/base/defined.ts';
import { PassepartoutError, ProtocolError } from '../../core/base/errors.ts';
import { parseJson } from '../../core/base/json.ts';
import { spokenLanguage } from '../../core/base/language.ts';
import { BODY_BYTES_MAX } from '../../core/base/limits.ts';
import type { Intake } from '../../core/channels/channel.ts';
import { type HttpResponse, parseRequest, respondJson } from '../../core/http/function-url.ts';
import { rightsOf } from '../../core/ledger/chat-rights.ts';
import { isOwnMessage } from '../../core/ledger/own-messages.ts';
import {
  chatSettingOf,
  languageField,
  ownerSettingsKey,
  parseOwnerSettings,
  settingOf,
} from '../../core/ledger/owner-settings.ts';
import { isPaired, pairedChatKey } from '../../core/ledger/paired-chats.ts';
import { reactionsIn, reactionsKey } from '../../core/ledger/reactions.ts';
import type { Configured } from '../../core/signal/channels.ts';
import { loadNamed } from '../../core/store/load-named.ts';
import type { Log } from '../../core/store/log.ts';
import { acceptIntake, type ChatDeps } from '../chats/accept-intake.ts';
import { botNameKey, botNameOf } from './bot-name.ts';
import { RIGHTS } from './channel.ts';
import { keepPairing } from './move-group.ts';
import { parseTelegramUpdate, placesOf, type TelegramConfig } from './parse-update.ts';
import { isFromTelegram } from './secret-token.ts';

export interface IntakeDeps extends Omit<ChatDeps, 'channel'> {
  readonly config: Pick<TelegramConfig, 'botId' | 'botUsername' | 'space'> & {
    /** As the environment has them. */
    readonly rights: Configured;
  };
}

export interface TelegramHttpDeps extends IntakeDeps {
  /** The secret that Telegram sends along; without one no update is accepted. */
  readonly secret: string | undefined;
  readonly log: Log;
}

/**
 * The one place that asks whether an update's chat and its sender's private chat are paired, and
 * whether its message replies to the agent. Settings and pairings are one read.
 */
const parseUpdate = async ({ table, config, now }: IntakeDeps, update: unknown): Promise<Intake> => {
  const { space, botId } = config;
  const { chat = '', person = '', replied: message } = placesOf(update, botId) ?? {};
  const asked = [...new Set([chat, person])].filter((id) => id !== '');
  const { owner, bot, reactions, chats } = await loadNamed(table, {
    owner: ownerSettingsKey(space),
    bot: botNameKey(space),
    reactions: reactionsKey(space, chat),
    chats: asked.map((id) => pairedChatKey(space, id)),
  });
  const settings = parseOwnerSettings(owner);
  const rights = rightsOf(RIGHTS, settings, config.rights);
  const allowedChats = new Set(rights.chats);
  const pairedChats = new Set(asked.filter((_, n) => isPaired(chats[n])));
  const isReplyToAgent = message !== undefined && (await isOwnMessage(table, space, { chat, message }, now));
  return parseTelegramUpdate(update, {
    ...config,
    allowedChats,
    approvers: new Set(rights.approvers),
    now,
    pairedChats,
    isReplyToAgent,
    reactions: reactionsIn(reactions, now),
    botUsername: config.botUsername ?? botNameOf(bot),
    language: spokenLanguage(settingOf(settings, languageField({ target: 'telegram', to: chat }))),
    hearsAddressedOnly: chatSettingOf(settings, 'listen', chat) !== 'all',
  });
};

/** A Bot API method in a webhook's answer: Telegram performs it and tells nobody its result. */
type TelegramAnswer =
  | {
      readonly method: 'sendChatAction';
      readonly chat_id: string;
      readonly message_thread_id?: number;
      readonly action: 'typing';
    }
  | {
      readonly method: 'answerCallbackQuery';
      readonly callback_query_id: string;
      readonly text?: string;
      /** The words stay until the person closes them. */
      readonly show_alert?: true;
    };

const Tapped = z.looseObject({ callback_query: z.looseObject({ id: z.string() }) });

/** "typing" for a message the model will read; ends a tapped button's waiting mark. */
export const buildAnswer = (update: unknown, intake: Intake): TelegramAnswer | undefined => {
  const tapped = Tapped.safeParse(update);
  if (tapped.success) {
    const text = intake.kind === 'ignored' ? intake.say : undefined;
    const words = text === undefined ? {} : ({ text, show_alert: true } as const);
    return { method: 'answerCallbackQuery', callback_query_id: tapped.data.callback_query.id, ...words };
  }
  if (intake.kind !== 'signal') return undefined;
  const { payload, reply } = intake.signal;
  if (payload.sensor !== 'chat-message') return undefined;
  // A live location moves without a word.
  const isMove = intake.number?.corrects !== undefined && payload.text.some(({ label }) => label === 'location');
  if (isMove) return undefined;
  const { to, topic } = reply;
  return { method: 'sendChatAction', chat_id: to, ...defined({ message_thread_id: topic }), action: 'typing' };
};

const refuse = (status: number, message: string): HttpResponse =>
  respondJson(status, { error: { code: String(status), message } });

/** @param event a function URL event, payload 2.0 */
export const answerTelegram = async (deps: TelegramHttpDeps, event: unknown): Promise<HttpResponse> => {
  try {
    // 1. Only Telegram knows the secret token.
    const { body, method, headers } = parseRequest(event);
    if (!isFromTelegram(headers, deps.secret)) return refuse(401, 'the secret token is missing or wrong');
    if (method !== 'POST') return refuse(405, 'only POST is taken here');
    if (body.byteLength > BODY_BYTES_MAX) return refuse(413, 'the update is too large');
    // 2. Parse.
    const update = parseJson('update', Buffer.from(body).toString('utf8'), z.unknown());
    const parsed = await parseUpdate(deps, update);
    // 3. Accept.
    await keepPairing(deps, update);
    const intake = await acceptIntake({ ...deps, channel: 'telegram' }, parsed);
    if (intake.kind === 'ignored') deps.log('info', 'update-ignored', { reason: intake.reason });
    // 4. Answer.
    return respondJson(200, buildAnswer(update, intake) ?? { ok: true });
  } catch (error) {
    if (error instanceof ProtocolError) return refuse(400, error.problem);
    deps.log('error', 'update-not-stored', { reason: error instanceof PassepartoutError ? error.name : 'unexpected' });
    return refuse(503, 'it could not be stored just now: send it again');
  }
};
