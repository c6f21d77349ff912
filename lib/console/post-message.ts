/**
 * POST /api/messages {"text", "session"?, "idempotencyKey"?} → 202 {"id"}. The same key in the same session always means
 * the same signal, so that a client may repeat a request whose answer it lost.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { HttpResponse } from '../http/function-url.ts';
import { IDEMPOTENCY_KEY_CHARS_MAX, SIGNAL_TEXT_CHARS_MAX } from '../limits.ts';
import { consoleSignalId } from '../signal/ids.ts';
import { acceptInput } from './accept-input.ts';
import { SESSION_NAME } from './console-ids.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';
import { parseBody } from './parse-body.ts';
import { parseInput } from './parse-input.ts';

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

/** Key of a message's id: session and key together, so that equal keys of two conversations stay two messages. */
export const idempotentKey = (session: string, key: string): string =>
  createHash('sha256').update(`${session}\n${key}`).digest('hex').slice(0, 40);

export const postMessage = (deps: ConsoleDeps, { request, role }: RouteCall): Promise<HttpResponse> => {
  const message = parseBody(request, PostedMessage);
  const session = message.session ?? 'main';
  const key = message.idempotencyKey === undefined ? deps.newId() : idempotentKey(session, message.idempotencyKey);
  return acceptInput(deps, {
    id: consoleSignalId(key),
    session: `console:${session}`,
    replyTo: session,
    role,
    payload: parseInput(message.text),
  });
};
