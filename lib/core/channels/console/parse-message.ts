/**
 * A message to the console, over HTTP, as a signal. The source `console` is the owner's word;
 * `script` is a program that may not speak for the owner. A repeat with the same key in the same
 * session is the same signal. Pure.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { ProtocolError } from '../../base/errors.ts';
import { describeIssues } from '../../base/json.ts';
import { SIGNAL_TEXT_CHARS_MAX } from '../../base/limits.ts';
import { commandLineSignalId, consoleSignalId } from '../../signal/ids.ts';
import { type Payload, type ReplyRoute, SessionName, SIGNAL_SCHEMA_VERSION, type Signal } from '../../signal/signal.ts';
import type { Intake } from '../channel.ts';
import { payloadOfTyped, readTyped } from '../read-typed.ts';

/** The speaker, as the token says. */
export type ConsoleSpeaker =
  | { readonly kind: 'approver' }
  /** `isOwner`: its words count as the owner's. */
  | { readonly kind: 'script'; readonly name: string; readonly isOwner: boolean };

export interface ConsoleConfig {
  readonly space: string;
  readonly now: number;
  readonly speaker: ConsoleSpeaker;
  /** The id of a message without a key of its own. */
  readonly newId: () => string;
}

export const SESSION_NAME = /^[A-Za-z0-9_.:-]{1,60}$/;

/** Prefix of all conversations of a script. */
export const namespaceOf = (name: string): string => `script:${name}:`;

/** A script cannot name another's conversation. @throws ProtocolError for one too long */
const sessionOf = (speaker: ConsoleSpeaker, conversation: string): string => {
  if (speaker.kind === 'approver') return `console:${conversation}`;
  const session = `${namespaceOf(speaker.name)}${conversation}`;
  if (SessionName.safeParse(session).success) return session;
  throw new ProtocolError(`session is too long: with "${speaker.name}:" before it at most 60 characters are taken`);
};

export interface ConsoleInput {
  /** A new one unless given. */
  readonly id?: string;
  /** Name of one of the speaker's own conversations; `main` unless given. */
  readonly conversation?: string;
  /** Another session than that conversation: an approval belongs to the one it was asked in. */
  readonly session?: string;
  /** Another route than the console: an editor reads no chat. */
  readonly reply?: ReplyRoute;
  readonly payload: Payload;
}

export const buildConsoleSignal = ({ space, now, speaker, newId }: ConsoleConfig, input: ConsoleInput): Signal => {
  const { conversation = 'main', id = consoleSignalId(newId()), payload } = input;
  const session = sessionOf(speaker, conversation);
  const isApprover = speaker.kind === 'approver';
  return {
    schemaVersion: SIGNAL_SCHEMA_VERSION,
    id,
    type: 'EVENT',
    source: isApprover || speaker.isOwner ? 'console' : 'script',
    space,
    session: input.session ?? session,
    root: id,
    depth: 0,
    receivedAt: now,
    sender: { id: isApprover ? 'console-approver' : `script:${speaker.name}`, isApprover },
    reply: input.reply ?? { target: 'console', to: isApprover ? conversation : session },
    payload,
  };
};

/** Idempotency keys are UUIDs and names, not documents. */
const IDEMPOTENCY_KEY_CHARS_MAX = 200;

const wellFormed = z.refine<string>((text) => text.isWellFormed(), { error: 'holds a lone surrogate' });

export const PostedMessage = z.strictObject({
  text: z.string().check(
    z.refine<string>((text) => text.trim() !== '', { error: 'must not be empty' }),
    z.maxLength(SIGNAL_TEXT_CHARS_MAX),
    wellFormed,
  ),
  session: z.optional(z.string().check(z.regex(SESSION_NAME, { error: 'must be 1-60 of A-Z a-z 0-9 _ . : -' }))),
  idempotencyKey: z.optional(z.string().check(z.minLength(1), z.maxLength(IDEMPOTENCY_KEY_CHARS_MAX), wellFormed)),
  /** A command of the command line, which no list shows as something said in the conversation. */
  door: z.optional(z.literal('command-line')),
});

interface Said {
  readonly conversation: string;
  readonly idempotencyKey?: string | undefined;
  /** A command that no list shows as something said in the conversation. */
  readonly isCommandLine: boolean;
}

/** Of the full session too: equal keys of two conversations stay two messages. */
const hashKey = (session: string, key: string): string =>
  createHash('sha256').update(`${session}\n${key}`).digest('hex').slice(0, 40);

/** A stop, a command or words. @throws ProtocolError for a session that is too long */
export const buildSaid = (config: ConsoleConfig, payload: Payload, said: Said): Signal => {
  const { conversation, idempotencyKey, isCommandLine } = said;
  const session = sessionOf(config.speaker, conversation);
  const key = idempotencyKey === undefined ? config.newId() : hashKey(session, idempotencyKey);
  const isCommand = isCommandLine && payload.sensor === 'command';
  const id = isCommand ? commandLineSignalId(key) : consoleSignalId(key);
  return buildConsoleSignal(config, { id, conversation, payload });
};

export const wordsOf = (text: string, speaker: ConsoleSpeaker): Payload => {
  const isOutside = speaker.kind === 'script' && !speaker.isOwner;
  const piece = isOutside
    ? ({ origin: 'outside', label: `script ${speaker.name}` } as const)
    : { origin: 'owner' as const };
  return { sensor: 'chat-message', text: [{ text, ...piece }] };
};

export const parseConsoleMessage = (update: unknown, config: ConsoleConfig): Extract<Intake, { kind: 'signal' }> => {
  const { data, error } = PostedMessage.safeParse(update);
  if (data === undefined) throw new ProtocolError(describeIssues(error.issues));
  const { text, session: conversation = 'main', idempotencyKey, door } = data;
  const payload = payloadOfTyped(readTyped(text)) ?? wordsOf(text, config.speaker);
  const said = { conversation, idempotencyKey, isCommandLine: door === 'command-line' };
  return { kind: 'signal', signal: buildSaid(config, payload, said) };
};
