/**
 * Drives turns through a running stack: each session sends a console message, waits until its
 * signal has ended, and sends the next. The end is seen in the table itself, by one reader for all
 * sessions, so that watching costs every stack the same and no function any time. Fails when a turn
 * does not end in time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { callDynamo } from '../../infra/local/database.ts';
import type { StackChild } from './children.ts';

export const APPROVER_TOKEN = 'approver-token-of-the-benchmark';

export interface DriveOptions {
  /**
   * Without a table's address the end is seen in the console's list: it costs the console's
   * function some time.
   */
  readonly stack: Pick<StackChild, 'url'> & Partial<Pick<StackChild, 'dynamodb' | 'tableName'>>;
  readonly sessions: number;
  /** No more turns are begun once so many have been, or once so much time has passed. */
  readonly turns: number;
  readonly maxMs?: number;
  /** Names the sessions: those of different names share no history. */
  readonly name: string;
  /** What is said, if not the usual question. */
  readonly text?: string;
}

export interface DriveResult {
  /** Milliseconds from sending the request to the signal's end, in order of ending. */
  readonly turnMs: readonly number[];
  readonly wallMs: number;
}

const TURN_TIMEOUT_MS = 30_000;
/**
 * Between two looks at the table: finer than the differences we look for, with few turns out; rarer
 * with many.
 */
const lookPauseMs = (sessions: number): number => (sessions === 1 ? 1 : 8);
const KEYS_PER_LOOK = 100;

interface Waiting {
  readonly id: string;
  readonly since: number;
  readonly done: (endedAt: number) => void;
  readonly failed: (error: Error) => void;
}

const post = async (url: string, session: string, text: string): Promise<string> => {
  const answer = await fetch(`${url}/api/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${APPROVER_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text, session }),
  });
  const body = (await answer.json()) as { id?: string };
  if (answer.status !== 202 || body.id === undefined) throw new Error(`a message was answered ${answer.status}`);
  return body.id;
};

interface Row {
  readonly pk: { readonly S: string };
  readonly state?: { readonly S: string };
}

const listEnded = async (url: string): Promise<ReadonlySet<string>> => {
  const answer = await fetch(`${url}/api/signals?state=acted&limit=${KEYS_PER_LOOK}`, {
    headers: { authorization: `Bearer ${APPROVER_TOKEN}` },
  });
  const { signals = [] } = (await answer.json()) as { signals?: readonly { readonly id: string }[] };
  return new Set(signals.map(({ id }) => id));
};

/**
 * The list holds the newest only: the oldest turn, which others may have overtaken, is asked for by
 * its id.
 */
const hasEnded = async (url: string, id: string): Promise<boolean> => {
  const answer = await fetch(`${url}/api/signals/${id}`, { headers: { authorization: `Bearer ${APPROVER_TOKEN}` } });
  const { state } = (await answer.json()) as { state?: string };
  return state === 'acted';
};

/** Ids of those that have ended, of the ids given, oldest first. */
const findEnded = async ({ stack }: DriveOptions, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  if (stack.dynamodb === undefined || stack.tableName === undefined) {
    const listed = await listEnded(stack.url);
    const [oldest = ''] = ids;
    return listed.has(oldest) || !(await hasEnded(stack.url, oldest)) ? listed : new Set([...listed, oldest]);
  }
  const Keys = ids.map((id) => ({ pk: { S: `signal#default#${id}` }, sk: { S: 'record' } }));
  const answer = await callDynamo(stack.dynamodb, 'BatchGetItem', {
    RequestItems: {
      [stack.tableName]: {
        Keys,
        ConsistentRead: true,
      },
    },
  });
  const rows = (answer as { Responses?: Record<string, Row[]> }).Responses?.[stack.tableName] ?? [];
  const ended = rows.filter(({ state }) => state?.S === 'acted');
  return new Set(ended.map(({ pk }) => pk.S.slice('signal#default#'.length)));
};

export const driveTurns = async (options: DriveOptions): Promise<DriveResult> => {
  const waiting = new Map<string, Waiting>();
  const turnMs: number[] = [];
  const startedAt = performance.now();
  let isOver = false;
  let next = 0;

  const watch = async (): Promise<void> => {
    while (!isOver) {
      const ids = [...waiting.keys()].slice(0, KEYS_PER_LOOK);
      if (ids.length > 0) {
        const ended = await findEnded(options, ids);
        const now = performance.now();
        for (const entry of ids.flatMap((id) => waiting.get(id) ?? [])) {
          const isLate = now - entry.since > TURN_TIMEOUT_MS;
          if (!ended.has(entry.id) && !isLate) continue;
          waiting.delete(entry.id);
          if (ended.has(entry.id)) entry.done(now);
          else entry.failed(new Error(`turn ${entry.id} did not end within ${TURN_TIMEOUT_MS} ms`));
        }
      }
      await sleep(lookPauseMs(options.sessions));
    }
  };

  const converse = async (session: string): Promise<void> => {
    while (next < options.turns) {
      const sentAt = performance.now();
      if (sentAt - startedAt > (options.maxMs ?? Number.POSITIVE_INFINITY)) return;
      next += 1;
      const text = options.text ?? `Message ${next}: did the backup run last night?`;
      const id = await post(options.stack.url, session, text);
      const endedAt = await new Promise<number>((done, failed) => waiting.set(id, { id, since: sentAt, done, failed }));
      turnMs.push(endedAt - sentAt);
    }
  };

  const watching = watch();
  try {
    const sessions = Array.from({ length: options.sessions }, (_, n) => converse(`${options.name}-${n}`));
    await Promise.race([Promise.all(sessions), watching]);
  } finally {
    isOver = true;
    await watching;
  }
  return { turnMs, wallMs: performance.now() - startedAt };
};

/** Value below which this share of the numbers lies; 0 for none. Pure. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};
