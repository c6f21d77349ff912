/**
 * The HTTP side of the webhooks: 202 with the signal's id once it is stored (for repeats too), 4xx
 * with plain words, 429 over the source's quota, and 503 if it could not be stored, so that the
 * sender sends it again. Nothing of a body is logged.
 */

import { ConfigError } from '../../base/errors.ts';
import {
  type HttpResponse,
  parseRequest,
  respondFailure,
  respondJson,
  respondJsonText,
  respondText,
  respondTooMany,
} from '../../http/function-url.ts';
import { type AdmitDeps, admitSignal } from '../../ledger/accept.ts';
import { NO_SUCH_NAME, type NoteUnproven } from '../../ledger/unproven-requests.ts';
import type { ReplyRoute } from '../../signal/signal.ts';
import type { Log } from '../../store/log.ts';
import type { Secrets } from '../../store/secrets.ts';
import { parseSources } from './sources.ts';
import { buildHello, parseWebhookRequest, type WebhookRequest } from './webhook-event.ts';

export interface WebhookHttpDeps extends AdmitDeps {
  readonly space: string;
  readonly homeChat: string | undefined;
  readonly defaultActuator?: ReplyRoute['target'] | undefined;
  readonly eventForms?: WebhookRequest['eventForms'];
  readonly readSecrets: (now: number) => Promise<Secrets>;
  readonly noteUnproven: NoteUnproven;
  /** Gets a small text over https, such as a sender's certificate. */
  readonly fetchText: (url: string) => Promise<string>;
  readonly now: () => number;
  readonly log: Log;
}

/** The second part is a token, for senders that can send a secret nowhere else. */
const PATH = /^\/webhook\/([^/]+)(?:\/([^/]+))?$/;
const CODES = {
  400: 'malformed',
  401: 'unauthorized',
  404: 'not-found',
  405: 'method-not-allowed',
  413: 'too-large',
} as const;

const refuse = (status: keyof typeof CODES, message: string): HttpResponse =>
  respondJson(status, { error: { code: CODES[status], message } });

/** The sender gets the same answer whether or not this can be stored, and for any name. */
const note = async ({ log, noteUnproven }: WebhookHttpDeps, source: string, reason: string, now: number) => {
  log('warn', 'webhook-refused', { source, reason });
  await noteUnproven(source, reason, now).catch((error: unknown) =>
    log('warn', 'webhook-refusal-not-counted', { kind: error instanceof Error ? error.name : typeof error }),
  );
};

/** @param event a function URL event, payload 2.0 */
export const answerWebhook = async (deps: WebhookHttpDeps, event: unknown): Promise<HttpResponse> => {
  try {
    // 1. The path names the source.
    const { method, path, body, headers, query } = parseRequest(event);
    const [, name, pathToken] = PATH.exec(path) ?? [];
    if (name === undefined) return refuse(404, 'there is nothing at this path');
    // 2. Verify and parse.
    const now = deps.now();
    const { sources, problems } = parseSources((await deps.readSecrets(now)).get('WEBHOOK_SECRETS'));
    if (sources.size === 0 && problems.length > 0)
      throw new ConfigError(problems.map((one) => `WEBHOOK_SECRETS ${one}`));
    const { space, homeChat, defaultActuator, eventForms, fetchText } = deps;
    const settings = { space, homeChat, defaultActuator, eventForms, fetchText, sources, now };
    const parsed = await parseWebhookRequest({ method, headers, query, bytes: body, name, pathToken, ...settings });
    if (parsed.kind === 'answer') {
      await admitSignal(deps, buildHello({ name, ...settings }));
      return parsed.answer.isJson ? respondJsonText(parsed.answer.text) : respondText(parsed.answer.text);
    }
    if (parsed.kind === 'refused') {
      const { status, error, reason } = parsed;
      // An entry with a mistake opens nothing, and its owner has to hear why.
      const mistake = problems.find((one) => one.startsWith(`${name} `));
      const isConfigured = sources.has(name) || mistake !== undefined;
      if (reason !== undefined) await note(deps, isConfigured ? name : NO_SUCH_NAME, mistake ?? reason, now);
      return refuse(status, error);
    }
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
