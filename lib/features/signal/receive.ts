/**
 * The door for events of signal-cli, which the program of this machine hands over: secret → parse →
 * accept → answer. 200 only for an event that is stored (I6) or that needs nothing.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { PassepartoutError, ProtocolError } from '../../core/base/errors.ts';
import { parseJson } from '../../core/base/json.ts';
import { BODY_BYTES_MAX } from '../../core/base/limits.ts';
import {
  HttpError,
  type HttpResponse,
  parseRequest,
  respondFailure,
  respondJson,
} from '../../core/http/function-url.ts';
import { rightsOf } from '../../core/ledger/chat-rights.ts';
import { isOwnMessage } from '../../core/ledger/own-messages.ts';
import { chatSettingOf, ownerSettingsKey, parseOwnerSettings } from '../../core/ledger/owner-settings.ts';
import { isPaired, pairedChatKey } from '../../core/ledger/paired-chats.ts';
import { reactionsIn, reactionsKey } from '../../core/ledger/reactions.ts';
import { type Configured, chatOf } from '../../core/signal/channels.ts';
import { loadNamed } from '../../core/store/load-named.ts';
import type { Log } from '../../core/store/log.ts';
import { acceptIntake, type ChatDeps } from '../chats/accept-intake.ts';
import { buttonsIn, buttonsKey } from './buttons-row.ts';
import { RIGHTS } from './channel.ts';
import { parseSignalEvent, readEvent, type SignalConfig } from './parse-event.ts';

export interface SignalDoorDeps extends ChatDeps {
  readonly rights: Configured;
  /** Only the program of this machine has it; without one no event is taken. */
  readonly secret: string | undefined;
  readonly log: Log;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isOurs = (given: string | undefined, secret: string | undefined): boolean =>
  secret !== undefined && timingSafeEqual(digest(given ?? ''), digest(`Bearer ${secret}`));

/** The stored state of the chat, its sender and the message that is replied to. */
const loadConfig = async (
  { table, config: { space }, rights, now }: SignalDoorDeps,
  event: unknown,
): Promise<SignalConfig> => {
  const heard = readEvent(event);
  if (typeof heard === 'string')
    return { space, now, allowedChats: new Set(), approvers: new Set(), pairedChats: new Set() };
  const { to, person, message } = heard;
  const chat = chatOf({ target: 'signal', to });
  const replied = message.quote?.id ?? 0;
  const asked = [...new Set([to, person])];
  const { owner, reactions, buttons, chats } = await loadNamed(table, {
    owner: ownerSettingsKey(space),
    reactions: reactionsKey(space, chat),
    buttons: buttonsKey(space, to, replied),
    chats: asked.map((id) => pairedChatKey(space, chatOf({ target: 'signal', to: id }))),
  });
  const settings = parseOwnerSettings(owner);
  const { chats: allowed, approvers } = rightsOf(RIGHTS, settings, rights);
  return {
    ...{ space, now },
    allowedChats: new Set(allowed),
    approvers: new Set(approvers),
    pairedChats: new Set(asked.filter((_, n) => isPaired(chats[n]))),
    isReplyToAgent: replied > 0 && (await isOwnMessage(table, space, { chat, message: replied }, now)),
    buttons: buttonsIn(buttons, now),
    reactions: reactionsIn(reactions, now),
    hearsAddressedOnly: chatSettingOf(settings, 'listen', chat) !== 'all',
  };
};

/** @param event a function URL event, payload 2.0 */
export const answerSignal = async (deps: SignalDoorDeps, event: unknown): Promise<HttpResponse> => {
  try {
    const { body, method, headers } = parseRequest(event);
    if (!isOurs(headers.authorization, deps.secret))
      throw new HttpError(401, 'unauthorized', 'the secret is missing or wrong');
    if (method !== 'POST') throw new HttpError(405, 'method', 'only POST is taken here');
    if (body.byteLength > BODY_BYTES_MAX) throw new HttpError(413, 'too-large', 'the event is too large');
    const given = parseJson('event', Buffer.from(body).toString('utf8'), z.unknown());
    const intake = await acceptIntake(deps, parseSignalEvent(given, await loadConfig(deps, given)));
    if (intake.kind === 'ignored') deps.log('info', 'event-ignored', { reason: intake.reason });
    return respondJson(200, { ok: true });
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof HttpError) return respondFailure(error);
    deps.log('error', 'event-not-stored', { reason: error instanceof PassepartoutError ? error.name : 'unexpected' });
    return respondJson(503, { error: { code: '503', message: 'it could not be stored just now: send it again' } });
  }
};
