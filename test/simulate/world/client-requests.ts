/**
 * The requests that clients send, and the ids that their signals get by the documented rules of
 * `lib/core/edge/README.md` and `lib/core/signal/ids.ts`, derived here once more. Pure.
 */
import { createHash } from 'node:crypto';
import type { Config } from '../outside/config.ts';
import { signWebhook } from '../outside/webhook-signature.ts';
import type { WireRequest } from '../types.ts';

export interface Requests {
  readonly update: (updateId: number, update: object) => { readonly signalId: string; readonly request: WireRequest };
  /** Each try is signed anew. */
  readonly event: (source: string, marker: string) => { readonly signalId: string; readonly build: () => WireRequest };
  /** @param key the client's own, which makes a repeat the same message */
  readonly message: (
    session: string,
    text: string,
    key: string,
  ) => { readonly signalId: string; readonly request: WireRequest };
  readonly listApprovals: () => WireRequest;
  readonly decide: (approvalId: string, decision: 'approve' | 'deny') => WireRequest;
  readonly stop: () => WireRequest;
  readonly resume: () => WireRequest;
}

const JSON_TYPE = { 'content-type': 'application/json' } as const;

const post = (url: string, headers: Readonly<Record<string, string>>, body: unknown): WireRequest => ({
  method: 'POST',
  url,
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(body),
});

export const buildRequests = ({ environment, secrets }: Config, now: () => number): Requests => {
  const bot = environment.TELEGRAM_BOT_ID ?? '';
  const telegram = { 'x-telegram-bot-api-secret-token': secrets.TELEGRAM_WEBHOOK_SECRET ?? '' };
  const owner = { authorization: `Bearer ${secrets.APPROVER_TOKEN ?? ''}` };
  const signingSecrets = JSON.parse(secrets.WEBHOOK_SECRETS ?? '{}') as Readonly<Record<string, string>>;
  return {
    update: (updateId, update) => ({
      signalId: `tg-${bot}-${updateId}`,
      request: post('https://telegram.functions.test/telegram', telegram, { update_id: updateId, ...update }),
    }),
    event: (source, marker) => {
      const id = `msg_${marker}`;
      const body = { type: 'thing.happened', text: `say ${marker}` };
      const build = (): WireRequest => {
        const request = post(`https://webhook.functions.test/webhook/${source}`, {}, body);
        const atS = Math.floor(now() / 1000);
        const signature = signWebhook(signingSecrets[source] ?? '', id, atS, request.body);
        const signed = { 'webhook-id': id, 'webhook-timestamp': String(atS), 'webhook-signature': signature };
        return { ...request, headers: { ...request.headers, ...signed } };
      };
      return { signalId: `wh-${source}:${id}`, build };
    },
    message: (session, text, key) => {
      const hash = createHash('sha256').update(`console:${session}\n${key}`).digest('hex').slice(0, 40);
      const body = { text, session, idempotencyKey: key };
      return { signalId: `con-${hash}`, request: post('https://console.functions.test/api/messages', owner, body) };
    },
    listApprovals: () => ({
      method: 'GET',
      url: 'https://console.functions.test/api/approvals',
      headers: owner,
      body: '',
    }),
    decide: (approvalId, decision) =>
      post(`https://control.functions.test/api/approvals/${approvalId}`, owner, { decision }),
    stop: () => post('https://control.functions.test/api/stop', owner, {}),
    resume: () => post('https://control.functions.test/api/resume', owner, {}),
  };
};
