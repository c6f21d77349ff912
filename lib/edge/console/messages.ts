/**
 * POST /api/messages {"text", "session"?, "idempotencyKey"?, "door"?} → 202 {"id"}, and
 * `acceptInput`, through which everything that is posted becomes a signal. A repeat with the same
 * key in the same session is the same signal, so a client may repeat a request whose answer it
 * lost. A script gets a 403 at once for a command it may not give.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { ProtocolError } from '../../base/errors.ts';
import { SIGNAL_TEXT_CHARS_MAX } from '../../base/limits.ts';
import { admitSignal } from '../../ledger/accept.ts';
import { COMMANDS, isCommandName } from '../../ledger/command-rights.ts';
import { setKillSwitch } from '../../ledger/kill-switch.ts';
import { findOperation } from '../../operations/read-words.ts';
import { mayDo } from '../../operations/rights.ts';
import { operationsIn, type Wing } from '../../operations/wing.ts';
import { commandLineSignalId, consoleSignalId } from '../../signal/ids.ts';
import {
  buildResume,
  type Payload,
  type ReplyRoute,
  SessionName,
  type Signal,
  type TextPiece,
} from '../../signal/signal.ts';
import { HttpError, type HttpResponse, respondJson, respondTooMany } from '../function-url.ts';
import { type ControlDeps, parseBody, type RouteCall, SESSION_NAME } from './router.ts';
import { type Caller, describeNeed, hasScope } from './tokens.ts';

export interface ConsoleInput {
  /** A new one unless given. */
  readonly id?: string;
  readonly caller: Caller;
  /** Name of one of the caller's own conversations; `main` unless given. */
  readonly conversation?: string;
  /** Another session than that conversation: an approval belongs to the one it was asked in. */
  readonly session?: string;
  /** Another route than the console: an editor reads no chat. */
  readonly reply?: ReplyRoute;
  readonly payload: Payload;
}

/** Prefix of all conversations of a script. */
export const namespaceOf = (name: string): string => `script:${name}:`;

/**
 * Full name of a caller's conversation. A script cannot name a conversation of the owner or of
 * another script.
 * @throws ProtocolError for one that is too long
 */
const sessionOf = (caller: Caller, conversation: string): string => {
  if (caller.kind === 'approver') return `console:${conversation}`;
  const session = `${namespaceOf(caller.name)}${conversation}`;
  if (SessionName.safeParse(session).success) return session;
  throw new ProtocolError(`session is too long: with "${caller.name}:" before it at most 60 characters are taken`);
};

const buildConsoleSignal = (deps: ControlDeps, input: ConsoleInput): Signal => {
  const { caller, conversation = 'main', id = consoleSignalId(deps.newId()), payload } = input;
  const session = sessionOf(caller, conversation);
  const isApprover = caller.kind === 'approver';
  return {
    schemaVersion: 1,
    id,
    type: 'EVENT',
    // The source `console` is the owner's word; `script` is untrusted.
    source: hasScope(caller, 'speak-as-owner') ? 'console' : 'script',
    space: deps.space,
    session: input.session ?? session,
    root: id,
    depth: 0,
    receivedAt: deps.now(),
    sender: { id: isApprover ? 'console-approver' : `script:${caller.name}`, isApprover },
    reply: input.reply ?? { target: 'console', to: isApprover ? conversation : session },
    payload,
  };
};

/**
 * Stores and publishes a signal; sets the kill switch first if it is a stop. An untrusted script's
 * stop is for its own conversation, and Perceive sets that.
 * @returns 202 with the signal's id; 429 to a script over its quota. @throws UnavailableError
 */
export const acceptInput = async (deps: ControlDeps, input: ConsoleInput): Promise<HttpResponse> => {
  const signal = buildConsoleSignal(deps, input);
  if (input.payload.sensor === 'interrupt' && hasScope(input.caller, 'speak-as-owner'))
    await setKillSwitch(deps.table, deps.space, { isStopped: true, by: signal.sender.id, at: signal.receivedAt });
  const admitted = await admitSignal(deps, signal);
  if (typeof admitted === 'object') return respondTooMany(admitted.limit, admitted.resetsAt, signal.receivedAt);
  if (input.caller.kind === 'script') deps.noteScript('script-accepted', input.caller.name, signal.id);
  return respondJson(202, { id: signal.id });
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

/** A path such as `/etc/hosts` is no command: a command is one plain word. */
const COMMAND = /^\/([A-Za-z][A-Za-z0-9_-]{0,31})(?:\s+([\s\S]*))?$/;

/** STOP in any case is an interrupt, `/word …` a command, anything else a message. */
const parseInput = (text: string, piece: Omit<TextPiece, 'text'>): Payload => {
  const trimmed = text.trim();
  if (trimmed.toUpperCase() === 'STOP') return { sensor: 'interrupt' };
  const command = COMMAND.exec(trimmed);
  if (command === null) return { sensor: 'chat-message', text: [{ text, ...piece }] };
  const name = (command[1] ?? '').toLowerCase();
  if (name === 'stop') return { sensor: 'interrupt' };
  if (name === 'resume') return buildResume(command[2] ?? '');
  return { sensor: 'command', name, rest: (command[2] ?? '').trim() };
};

/** Why a script may not say this; undefined if it may. Perceive checks the same table. */
const describeRefusal = (caller: Caller, payload: Payload, wings: readonly Wing[]): string | undefined => {
  if (payload.sensor === 'resume') return `/resume: ${describeNeed('approver')}`;
  if (payload.sensor !== 'command') return undefined;
  if (!hasScope(caller, 'speak-as-owner')) return `a command: ${describeNeed('speak-as-owner')}`;
  const { name, rest } = payload;
  const found = findOperation(operationsIn(wings), name, rest)?.operation;
  if (found !== undefined) return mayDo('owner', found) ? undefined : `/${name}: ${describeNeed('approver')}`;
  return isCommandName(name) && COMMANDS[name] === 'approver' ? `/${name}: ${describeNeed('approver')}` : undefined;
};

const originOf = (caller: Caller): Omit<TextPiece, 'text'> =>
  caller.kind === 'script' && !hasScope(caller, 'speak-as-owner')
    ? { origin: 'outside', label: `script ${caller.name}` }
    : { origin: 'owner' };

/**
 * Full session and key together, so that equal keys of two conversations or scripts stay two
 * messages.
 */
const hashKey = (session: string, key: string): string =>
  createHash('sha256').update(`${session}\n${key}`).digest('hex').slice(0, 40);

type SpeakDeps = ControlDeps & { readonly wings: readonly Wing[] };

/** What a caller says, once its right is checked. @throws HttpError 403 */
const accept = (
  deps: SpeakDeps,
  caller: Caller,
  payload: Payload,
  { conversation, idempotencyKey, isCommandLine }: Said,
): Promise<HttpResponse> => {
  const refusal = caller.kind === 'script' ? describeRefusal(caller, payload, deps.wings) : undefined;
  if (caller.kind === 'script' && refusal !== undefined) {
    deps.noteScript('script-refused', caller.name, payload.sensor);
    throw new HttpError(403, 'forbidden', refusal);
  }
  const session = sessionOf(caller, conversation);
  const key = idempotencyKey === undefined ? deps.newId() : hashKey(session, idempotencyKey);
  const isCommand = isCommandLine && payload.sensor === 'command';
  const id = isCommand ? commandLineSignalId(key) : consoleSignalId(key);
  return acceptInput(deps, { id, caller, conversation, payload });
};

interface Said {
  readonly conversation: string;
  readonly idempotencyKey?: string | undefined;
  /** No list shows it as something said in the conversation. */
  readonly isCommandLine: boolean;
}

export const postMessage = (deps: SpeakDeps, { request, caller }: RouteCall): Promise<HttpResponse> => {
  const { text, session: conversation = 'main', idempotencyKey, door } = parseBody(request, PostedMessage);
  const payload = parseInput(text, originOf(caller));
  return accept(deps, caller, payload, { conversation, idempotencyKey, isCommandLine: door === 'command-line' });
};

/** An operation that changes something, as the command that a chat sends. */
export const postCommand = (
  deps: SpeakDeps,
  caller: Caller,
  {
    noun,
    rest,
    session,
    idempotencyKey,
  }: {
    readonly noun: string;
    readonly rest: string;
    readonly session: string;
    readonly idempotencyKey?: string | undefined;
  },
): Promise<HttpResponse> =>
  accept(
    deps,
    caller,
    { sensor: 'command', name: noun, rest },
    { conversation: session, idempotencyKey, isCommandLine: true },
  );
