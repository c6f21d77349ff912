/**
 * The HTTP side of the Telegram ingress: the secret token in constant time, the body's bound, and what each outcome is
 * answered with. Nothing of an update is logged.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { PassepartoutError, ProtocolError } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import { BODY_BYTES_MAX } from '../../base/limits.ts';
import type { Log } from '../../store/log.ts';
import { type HttpResponse, parseRequest, respondJson } from '../function-url.ts';
import { type IntakeDeps, takeUpdate } from './telegram-intake.ts';
import { typingAnswer } from './telegram-update.ts';

export interface TelegramHttpDeps extends IntakeDeps {
  /** What Telegram was told to send along; without one nothing is let in. */
  readonly secret: string | undefined;
  readonly log: Log;
}

const Headers = z.object({ headers: z.optional(z.record(z.string(), z.optional(z.string()))) });

const isSame = (given: string, expected: string): boolean => {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
};

export const answerTelegram = async (deps: TelegramHttpDeps, event: unknown): Promise<HttpResponse> => {
  try {
    const { body, method } = parseRequest(event);
    const headers = Headers.safeParse(event);
    const token = headers.success ? (headers.data.headers?.['x-telegram-bot-api-secret-token'] ?? '') : '';
    if (deps.secret === undefined || !isSame(token, deps.secret))
      return refuse(401, 'the secret token is missing or wrong');
    if (method !== 'POST') return refuse(405, 'only POST is taken here');
    if (body.byteLength > BODY_BYTES_MAX) return refuse(413, 'the update is too large');
    const update = parseJson('update', Buffer.from(body).toString('utf8'), z.unknown());
    const intake = await takeUpdate(deps, update);
    if (intake.kind === 'ignored') deps.log('info', 'update-ignored', { reason: intake.reason });
    return respondJson(200, typingAnswer(update, intake) ?? { ok: true });
  } catch (error) {
    if (error instanceof ProtocolError) return refuse(400, error.problem);
    deps.log('error', 'update-not-stored', { reason: error instanceof PassepartoutError ? error.name : 'unexpected' });
    return refuse(503, 'it could not be stored just now: send it again');
  }
};

const refuse = (status: number, message: string): HttpResponse =>
  respondJson(status, { error: { code: String(status), message } });
