/**
 * Drives turns as people in Telegram see them: each chat sends a message to the stack's webhook,
 * waits until the answer reaches the Bot API, thinks for a moment, and sends the next. Nothing
 * looks into the table meanwhile. Fails when an answer does not come in time.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DriveResult } from './drive.ts';

const SECRET = 'webhook-secret-of-the-benchmark';
const BOT_ID = 4711;
const ANSWER_MS_MAX = 30_000;
/** What Telegram makes of half a minute of speech. */
const VOICE = { seconds: 30, bytes: Buffer.concat([Buffer.from('OggS'), Buffer.alloc(100_000, 7)]) } as const;
const QUOTE = 'I heard: ';
/** The answer is out before the turn has ended; a message that came now would wait for that. */
const THINK_MS = 100;

export interface Chats {
  /** For the environment of a stack whose webhook is driven. */
  readonly settings: (chats: number) => Readonly<Record<string, string>>;
  readonly drive: (options: {
    readonly url: string;
    readonly chats: number;
    readonly turns: number;
    readonly maxMs: number;
    /** Each message is a voice note of 30 seconds, and its turn ends with the answer to it. */
    readonly isSpoken?: boolean;
  }) => Promise<DriveResult>;
  readonly close: () => void;
}

const readJson = async (request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Record<string, unknown>;
};

/** A Bot API that takes everything, and the chats behind it. */
export const startChats = async (): Promise<Chats> => {
  const answered = new Map<string, () => void>();
  let count = 0;
  const server = createServer(async (request, response) => {
    if (request.url?.includes('/file/bot') === true) {
      response.end(VOICE.bytes);
      return;
    }
    const body = await readJson(request);
    count += 1;
    const chat = { id: Number(body.chat_id), type: 'private' };
    const message = { message_id: count, date: Math.floor(Date.now() / 1000), chat, text: body.text };
    const isMessage = request.url?.endsWith('/sendMessage') === true;
    const file = request.url?.endsWith('/getFile') === true && {
      file_id: 'v',
      file_unique_id: 'v',
      file_path: 'v.oga',
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ok: true, result: isMessage ? message : file || true }));
    if (isMessage && !String(body.text).startsWith(QUOTE)) answered.get(String(body.chat_id))?.();
  });
  server.keepAliveTimeout = ANSWER_MS_MAX;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address !== 'string' ? address.port : 0;

  const send = async (url: string, id: number, said: object): Promise<void> => {
    count += 1;
    const from = { id, is_bot: false, first_name: 'Ada' };
    const chat = { id, type: 'private', first_name: 'Ada' };
    const message = { message_id: count, date: Math.floor(Date.now() / 1000), chat, from, ...said };
    const answer = await fetch(`${url}/telegram`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': SECRET },
      body: JSON.stringify({ update_id: count, message }),
    });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`an update was answered ${answer.status}`);
  };
  const ask = async (url: string, id: number, said: object): Promise<void> => {
    const answer = new Promise<void>((done, failed) => {
      const timer = setTimeout(() => failed(new Error(`chat ${id} got no answer`)), ANSWER_MS_MAX);
      answered.set(String(id), () => {
        clearTimeout(timer);
        done();
      });
    });
    await Promise.all([send(url, id, said), answer]);
  };

  return {
    settings: (chats) => ({
      TELEGRAM_BOT_TOKEN: `${BOT_ID}:token-of-the-benchmark`,
      TELEGRAM_BOT_ID: `${BOT_ID}`,
      TELEGRAM_API_ROOT: `http://127.0.0.1:${port}`,
      TELEGRAM_WEBHOOK_SECRET: SECRET,
      TELEGRAM_ALLOWED_CHATS: Array.from({ length: chats }, (_, n) => n + 1).join(','),
    }),
    drive: async ({ url, chats, turns, maxMs, isSpoken = false }) => {
      const turnMs: number[] = [];
      const startedAt = performance.now();
      let begun = 0;
      const converse = async (id: number): Promise<void> => {
        while (begun < turns && performance.now() - startedAt < maxMs) {
          begun += 1;
          const sentAt = performance.now();
          const text = `Message ${begun}: did the backup run last night?`;
          const voice = { file_id: 'v', file_unique_id: 'v', duration: VOICE.seconds, file_size: VOICE.bytes.length };
          await ask(url, id, isSpoken ? { voice } : { text });
          turnMs.push(performance.now() - sentAt);
          await sleep(THINK_MS);
        }
      };
      await Promise.all(Array.from({ length: chats }, (_, n) => converse(n + 1)));
      return { turnMs, wallMs: performance.now() - startedAt };
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
