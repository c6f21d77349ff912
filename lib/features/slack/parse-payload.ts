/**
 * Turns one payload of Slack into the one signal it means, or says why it means none. Pure; one
 * payload always gives the same signal id. Authority comes only from the ids of workspace, person
 * and conversation, which Slack vouches for. Bots are never answered, so no two programs talk in a
 * loop. People of other workspaces and shared channels stay outside.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { defined } from '../../core/base/defined.ts';
import { parseWith, readJson } from '../../core/base/json.ts';
import { type Language, USUAL_LANGUAGE } from '../../core/base/language.ts';
import type { Intake, Parse } from '../../core/channels/channel.ts';
import { payloadOfTyped, readTyped } from '../../core/channels/read-typed.ts';
import { chatOf } from '../../core/signal/channels.ts';
import { CHOSEN } from '../../core/signal/ids.ts';
import type { Payload, Sender } from '../../core/signal/signal.ts';
import { buildChatSignal } from '../chats/chat-signal.ts';
import { askedWhy, parseTapData } from '../chats/parse-tap.ts';
import { numberOf, type Place, placeIn } from './ids.ts';
import {
  HomeOpened,
  SlackEdit,
  SlackEvent,
  SlackMessage,
  SlackReaction,
  SlackSubmission,
  SlackTap,
} from './payload-schema.ts';
import { SLACK_TEXTS } from './texts.ts';
import { buildTextPieces, decode, ingestPieces, typedText } from './words.ts';

export interface SlackConfig {
  readonly space: string;
  /** Of the conversation and its person's direct message, the places that are paired. */
  readonly paired: ReadonlySet<string>;
  /** Emoji that were put on messages of the conversation since the last one came. */
  readonly reactions?: readonly string[];
  /** The one that was chosen for the conversation; absent if none was. */
  readonly language?: Language | undefined;
  readonly now: number;
}

/** The one callback of our modals. */
export const DECIDE = 'decide';
/** The decision that a modal's button sends. Slack gives it back as it was. */
export const ModalData = z.object({
  data: z.string().check(z.maxLength(128)),
  to: z.string().check(z.maxLength(64)),
  message: z.int(),
  topic: z.optional(z.int()),
});
export type ModalData = z.infer<typeof ModalData>;

const PAIRING_CODE_CHARS_MAX = 64;
/** Kinds of messages that a person writes; all others are of Slack itself. */
const WRITTEN: readonly string[] = ['file_share', 'thread_broadcast'];

const ignored = (reason: string): Intake => ({ kind: 'ignored', reason });
const idOf = (kind: string, ...parts: readonly string[]): string =>
  `sl-${kind}-${createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 40)}`;
/** It began with something that a person did in Slack. */
export const isSlackId = (id: string): boolean => id.startsWith('sl-');

const isDirect = (channel: string): boolean => channel.startsWith('D');
/** A direct message is named by its person, so that a person's rights are found by it. */
const placeOf = (team: string, channel: string, user: string): string =>
  placeIn(team, isDirect(channel) ? user : channel);

/** A person whose direct message is paired may approve, there and in channels. */
const senderOf = (team: string, user: string, { paired }: SlackConfig): Sender => ({
  id: `slack:${placeIn(team, user)}`,
  isApprover: paired.has(placeIn(team, user)),
});

const signalOf = (
  id: string,
  place: Place,
  sender: Sender,
  payload: Payload,
  { space, now: receivedAt }: SlackConfig,
): Extract<Intake, { kind: 'signal' }> => ({
  kind: 'signal',
  signal: buildChatSignal({ channel: 'slack', id, space, place, sender, receivedAt, payload }),
});

/** In a channel each mention begins a thread, which is a conversation of its own. */
const topicOf = ({ channel, thread_ts: thread, ts }: SlackMessage): number | undefined => {
  if (isDirect(channel)) return thread === undefined ? undefined : numberOf(thread);
  return numberOf(thread ?? ts);
};

/** The message of an event, or the changed one within it. */
const messageIn = ({ event }: SlackEvent): { readonly message: SlackMessage; readonly isEdit: boolean } | undefined => {
  if (event.type !== 'message' && event.type !== 'app_mention') return undefined;
  const { data: edit } = SlackEdit.safeParse(event);
  const { channel, channel_type } = edit ?? event;
  const { data } = SlackMessage.safeParse(edit === undefined ? event : { ...edit.message, channel, channel_type });
  return data === undefined ? undefined : { message: data, isEdit: edit !== undefined };
};

const selfIn = ({ authorizations }: SlackEvent): string => authorizations[0]?.user_id ?? '';

/** Why nobody is answered; undefined for a person's own words to the agent. */
const whyIgnored = (envelope: SlackEvent, message: SlackMessage, isEdit: boolean): string | undefined => {
  const { bot_id: bot, app_id: app, subtype, user, edited, channel } = message;
  const team = message.user_team ?? message.team ?? message.source_team ?? envelope.team_id;
  const isMention = envelope.event.type === 'app_mention';
  if (bot || app || user === selfIn(envelope) || user === 'USLACKBOT') return 'a message of a bot';
  if (team !== envelope.team_id) return 'a message from another workspace';
  if (subtype && !WRITTEN.includes(subtype)) return 'a service message';
  if (isMention === isDirect(channel)) return 'a message that is not addressed to the agent';
  if (isEdit !== (edited !== undefined) || (isMention && isEdit)) return 'an edit that corrects nothing';
  return undefined;
};

const payloadOf = (
  message: SlackMessage,
  envelope: SlackEvent,
  isApprover: boolean,
  isEdit: boolean,
  { reactions = [] }: SlackConfig,
): Payload => {
  const self = selfIn(envelope);
  const typed = readTyped(typedText(decode(message.text, self).text));
  const isIngest = typed.kind === 'command' && typed.name === 'ingest' && typed.rest === '';
  const ingest = isIngest && isApprover && !isEdit ? ingestPieces(message) : [];
  if (ingest.length > 0) return { sensor: 'chat-message', text: [...ingest] };
  const payload = isEdit && typed.kind === 'command' ? undefined : payloadOfTyped(typed);
  if (payload !== undefined) return payload;
  const isPrivate = isDirect(message.channel);
  const reading = { self, team: envelope.team_id, isApprover, isPrivate, isEdit, reactions };
  return { sensor: 'chat-message', text: [...buildTextPieces(message, reading)] };
};

/** `pair <code>` counts with `!`, with `/` and alone: Slack itself reads what begins with `/`. */
const PAIR = /^[!/]?pair\b[\s:]*(.*)$/is;

const parseMessage = (envelope: SlackEvent, config: SlackConfig): Intake => {
  const { team_id: team, event_id: id } = envelope;
  const { message, isEdit } = messageIn(envelope) ?? {};
  if (message === undefined || isEdit === undefined) return ignored('a message of another kind');
  const reason = whyIgnored(envelope, message, isEdit);
  if (reason !== undefined) return ignored(reason);
  const { channel, user, ts } = message;
  const place = { to: placeOf(team, channel, user), ...defined({ topic: topicOf(message) }) };
  if (!config.paired.has(place.to)) {
    const [, code] = PAIR.exec(decode(message.text, selfIn(envelope)).text.trim()) ?? [];
    const pairingCode = code?.slice(0, PAIRING_CODE_CHARS_MAX).toWellFormed();
    return { kind: 'unpaired', signalId: `sl-${id}`, place, userId: placeIn(team, user), ...defined({ pairingCode }) };
  }
  const sender = senderOf(team, user, config);
  const payload = payloadOf(message, envelope, sender.isApprover, isEdit, config);
  const intake = signalOf(`sl-${id}`, place, sender, payload, config);
  if (payload.sensor !== 'chat-message') return intake;
  return { ...intake, number: isEdit ? { corrects: numberOf(ts) } : { message: numberOf(ts) } };
};

/** The person of a direct message alone: a channel's reactions are talk of others. */
const parseReaction = ({ team_id: team, event }: SlackEvent, config: SlackConfig): Intake => {
  const { data } = SlackReaction.safeParse(event);
  const to = placeIn(team, data?.user ?? '');
  if (data === undefined || !isDirect(data.item.channel) || !config.paired.has(to))
    return ignored('a reaction outside of a paired direct message');
  const reaction = {
    chat: chatOf({ target: 'slack', to }),
    message: numberOf(data.item.ts),
    emoji: `:${data.reaction}:`,
  };
  return { kind: 'ignored', reason: 'a reaction, which the next message brings along', reaction };
};

const refused = (reason: string, say: string): Intake => ({ kind: 'ignored', reason, say });

interface Decision extends ModalData {
  readonly id: string;
  readonly sender: Sender;
}

/** The signal of a tap or of a modal's button, whichever carries it. */
const parseDecision = ({ id, sender, data, to, message, topic }: Decision, config: SlackConfig): Intake => {
  const say = SLACK_TEXTS[config.language ?? USUAL_LANGUAGE];
  if (!config.paired.has(to)) return refused('a tap in a conversation that is not served', say.notPaired);
  if (data === CHOSEN) return refused('a tap on a question that is answered', say.answered);
  const chat = chatOf({ target: 'slack', to });
  const signalId = askedWhy(data);
  if (signalId !== undefined)
    return sender.isApprover
      ? { kind: 'asks-why', signalId, chat, language: config.language ?? USUAL_LANGUAGE }
      : refused('a tap of somebody who may not see why', say.mayNotSee);
  const payload = parseTapData(data, chat, message);
  if (payload === undefined) return refused('a tap on a button that is not one of ours', say.notMine);
  if (payload.sensor === 'approval-decision' && !sender.isApprover)
    return refused('a tap of somebody who may not decide', say.mayNotDecide);
  return signalOf(id, { to, ...defined({ topic }) }, sender, payload, config);
};

/** The place, the words and the moment of a tap; undefined for a person of another workspace. */
const readTap = ({ team, user, channel, message, actions }: SlackTap): Omit<Decision, 'sender'> | undefined => {
  if (user.team_id !== team.id) return undefined;
  const { ts, thread_ts: thread } = message;
  const [{ value = '', action_ts: at } = { action_ts: '' }] = actions;
  const to = placeOf(team.id, channel.id, user.id);
  const topic = thread === undefined || thread === ts ? undefined : numberOf(thread);
  return { id: idOf('tap', to, user.id, ts, value, at), data: value, to, message: numberOf(ts), ...defined({ topic }) };
};

const readSubmission = ({ team, user, view }: SlackSubmission): Omit<Decision, 'sender'> | undefined => {
  const { data } = ModalData.safeParse(readJson(view.private_metadata));
  if (user.team_id !== team.id || view.callback_id !== DECIDE || data === undefined) return undefined;
  return { ...data, id: idOf('view', team.id, view.id, data.data) };
};

const findDecision = (payload: unknown, config: SlackConfig): Decision | undefined => {
  const tap = SlackTap.safeParse(payload).data;
  const submission = SlackSubmission.safeParse(payload).data;
  const read = tap === undefined ? submission && readSubmission(submission) : readTap(tap);
  const { team, user } = tap ?? submission ?? {};
  if (read === undefined || team === undefined || user === undefined) return undefined;
  return { ...read, sender: senderOf(team.id, user.id, config) };
};

/**
 * A tap that permits something: it does not count before its person has the exact bytes in a modal.
 * Undefined for any other payload, and for whoever may not decide.
 */
export const findPermission = (payload: unknown, config: SlackConfig) => {
  const tap = SlackTap.safeParse(payload).data;
  const decision = tap && findDecision(payload, config);
  const intake = decision && parseDecision(decision, config);
  if (tap === undefined || decision === undefined || intake?.kind !== 'signal') return undefined;
  const { payload: wanted } = intake.signal;
  const isYes = wanted.sensor === 'approval-decision' && ['approve', 'allow-similar'].includes(wanted.decision);
  const { data, to, message, topic } = decision;
  return isYes ? { wanted, triggerId: tap.trigger_id, modal: { data, to, message, ...defined({ topic }) } } : undefined;
};

/** The place of a payload, its person's direct message, and where that person is told something. */
export const placesOf = (payload: unknown) => {
  const { data: envelope } = SlackEvent.safeParse(payload);
  const tap = SlackTap.safeParse(payload).data;
  const submission = SlackSubmission.safeParse(payload).data;
  const team = envelope?.team_id ?? (tap ?? submission)?.team.id;
  const { message } = (envelope && messageIn(envelope)) ?? {};
  const reaction = envelope && SlackReaction.safeParse(envelope.event).data;
  const home = envelope && HomeOpened.safeParse(envelope.event).data;
  const user = message?.user ?? reaction?.user ?? home?.user ?? (tap ?? submission)?.user.id;
  if (team === undefined || user === undefined) return undefined;
  const channel = message?.channel ?? reaction?.item.channel ?? tap?.channel.id;
  const to = channel === undefined ? submission && readSubmission(submission)?.to : placeOf(team, channel, user);
  return {
    to: to ?? placeIn(team, user),
    person: placeIn(team, user),
    user,
    ...defined({ channel, home: home && user, thread: tap?.message.thread_ts }),
  };
};

const isOutside = ({ is_ext_shared_channel: isShared, authorizations }: SlackEvent): boolean =>
  isShared === true || authorizations.some(({ is_enterprise_install: isOrg }) => isOrg === true);

/** @throws ProtocolError */
export const parseSlackPayload: Parse<SlackConfig> = (payload, config) => {
  const { type } = parseWith('Slack payload', payload, z.looseObject({ type: z.string() }));
  if (type === 'event_callback') {
    const envelope = parseWith('Slack event', payload, SlackEvent);
    if (isOutside(envelope)) return ignored('a conversation that is shared with another workspace');
    return envelope.event.type === 'reaction_added' ? parseReaction(envelope, config) : parseMessage(envelope, config);
  }
  const decision = findDecision(payload, config);
  return decision === undefined ? ignored('a payload of another kind') : parseDecision(decision, config);
};
