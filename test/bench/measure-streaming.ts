/**
 * What streaming adds to the first visible text: at the console, the moment a reader of the stream
 * of events has the first chunk, beside the moment at which the model had sent exactly that many
 * characters (the same place in the text, without hold-back). So it holds the wait for the end of a
 * word, the gates over prefix and whole, the table, the console's look and HTTP. The model writes
 * some 50 tokens a second; the first chunk has at least 80 characters.
 */
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEvents } from '../../infra/cli/chat/follow-draft.ts';
import { type StackChild, startStackChild } from './children.ts';
import { APPROVER_TOKEN, quantile } from './drive.ts';
import type { Measure } from './measure.ts';
import { modelSettings, NO_HEARTBEAT_S } from './measure-turns.ts';

const TURNS = 20;
const WARM_UP = 4;
const ADDED_MS_MAX = 150;
const PIECE_CHARS = 4;
const PIECE_MS = 20;
const TEXT =
  'The backup ran at four in the morning and took eleven minutes; nothing was skipped, and the copy was compared with what it was made of. The next one is due on Friday, and there is room for another two hundred of them. ';

interface SlowModel {
  readonly baseUrl: string;
  /** When the last answer had so many characters, by `performance.now`. */
  readonly sentAt: (chars: number) => number;
  readonly close: () => void;
}

const startSlowModel = async (): Promise<SlowModel> => {
  let sent: { readonly chars: number; readonly at: number }[] = [];
  const server = createServer((request, response) => {
    request.resume().once('end', async () => {
      sent = [];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let at = 0; at < TEXT.length && !response.destroyed; at += PIECE_CHARS) {
        const content = TEXT.slice(at, at + PIECE_CHARS);
        sent.push({ chars: at + content.length, at: performance.now() });
        response.write(`data: ${JSON.stringify({ model: 'bench', choices: [{ index: 0, delta: { content } }] })}\n\n`);
        await sleep(PIECE_MS);
      }
      response.end('data: [DONE]\n\n');
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    baseUrl: `http://127.0.0.1:${address !== null && typeof address !== 'string' ? address.port : 0}/v1`,
    sentAt: (chars) => sent.find((piece) => piece.chars >= chars)?.at ?? Number.NaN,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

const ask = (stack: StackChild, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${stack.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${APPROVER_TOKEN}`, 'content-type': 'application/json' },
  });

/** Milliseconds between the model's text and the reader's, of the first chunk. */
const firstVisible = async (stack: StackChild, model: SlowModel, n: number): Promise<number> => {
  const body = JSON.stringify({ text: 'How is the backup?', session: `stream-${n}` });
  const posted = await ask(stack, '/api/messages', { method: 'POST', body });
  const { id } = (await posted.json()) as { id: string };
  for (;;) {
    const text = await (await ask(stack, `/api/signals/${id}/stream`)).text();
    const [first] = parseEvents(text).map(({ data }) => JSON.parse(data) as { type: string; chars?: number });
    const seenAt = performance.now();
    if (first?.type === 'end') throw new Error('the answer came whole');
    if (first?.chars === undefined) continue;
    const addedMs = seenAt - model.sentAt(first.chars);
    for (let state = ''; state !== 'acted'; await sleep(50))
      state = ((await (await ask(stack, `/api/signals/${id}`)).json()) as { state: string }).state;
    return addedMs;
  }
};

export const measureStreaming: Measure = async ({ scratch, cacheDir, progress }) => {
  progress('streaming: the first visible text');
  const model = await startSlowModel();
  try {
    const stack = await startStackChild({
      dataDir: mkdtempSync(join(scratch, 'stream-')),
      cacheDir,
      heartbeatIntervalSeconds: NO_HEARTBEAT_S,
      environment: modelSettings(model.baseUrl),
    });
    try {
      const added: number[] = [];
      for (let n = 0; n < WARM_UP + TURNS; n += 1) {
        const addedMs = await firstVisible(stack, model, n);
        if (n >= WARM_UP) added.push(addedMs);
      }
      const row = { group: 'streaming', unit: 'ms' } as const;
      return [
        {
          ...row,
          name: "first visible text, over the model's own at the same place (p50)",
          value: quantile(added, 0.5),
          goal: { is: '≤', value: ADDED_MS_MAX },
          note: 'at the console; hold-back, gates, table and HTTP; the first chunk has 80 characters or more',
        },
        { ...row, name: 'the same, p90', value: quantile(added, 0.9) },
      ];
    } finally {
      await stack.close();
    }
  } finally {
    model.close();
  }
};
