/**
 * Sends a text to a Slack conversation, as one message or several in order. `once`: Slack knows no
 * repeat of a message, so a part whose outcome nobody knows ends the delivery as `unknown`, and a
 * sent part is never sent again: `retry` names the sent ones. A draft is a message that the answer
 * replaces; which one it is, is stored, so that a restart leaves no second text.
 */
import * as z from 'zod/mini';
import { defined } from '../../core/base/defined.ts';
import { isRetryable, PassepartoutError } from '../../core/base/errors.ts';
import { HOUR_MS, SECOND_MS } from '../../core/base/limits.ts';
import type { Sender, SenderParts } from '../../core/channels/channel.ts';
import type { Action } from '../../core/signal/action.ts';
import type { ActuatorContext, ActuatorResult } from '../../core/signal/actuator.ts';
import { chatOf, chatSession } from '../../core/signal/channels.ts';
import { CHOSEN, MAY_BE_LOST, VOICE_NOTE } from '../../core/signal/ids.ts';
import type { ReplyRoute } from '../../core/signal/signal.ts';
import { sessionKey } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { buttonsOf, type DeliveryInput } from '../chats/buttons.ts';
import { buildWhole, cardFileOf, fileOf, type Sendable } from '../chats/files.ts';
import { formatMessage, formatText, splitText } from '../chats/format.ts';
import {
  buildSlackClient,
  isTokenRefused,
  type SlackBody,
  type SlackClientConfig,
  type SlackOutcome,
} from './client.ts';
import { fetchSlackFile, sendSlackFile } from './files.ts';
import { idIn, numberOf, type Place, SlackTs, tsOf } from './ids.ts';
import { isSlackId } from './parse-payload.ts';
import { messageBody } from './rich-text.ts';

/** A look for the person: it is tried once, for a short time. */
const SHOW_TIMEOUT_MS = 3 * SECOND_MS;
/** Slack takes about 50 changes of messages in a minute, cards among them. */
const DRAFT_INTERVAL_MS = 2 * SECOND_MS;
/** A draft that no answer has replaced by then is left alone. */
const DRAFT_KEEP_MS = HOUR_MS;
/** Ends a draft, so that nobody takes it for the whole. */
const GOES_ON = ' …';

interface SlackWays extends Pick<SenderParts, 'loadFile' | 'loadCard'> {
  readonly table: Pick<SenderParts['table'], 'put' | 'load'>;
  readonly space: string;
  readonly page?: string;
}

/** One message: a text, or a file. */
type Part = { readonly body: SlackBody } | { readonly file: Sendable };

const Sent = z.looseObject({ ts: SlackTs });

const resultOf = (outcome: SlackOutcome): ActuatorResult => {
  switch (outcome.kind) {
    case 'done':
      return { state: 'done', output: '', origin: 'agent' };
    case 'unknown':
      return { state: 'unknown', reason: outcome.reason };
    case 'unreached':
      return { state: 'retry', reason: outcome.reason };
    case 'refused': {
      const { error, retryAfterMs: afterMs } = outcome;
      if (afterMs !== undefined) return { state: 'retry', reason: 'Slack asks to wait', afterMs };
      if (isTokenRefused(outcome))
        return {
          state: 'retry',
          reason: 'Slack refuses the token in SLACK_BOT_TOKEN',
          because: { code: 'token-refused' },
        };
      return { state: 'failed', reason: `Slack refused the text: ${error}` };
    }
    default:
      return outcome satisfies never;
  }
};

const done = (messageIds: readonly number[]): ActuatorResult => ({
  state: 'done',
  output: JSON.stringify({ messageIds }),
  origin: 'agent',
});

const failure = (error: unknown): ActuatorResult => {
  if (!(error instanceof PassepartoutError)) throw error;
  return { state: isRetryable(error) ? 'retry' : 'failed', reason: error.message };
};

const Draft = z.object({ draftId: z.int(), ts: SlackTs, expiresAt: z.number() });

export const openSlackSender = (config: SlackClientConfig, ways: SlackWays): Sender => {
  const client = buildSlackClient(config);
  const direct = new Map<string, string>();
  const shownAt = new Map<string, number>();

  /** A person's direct message has an id of its own, which Slack gives as often as it is asked. */
  const channelOf = async (to = ''): Promise<string | ActuatorResult> => {
    const id = idIn(to);
    if (!/^[UW]/.test(id)) return id;
    const known = direct.get(id);
    if (known !== undefined) return known;
    const outcome = await client.call('conversations.open', { users: id });
    const { data } = z
      .looseObject({ channel: z.looseObject({ id: z.string() }) })
      .safeParse('result' in outcome ? outcome.result : {});
    if (data === undefined) {
      const result = resultOf(outcome);
      return result.state === 'unknown' ? { state: 'retry', reason: result.reason } : result;
    }
    direct.set(id, data.channel.id);
    return data.channel.id;
  };
  const threadOf = (topic: number | undefined) => defined({ thread_ts: topic === undefined ? undefined : tsOf(topic) });

  const draftKey = ({ to, topic }: Place) => {
    const { pk } = sessionKey(ways.space, chatSession(chatOf({ target: 'slack', to }), topic));
    return { pk, sk: 'draft' };
  };
  const loadDraft = async (place: Place) => {
    const { data } = Draft.safeParse(await loadItem(ways.table, draftKey(place)));
    return data !== undefined && data.expiresAt * 1000 > Date.now() ? data : undefined;
  };
  const keepDraft = (place: Place, draftId: number, ts: string, expiresAtMs: number) =>
    ways.table.put(draftKey(place), { schemaVersion: 1, draftId, ts, expiresAt: Math.ceil(expiresAtMs / 1000) });

  const partsOf = (action: Action, told: DeliveryInput): readonly Part[] => {
    const { texts, isWhole } = splitText(action.text ?? '', action.author === 'model');
    const rows = buttonsOf(action, told);
    const parts = texts.map((text, n) => ({
      body: messageBody(formatText(action, text), n === texts.length - 1 ? rows : []),
    }));
    return isWhole ? parts : [...parts, { file: buildWhole(action) }];
  };

  const edit = async (
    channel: string,
    action: Action,
    message: number,
    told: DeliveryInput,
  ): Promise<ActuatorResult> => {
    // A change replaces the words too, which are not known here: the choices stay, and do nothing.
    if (action.template === CHOSEN) return done([message]);
    const body = messageBody(formatText(action, action.text ?? ''), buttonsOf(action, told));
    const result = resultOf(await client.call('chat.update', { channel, ts: tsOf(message), ...body }));
    // A repeat shows the same.
    if (result.state === 'unknown') return { state: 'retry', reason: result.reason };
    return result.state === 'done' ? done([message]) : result;
  };

  /** The answer takes its draft's place. Undefined if there is none, or it is gone. */
  const replaceDraft = async (channel: string, place: Place, body: SlackBody): Promise<SlackOutcome | undefined> => {
    const draft = await loadDraft(place);
    if (draft === undefined) return undefined;
    const outcome = await client.call('chat.update', { channel, ts: draft.ts, ...body });
    if (outcome.kind === 'unknown') return { kind: 'unreached', reason: outcome.reason };
    if (outcome.kind === 'unreached' || (outcome.kind === 'refused' && outcome.retryAfterMs !== undefined))
      return outcome;
    await keepDraft(place, draft.draftId, draft.ts, 0);
    return outcome.kind === 'done' ? outcome : undefined;
  };

  const sendPart = async (channel: string, action: Action, part: Part, isFirst: boolean): Promise<SlackOutcome> => {
    const thread = threadOf(action.topic);
    if ('file' in part) return await sendSlackFile(client, { channel, ...thread }, part.file);
    const place = { to: action.to ?? '', ...defined({ topic: action.topic }) };
    const replaced = isFirst && action.author === 'model' ? await replaceDraft(channel, place, part.body) : undefined;
    return replaced ?? (await client.call('chat.postMessage', { channel, ...thread, ...part.body }));
  };

  const sendAll = async (
    channel: string,
    action: Action,
    parts: readonly Part[],
    sentIds: readonly number[],
  ): Promise<ActuatorResult> => {
    const messageIds = [...sentIds];
    for (const [n, part] of parts.entries()) {
      if (n < sentIds.length) continue;
      const outcome = await sendPart(channel, action, part, n === 0);
      const result = resultOf(outcome);
      if (result.state === 'retry') return { ...result, ...(messageIds.length === 0 ? {} : { sentIds: messageIds }) };
      if (result.state !== 'done') return result;
      // A file has no number of its own.
      const { data } = Sent.safeParse('result' in outcome ? outcome.result : undefined);
      messageIds.push(data === undefined ? 0 : numberOf(data.ts));
    }
    return done(messageIds.filter((id) => id !== 0));
  };

  const deliver = async (action: Action, context: ActuatorContext): Promise<ActuatorResult> => {
    if (action.template === VOICE_NOTE) return { state: 'failed', reason: 'Slack has no voice notes of programs' };
    const told = { ...context, isAsked: isSlackId, ...defined({ page: ways.page }) };
    const channel = await channelOf(action.to);
    if (typeof channel !== 'string') return channel;
    if (action.edits !== undefined) return await edit(channel, action, action.edits.message, told);
    if (action.template === MAY_BE_LOST) {
      const trouble = resultOf(await client.call('auth.test', {}));
      if (trouble.state !== 'done') return { state: 'retry', reason: 'Slack does not answer just now' };
    }
    const file = await fileOf(action, ways.loadFile);
    const cardFile = file === undefined ? await cardFileOf(action, ways.loadCard) : undefined;
    const before = cardFile === undefined ? [] : [{ file: cardFile }];
    const parts = file === undefined ? [...before, ...partsOf(action, told)] : [{ file }];
    if (parts.length === 0) return { state: 'failed', reason: 'there is no text to send' };
    return await sendAll(channel, action, parts, context.sentIds ?? []);
  };

  const showDraft = async ({ to, topic }: ReplyRoute, draftId: number, text: string): Promise<void> => {
    const place = { to, ...defined({ topic }) };
    const now = Date.now();
    if (now - (shownAt.get(to) ?? 0) < DRAFT_INTERVAL_MS) return;
    shownAt.set(to, now);
    const channel = await channelOf(to);
    const [beginning = ''] = splitText(text).texts;
    if (typeof channel !== 'string' || beginning === '') return;
    const body = messageBody(formatMessage(`${beginning}${GOES_ON}`, { hasMarkup: true, links: [] }));
    const shown = await loadDraft(place);
    if (shown?.draftId === draftId) {
      await client.call('chat.update', { channel, ts: shown.ts, ...body }, SHOW_TIMEOUT_MS);
      return;
    }
    const outcome = await client.call('chat.postMessage', { channel, ...threadOf(topic), ...body }, SHOW_TIMEOUT_MS);
    const { data } = Sent.safeParse('result' in outcome ? outcome.result : undefined);
    if (data !== undefined) await keepDraft(place, draftId, data.ts, now + DRAFT_KEEP_MS);
  };

  return {
    actuator: { kind: 'once', deliver: (action, context) => deliver(action, context).catch(failure) },
    sendDraft: (...draft) =>
      showDraft(...draft).catch((error: unknown) => {
        if (!(error instanceof PassepartoutError)) throw error;
      }),
    // Slack shows it below a thread until a message comes there.
    sendTyping: async ({ to, topic }) => {
      if (topic === undefined) return;
      const channel = await channelOf(to);
      if (typeof channel !== 'string') return;
      const body = { channel_id: channel, thread_ts: tsOf(topic), status: '…' };
      await client.call('assistant.threads.setStatus', body, SHOW_TIMEOUT_MS);
    },
    fetchFile: (...file) => fetchSlackFile(client, ...file),
  };
};
