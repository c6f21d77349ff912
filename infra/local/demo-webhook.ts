/**
 * A receiver for the demo's webhook: on loopback, takes what is signed for it and says what came, so that a newcomer can
 * approve a call and see it arrive. Only for a start without a real model and without configured targets.
 */
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { respond, startLoopbackServer } from './loopback-server.ts';
import type { Variables } from './settings.ts';

export interface DemoWebhook {
  /** `WEBHOOK_TARGETS`, `WEBHOOK_URLS` and the permission for loopback. */
  readonly variables: Variables;
  readonly close: () => Promise<void>;
}

/** @param report is told each genuine call, in plain words. */
export const startDemoWebhook = async (report: (line: string) => void): Promise<DemoWebhook> => {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const verifier = new Webhook(secret);
  const server = await startLoopbackServer((request, body, response) => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    try {
      verifier.verify(body, headers);
      report(`demo webhook "deploy" was called (${headers['webhook-id']}): ${body.toString('utf8').slice(0, 200)}`);
      respond(response, 200, '{"received":true}', 'application/json');
    } catch {
      response.writeHead(401).end();
    }
  });
  const url = `${server.origin}/`;
  return {
    variables: {
      WEBHOOK_TARGETS: JSON.stringify({ deploy: { url, secret } }),
      WEBHOOK_URLS: JSON.stringify({ deploy: url }),
      ALLOW_LOOPBACK_WEBHOOKS: '1',
    },
    close: server.stop,
  };
};
