/**
 * The HTTP side of the webhook ingress: finds the source in the path, and answers 202 with the signal's id once it is
 * stored (for repeats too), 4xx with plain words (429 over the source's quota), 503 when it could
 * not be stored, so that the sender sends it again. Nothing of a body is logged.
 */
import * as z from 'zod/mini';
import { ConfigError } from '../../base/errors.ts';
import { type AdmitDeps, admitSignal } from '../../ledger/admit.ts';
import { jsonMap } from '../../store/env.ts';
import type { Log } from '../../store/log.ts';
import type { Secrets } from '../../store/secrets.ts';
import { type HttpResponse, parseRequest, respondFailure, respondJson, respondTooMany } from '../function-url.ts';
import { parseWebhookRequest } from './webhook-event.ts';

export interface WebhookHttpDeps extends AdmitDeps {
  readonly space: string;
  readonly homeChat: string | undefined;
  readonly defaultActuator?: 'console' | 'system' | undefined;
  readonly readSecrets: (now: number) => Promise<Secrets>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

const Headers = z.object({ headers: z.optional(z.record(z.string(), z.optional(z.string()))) });
const PATH = /^\/webhook\/([^/]+)$/;
const CODES = {
  400: 'malformed',
  401: 'unauthorized',
  404: 'not-found',
  405: 'not-allowed',
  413: 'too-large',
} as const;

const WebhookSecrets = jsonMap(z.string());

/** Secrets by source. @throws ConfigError when WEBHOOK_SECRETS does not have its form; its value is not told. */
const parseSecrets = (secrets: Secrets): ReadonlyMap<string, string> => {
  const parsed = WebhookSecrets.safeParse(secrets.get('WEBHOOK_SECRETS'));
  if (!parsed.success) throw new ConfigError(['WEBHOOK_SECRETS is not JSON of source → secret']);
  return new Map(Object.entries(parsed.data));
};

const refuse = (status: keyof typeof CODES, message: string): HttpResponse =>
  respondJson(status, { error: { code: CODES[status], message } });

/** @param event a function URL event, payload 2.0. */
export const answerWebhook = async (deps: WebhookHttpDeps, event: unknown): Promise<HttpResponse> => {
  try {
    const { method, path, body } = parseRequest(event);
    const source = PATH.exec(path)?.[1];
    if (source === undefined) return refuse(404, 'there is nothing at this path');
    if (method !== 'POST') return refuse(405, 'only POST is taken here');
    const now = deps.now();
    const parsed = parseWebhookRequest({
      source,
      headers: Headers.parse(event).headers ?? {},
      body: Buffer.from(body).toString('utf8'),
      secrets: parseSecrets(await deps.readSecrets(now)),
      now,
      space: deps.space,
      homeChat: deps.homeChat,
      defaultActuator: deps.defaultActuator,
    });
    if (parsed.kind === 'refused') return refuse(parsed.status, parsed.error);
    const admitted = await admitSignal(deps, parsed.signal);
    if (typeof admitted === 'object') return respondTooMany(admitted.limit, admitted.resetsAt, now);
    return respondJson(202, { id: parsed.signal.id });
  } catch (error) {
    deps.log('error', 'webhook-not-accepted', { kind: error instanceof Error ? error.name : typeof error });
    return respondFailure(error);
  }
};
