/**
 * POST /api/messages {"text", "session"?, "idempotencyKey"?} → 202 {"id"}. The same key in the same
 * session always means the same signal, so that a client may repeat a request whose answer it lost.
 * A script is told at once, with a 403, of a command it may not give.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { SIGNAL_TEXT_CHARS_MAX } from '../../base/limits.ts';
import { isCommandName, neededFor } from '../../ledger/command-rights.ts';
import { consoleSignalId } from '../../signal/ids.ts';
import type { Payload, TextPiece } from '../../signal/signal.ts';
import { HttpError, type HttpResponse } from '../function-url.ts';
import { acceptInput, sessionOf } from './accept-input.ts';
import { SESSION_NAME } from './console-ids.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';
import { parseBody } from './parse-body.ts';
import { parseInput } from './parse-input.ts';
import { type Caller, describeNeed, hasScope } from './tokens.ts';

/** Idempotency keys of console messages: UUIDs and names, not documents. */
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
});
export type PostedMessage = z.infer<typeof PostedMessage>;

/**
 * Key of a message's id: full session and key together, so that equal keys of two conversations, or
 * of two scripts, stay two messages.
 */
const idempotentKey = (session: string, key: string): string =>
  createHash('sha256').update(`${session}\n${key}`).digest('hex').slice(0, 40);

/**
 * What a caller may not say, in words; undefined for all that it may. The table is Perceive's.
 * Pure.
 */
const refusalOf = (caller: Caller, payload: Payload): string | undefined => {
  if (payload.sensor === 'resume') return `/resume: ${describeNeed('approver')}`;
  if (payload.sensor !== 'command') return undefined;
  if (!hasScope(caller, 'speak-as-owner')) return `a command: ${describeNeed('speak-as-owner')}`;
  const { name, rest } = payload;
  return isCommandName(name) && neededFor(name, rest) === 'approver'
    ? `/${name}: ${describeNeed('approver')}`
    : undefined;
};

const pieceOf = (caller: Caller): Omit<TextPiece, 'text'> =>
  caller.kind === 'script' && !hasScope(caller, 'speak-as-owner')
    ? { origin: 'outside', label: `script ${caller.name}` }
    : { origin: 'owner' };

export const postMessage = (deps: ConsoleDeps, { request, caller }: RouteCall): Promise<HttpResponse> => {
  const { text, session: conversation = 'main', idempotencyKey } = parseBody(request, PostedMessage);
  const payload = parseInput(text, pieceOf(caller));
  const refusal = caller.kind === 'script' ? refusalOf(caller, payload) : undefined;
  if (caller.kind === 'script' && refusal !== undefined) {
    deps.noteScript('script-refused', caller.name, payload.sensor);
    throw new HttpError(403, 'forbidden', refusal);
  }
  const session = sessionOf(caller, conversation);
  const key = idempotencyKey === undefined ? deps.newId() : idempotentKey(session, idempotencyKey);
  return acceptInput(deps, { id: consoleSignalId(key), caller, conversation, payload });
};
