/**
 * Follows the events of signal-cli (`GET /api/v1/events`, Server-Sent Events) and hands each to the
 * stack, in order, until it is stored. A newer signal-cli numbers its events and keeps the last
 * thousand: after a break it is asked for those behind the last that was stored, and at the start
 * for all of them, because the stack takes each only once. Failures are waited out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { KIB, SECOND_MS } from '../../../lib/core/base/limits.ts';

/** Names no event: a signal-cli that numbers its events sends all that it has kept. */
const ALL_KEPT = '0';
/** It sends a sign of life each 15 seconds. */
const SILENCE_MS_MAX = 45 * SECOND_MS;
/** Characters of one event: the longest text, with names and files around it. */
const EVENT_CHARS_MAX = 1024 * KIB;
/** Waits after a failure; the last one repeats. */
const BACKOFF_MS = [500, SECOND_MS, 2 * SECOND_MS, 5 * SECOND_MS, 15 * SECOND_MS, 30 * SECOND_MS] as const;

export interface FollowOptions {
  readonly url: string;
  readonly secret: string;
  readonly stackUrl: string;
  readonly log: (line: string) => void;
}

interface Follower extends FollowOptions {
  readonly abort: AbortController;
  problem: string;
  failures: number;
  lastId: string;
}

const note = (follower: Follower, problem: string): void => {
  if (follower.problem !== problem) follower.log(problem === '' ? 'Signal: events come' : `Signal: ${problem}`);
  follower.problem = problem;
  if (problem === '') follower.failures = 0;
};

const pause = async (follower: Follower): Promise<void> => {
  const ms = BACKOFF_MS[Math.min(follower.failures, BACKOFF_MS.length - 1)];
  follower.failures += 1;
  await sleep(ms, undefined, { signal: follower.abort.signal }).catch(() => undefined);
};

/** Hands one event over until it is stored, or is one that nobody will ever take. */
const handOver = async (follower: Follower, data: string): Promise<void> => {
  while (!follower.abort.signal.aborted) {
    const answer = await fetch(`${follower.stackUrl}/signal`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${follower.secret}` },
      body: data,
    }).catch(() => undefined);
    if (answer?.ok === true) return note(follower, '');
    if (answer?.status === 400 || answer?.status === 413) {
      return follower.log(`Signal: an event was answered ${answer.status}`);
    }
    note(follower, 'an event could not be handed over; trying again');
    await pause(follower);
  }
};

/** Reads lines of an event stream (WHATWG HTML, 9.2); gives each event's data and id. */
const takeEvents = async (follower: Follower, body: ReadableStream<Uint8Array>, alive: () => void): Promise<void> => {
  let rest = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    alive();
    const blocks = `${rest}${chunk.replaceAll('\r', '')}`.split('\n\n');
    rest = blocks.pop() ?? '';
    if (rest.length > EVENT_CHARS_MAX) throw new Error('an event is too long');
    for (const block of blocks) {
      const field = (name: string): string =>
        block
          .split('\n')
          .flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1).trimStart()] : []))
          .join('\n');
      if (field('data') !== '') await handOver(follower, field('data'));
      if (follower.abort.signal.aborted) return;
      follower.lastId = field('id') || follower.lastId;
    }
  }
};

const follow = async (follower: Follower): Promise<void> => {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS_MAX);
  const alive = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS_MAX);
  };
  try {
    const response = await fetch(new URL('/api/v1/events', follower.url), {
      headers: { accept: 'text/event-stream', 'last-event-id': follower.lastId },
      redirect: 'error',
      signal: AbortSignal.any([follower.abort.signal, silence.signal]),
    });
    if (!response.ok || response.body === null) return note(follower, `signal-cli answers ${response.status}`);
    note(follower, '');
    await takeEvents(follower, response.body, alive);
  } catch {
    if (!follower.abort.signal.aborted) note(follower, 'signal-cli could not be reached; trying again');
  } finally {
    clearTimeout(timer);
  }
};

export const followEvents = (options: FollowOptions) => {
  const follower: Follower = { ...options, abort: new AbortController(), problem: '', failures: 0, lastId: ALL_KEPT };
  const running = (async () => {
    while (!follower.abort.signal.aborted) {
      await follow(follower);
      await pause(follower);
    }
  })();
  return {
    problem: (): string | undefined => (follower.problem === '' ? undefined : `Signal: ${follower.problem}`),
    stop: async (): Promise<void> => {
      follower.abort.abort();
      await running;
    },
  };
};
