/**
 * The HTTP side of the webhooks: 202 with the signal's id once it is stored (for repeats too), 4xx
 * with plain words, 429 over the source's quota or the bound of unproven posts, and 503 if it could
 * not be stored, so that the sender sends it again. Of a post without a proof neither the body nor
 * the table is read. Nothing of a body is logged.
 */

import { ConfigError } from '../../../core/base/errors.ts';
import type { CountUnproven } from '../../../core/http/count-unproven.ts';
import {
  type HttpResponse,
  parseRequest,
  respondFailure,
  respondJson,
  respondJsonText,
  respondText,
  respondTooMany,
  respondTooOften,
} from '../../../core/http/function-url.ts';
import { admitSignal } from '../../../core/ledger/accept.ts';
import type { EventDoorDeps, EventSettings } from '../../../core/operations/event-door.ts';
import { refusalTexts, sayRefusal } from '../refusal-texts.ts';
import { NO_SUCH_NAME, type Noted, type NoteUnproven, type UnprovenCure } from '../unproven-requests.ts';
import { carriesProof, readHookPath } from './door.ts';
import { type Handshake, STALE } from './scheme.ts';
import { parseSources, type Sources } from './sources.ts';
import { buildHello, type ParsedWebhook, parseWebhookRequest } from './webhook-event.ts';

export interface WebhookHttpDeps extends EventDoorDeps {
  readonly noteUnproven: NoteUnproven;
  readonly countUnproven: CountUnproven;
  /** Gets a small text over https, such as a sender's certificate. */
  readonly fetchText: (url: string) => Promise<string>;
}

/** Stands for the body of a post without a proof: the reason why it is refused needs no more. */
const UNREAD = new Uint8Array();
const NO_SETTINGS: EventSettings = { homeChat: undefined };
type Refused = Extract<ParsedWebhook, { readonly kind: 'refused' }>;
type RefusalNote = Pick<Noted, 'refusal' | 'cure'>;

const CODES = {
  400: 'malformed',
  401: 'unauthorized',
  404: 'not-found',
  405: 'method-not-allowed',
  413: 'too-large',
} as const;

const refuse = (status: keyof typeof CODES, message: string): HttpResponse =>
  respondJson(status, { error: { code: CODES[status], message } });

const cureOf = ({ status, reason }: Refused): UnprovenCure => {
  if (status === 400) return 'body';
  return reason === STALE ? 'time' : 'secret';
};

/** The sender gets the same answer whether or not this can be stored, and for any name. */
const note = async ({ log, noteUnproven }: WebhookHttpDeps, source: string, told: RefusalNote, now: number) => {
  const { refusal, cure } = told;
  log('warn', 'webhook-refused', { source, reason: sayRefusal(refusalTexts.en, refusal) });
  await noteUnproven(source, refusal, now, cure).catch((error: unknown) =>
    log('warn', 'webhook-refusal-not-counted', { kind: error instanceof Error ? error.name : typeof error }),
  );
};

const answerRefusal = async (
  deps: WebhookHttpDeps,
  name: string,
  refused: Refused,
  { sources, problems }: Sources,
  now: number,
): Promise<HttpResponse> => {
  const { status, error, reason } = refused;
  if (reason === undefined) return refuse(status, error);
  const endsAt = status === 401 ? deps.countUnproven(name, now) : undefined;
  if (endsAt !== undefined) return respondTooOften(endsAt, now);
  // An entry with a mistake opens nothing, and its owner has to hear why.
  const mistake = problems.find((one) => one.startsWith(`${name} `));
  const isConfigured = sources.has(name) || mistake !== undefined;
  const told: RefusalNote =
    mistake === undefined
      ? { refusal: reason, cure: cureOf(refused) }
      : { refusal: ['mistake', mistake], cure: 'secret' };
  await note(deps, isConfigured ? name : NO_SUCH_NAME, told, now);
  return refuse(status, error);
};

const answerHandshake = ({ text, isJson, headers }: Handshake): HttpResponse => {
  const status = text === '' ? 204 : 200;
  return isJson ? respondJsonText(text, status, headers) : respondText(text, status, headers);
};

/** @param event a function URL event, payload 2.0 */
export const answerWebhook = async (deps: WebhookHttpDeps, event: unknown): Promise<HttpResponse> => {
  try {
    // 1. The path names the source, and the head tells whether there may be a proof.
    const request = parseRequest(event);
    const { method, headers, query } = request;
    const path = readHookPath(request.path);
    if (path === undefined) return refuse(404, 'there is nothing at this path');
    const now = deps.now();
    const { sources, problems } = parseSources((await deps.readSecrets(now)).get('WEBHOOK_SECRETS'));
    if (sources.size === 0 && problems.length > 0)
      throw new ConfigError(problems.map((one) => `WEBHOOK_SECRETS ${one}`));
    const carries = carriesProof({ headers, pathToken: path.pathToken }, sources);
    const isRead = method === 'POST' && carries;
    // 2. Verify and parse.
    const { space, fetchText } = deps;
    const settings = carries || method === 'GET' ? await deps.loadSettings() : NO_SETTINGS;
    const hook = { method, headers, query, bytes: isRead ? request.body : UNREAD, ...path };
    const parsed = await parseWebhookRequest({ ...hook, ...settings, space, fetchText, sources, now });
    if (parsed.kind === 'answer') {
      await admitSignal(deps, buildHello({ name: path.name, now, space, ...settings }));
      return answerHandshake(parsed.answer);
    }
    if (parsed.kind === 'refused') return await answerRefusal(deps, path.name, parsed, { sources, problems }, now);
    // 3. Accept.
    const admitted = await admitSignal(deps, parsed.signal);
    // 4. Answer.
    if (typeof admitted === 'object') return respondTooMany(admitted.limit, admitted.resetsAt, now);
    return respondJson(202, { id: parsed.signal.id });
  } catch (error) {
    deps.log('error', 'webhook-not-accepted', { kind: error instanceof Error ? error.name : typeof error });
    return respondFailure(error);
  }
};
