/**
 * A server on loopback that a stack calls as a webhook: it keeps each post, and answers that it is
 * queued unless told otherwise. `close` ends it.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The stack signs calls with it. */
export const TARGET_SECRET = `whsec_${Buffer.from('the secret of the target').toString('base64')}`;

export interface Post {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Target {
  readonly url: string;
  readonly posts: Post[];
  /** Settings of a stack for which it is the one webhook, by this name. */
  readonly environmentOf: (name: string, secret?: string) => Readonly<Record<string, string>>;
  readonly close: () => void;
}

/** The connection breaks after the head of an answer. */
export const LOST = 'lost';

const QUEUED: Reply = { status: 202, body: '{"queued":true}' };

export const startTarget = async (
  answer: (post: Post) => Reply | typeof LOST | Promise<Reply> = () => QUEUED,
): Promise<Target> => {
  const posts: Post[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const post = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
    posts.push(post);
    const reply = await answer(post);
    if (reply === LOST) response.writeHead(200, { 'content-length': 9 }).write('{', () => response.destroy());
    else response.writeHead(reply.status ?? 200, reply.headers).end(reply.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    posts,
    environmentOf: (name, secret = TARGET_SECRET) => ({
      WEBHOOK_TARGETS: JSON.stringify({ [name]: { url: `${url}/hook`, secret } }),
      WEBHOOK_URLS: JSON.stringify({ [name]: `${url}/hook` }),
      ALLOW_LOOPBACK_WEBHOOKS: '1',
    }),
    close: () => void server.close(),
  };
};
