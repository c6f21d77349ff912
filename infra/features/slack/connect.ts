/**
 * Socket Mode: Slack sends its payloads over a connection that this machine opens, which needs no
 * public address. Each is signed anew for the stack's own door, as Slack would sign it. A payload
 * is acknowledged only once it is stored, so Slack sends others again.
 * https://docs.slack.dev/apis/events-api/using-socket-mode
 */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { readJson } from '../../../lib/core/base/json.ts';
import { MINUTE_MS, SECOND_MS } from '../../../lib/core/base/limits.ts';
import { buildSlackClient, isTokenRefused, type SlackOutcome } from '../../../lib/features/slack/client.ts';
import { isOfSlack } from '../../../lib/features/slack/files.ts';
import type { Connection } from '../../channel-program.ts';

/** Waits after a connection that failed; the last one repeats. */
const BACKOFF_MS = [500, 1 * SECOND_MS, 5 * SECOND_MS, 15 * SECOND_MS, 30 * SECOND_MS] as const;
/** A connection that died in the machine's sleep says nothing, so each is followed by a new one. */
const RENEW_MS = 10 * MINUTE_MS;
const OPEN_TIMEOUT_MS = 15 * SECOND_MS;

export interface SocketInput {
  readonly appToken: string;
  readonly apiRoot: string;
  /** Of the stack's door. */
  readonly secret: string;
  readonly stackUrl: string;
  readonly log: (line: string) => void;
  /** Tests set these waits instead of the usual ones. */
  readonly backoffMs?: readonly number[];
}

const Opened = z.looseObject({ url: z.string() });
const Envelope = z.looseObject({
  type: z.string(),
  envelope_id: z.optional(z.string().check(z.maxLength(128))),
  accepts_response_payload: z.optional(z.boolean()),
  payload: z.optional(z.looseObject({})),
});
type Envelope = z.infer<typeof Envelope>;

const CARRIED: readonly string[] = ['events_api', 'interactive'];

/** @returns the answer of the stack's door, and whether Slack is to forget the payload */
const handOver = async (
  { secret, stackUrl, log }: SocketInput,
  { type, payload }: Envelope,
): Promise<{ readonly isSettled: boolean; readonly answer: unknown }> => {
  const json = JSON.stringify(payload);
  const body = type === 'interactive' ? new URLSearchParams({ payload: json }).toString() : json;
  const time = String(Math.floor(Date.now() / SECOND_MS));
  const signature = createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex');
  const response = await fetch(`${stackUrl}/slack`, {
    method: 'POST',
    headers: { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${signature}` },
    body,
  });
  const text = await response.text();
  if (!response.ok) log(`Slack: a payload was answered ${response.status}`);
  // One that nobody will ever take must not come for ever.
  const isSettled = response.ok || response.status === 400 || response.status === 413;
  return { isSettled, answer: response.ok ? readJson(text) : undefined };
};

const problemOf = (outcome: SlackOutcome): string => {
  if (isTokenRefused(outcome)) return 'the token in SLACK_APP_TOKEN is refused';
  if (outcome.kind === 'refused') return `no connection: ${outcome.error}`;
  return 'reason' in outcome ? `no connection: ${outcome.reason}; trying again` : 'no connection; trying again';
};

/** Starts at once. Never throws: what goes wrong is in `problem` and in the log. */
export const startSlackSocket = (input: SocketInput): Connection => {
  const { appToken: token, apiRoot, log, backoffMs = BACKOFF_MS } = input;
  const client = buildSlackClient({ token, apiRoot });
  const stopped = new AbortController();
  const sockets = new Set<WebSocket>();
  let problem: string | undefined;
  let failures = 0;
  /** One after the other, in the order in which they came. */
  let handing: Promise<void> = Promise.resolve();

  const note = (words: string | undefined): void => {
    if (problem !== words) log(words === undefined ? 'Slack: connected' : `Slack: ${words}`);
    problem = words;
  };

  const take = async (socket: WebSocket, envelope: Envelope): Promise<void> => {
    const { envelope_id: id, accepts_response_payload: mayAnswer } = envelope;
    if (id === undefined) return;
    if (!CARRIED.includes(envelope.type)) return socket.send(JSON.stringify({ envelope_id: id }));
    const { isSettled, answer } = await handOver(input, envelope).catch(() => ({
      isSettled: false,
      answer: undefined,
    }));
    if (!isSettled || socket.readyState !== WebSocket.OPEN) return;
    const payload = mayAnswer === true && answer !== undefined ? { payload: answer } : {};
    socket.send(JSON.stringify({ envelope_id: id, ...payload }));
  };

  /** Resolves when the connection ends, is to be renewed, or never came about. */
  const hold = (url: string): Promise<void> =>
    new Promise((done) => {
      const socket = new WebSocket(url);
      sockets.add(socket);
      const renewal = setTimeout(done, RENEW_MS);
      socket.addEventListener('message', ({ data }) => {
        const { data: envelope } = Envelope.safeParse(readJson(String(data)));
        if (envelope === undefined) return;
        if (envelope.type === 'hello') {
          failures = 0;
          note(undefined);
          // The one before ends now: nothing was missed between the two.
          for (const other of sockets) if (other !== socket) other.close();
        } else if (envelope.type === 'disconnect') done();
        else handing = handing.then(() => take(socket, envelope));
      });
      const end = (): void => {
        clearTimeout(renewal);
        sockets.delete(socket);
        done();
      };
      socket.addEventListener('close', end);
      socket.addEventListener('error', end);
      setTimeout(() => {
        if (socket.readyState === WebSocket.CONNECTING) socket.close();
      }, OPEN_TIMEOUT_MS).unref();
    });

  const open = async (): Promise<void> => {
    const outcome = await client.call('apps.connections.open', {});
    const { data } = Opened.safeParse(outcome.kind === 'done' ? outcome.result : undefined);
    if (data !== undefined && isOfSlack(data.url, apiRoot)) await hold(data.url);
    else note(problemOf(outcome));
    if (stopped.signal.aborted) return;
    const ms = backoffMs[Math.min(failures, backoffMs.length - 1)] ?? 0;
    failures += 1;
    await sleep(ms, undefined, { signal: stopped.signal }).catch(() => undefined);
  };

  const running = (async () => {
    while (!stopped.signal.aborted) await open();
  })();
  return {
    description: 'Socket Mode',
    problem: () => problem && `Slack: ${problem}`,
    stop: async () => {
      stopped.abort();
      for (const socket of sockets) socket.close();
      await Promise.all([running, handing]);
    },
  };
};
