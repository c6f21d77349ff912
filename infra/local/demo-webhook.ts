/**
 * A receiver for the demo's webhook: on loopback, takes what is signed for it and says what came, so that a newcomer can
 * approve a call and see it arrive. Only for a start without a real model and without configured targets.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { BODY_BYTES_MAX } from '../../lib/limits.ts';
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
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
    });
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      try {
        verifier.verify(body, headers);
        report(`demo webhook "deploy" was called (${headers['webhook-id']}): ${body.slice(0, 200)}`);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"received":true}');
      } catch {
        response.writeHead(401).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${port}/`;
  return {
    variables: {
      WEBHOOK_TARGETS: JSON.stringify({ deploy: { url, secret } }),
      WEBHOOK_URLS: JSON.stringify({ deploy: url }),
      ALLOW_LOOPBACK_WEBHOOKS: '1',
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
