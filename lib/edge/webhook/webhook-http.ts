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
  respondTooMany,
} from '../../http/function-url.ts';
import { type AdmitDeps, admitSignal } from '../../ledger/accept.ts';
import type { ReplyRoute } from '../../signal/signal.ts';
import type { Log } from '../../store/log.ts';
import type { Secrets } from '../../store/secrets.ts';
import { SETTINGS } from '../../store/settings.ts';
import { parseWebhookRequest } from './webhook-event.ts';

export interface WebhookHttpDeps extends AdmitDeps {
  readonly space: string;
  readonly homeChat: string | undefined;
  readonly defaultActuator?: ReplyRoute['target'] | undefined;
  readonly readSecrets: (now: number) => Promise<Secrets>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

const PATH = /^\/webhook\/([^/]+)$/;
const CODES = {
  400: 'malformed',
  401: 'unauthorized',
  404: 'not-found',
  405: 'method-not-allowed',
  413: 'too-large',
} as const;

/** Secrets by source. @throws ConfigError that does not quote WEBHOOK_SECRETS */
const parseSecrets = (secrets: Secrets): ReadonlyMap<string, string> => {
  const parsed = SETTINGS.WEBHOOK_SECRETS.schema.safeParse(secrets.get('WEBHOOK_SECRETS') ?? '{}');
  if (!parsed.success) throw new ConfigError(['WEBHOOK_SECRETS must be JSON: source → secret']);
  return new Map(Object.entries(parsed.data));
};

const refuse = (status: keyof typeof CODES, message: string): HttpResponse =>
  respondJson(status, { error: { code: CODES[status], message } });

/** @param event a function URL event, payload 2.0 */
export const answerWebhook = async (deps: WebhookHttpDeps, event: unknown): Promise<HttpResponse> => {
  try {
    // 1. The path names the source.
    const { method, path, body, headers } = parseRequest(event);
    const source = PATH.exec(path)?.[1];
    if (source === undefined) return refuse(404, 'there is nothing at this path');
    if (method !== 'POST') return refuse(405, 'only POST is taken here');
    // 2. Verify and parse.
    const now = deps.now();
    const parsed = parseWebhookRequest({
      source,
      headers,
      body: Buffer.from(body).toString('utf8'),
      secrets: parseSecrets(await deps.readSecrets(now)),
      now,
      space: deps.space,
      homeChat: deps.homeChat,
      defaultActuator: deps.defaultActuator,
    });
    if (parsed.kind === 'refused') return refuse(parsed.status, parsed.error);
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
