/**
 * Looks into the mailbox again and again, and hands each new mail to the stack. How far it has come
 * is kept there, and moves on only when a mail is stored, so a crash loses none. The very first
 * look begins behind the mails that are there. If the mailbox was made anew, mails since the last
 * one come once more, and the stack knows them by their ids. Failures are waited out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImapFlow } from 'imapflow';
import * as z from 'zod/mini';
import { DAY_MS, SECOND_MS } from '../../../lib/core/base/limits.ts';
import { openMailbox } from '../../../lib/features/mail/imap.ts';
import { readMail } from '../../../lib/features/mail/read-mail.ts';
import type { MailServer } from '../../../lib/features/mail/server.ts';
import { Cursor } from '../../../lib/features/mail/update.ts';

/** Waits after something failed; the last one repeats. */
const BACKOFF_MS = [1 * SECOND_MS, 5 * SECOND_MS, 15 * SECOND_MS, 60 * SECOND_MS] as const;
/** Mails of one look: each is stored before the next is fetched. */
const MAILS_MAX = 50;
/** Longest answer of the stack to one mail. */
const DOOR_TIMEOUT_MS = 20 * SECOND_MS;

export interface MailPollerOptions {
  readonly server: MailServer;
  readonly password: string;
  /** Address and secret of the stack's door for mails. */
  readonly door: string;
  readonly secret: string;
  readonly pollMs: number;
  readonly log: (line: string) => void;
  /** Tests set these waits. */
  readonly backoffMs?: readonly number[];
}

export interface MailPoller {
  readonly stop: () => Promise<void>;
  /** A sentence about what is wrong; empty while all is well. */
  readonly problem: () => string;
}

interface Poller {
  readonly options: MailPollerOptions;
  readonly abort: AbortController;
  client: ImapFlow | undefined;
  problem: string;
  failures: number;
}

/** The stack took nothing just now. */
class NotTakenError extends Error {}

const Kept = z.object({ cursor: z.optional(Cursor) });

/** @returns undefined for a mail that will never be taken */
const ask = async ({ options, abort }: Poller, body?: unknown): Promise<unknown> => {
  const { door, secret } = options;
  const answer = await fetch(door, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    signal: AbortSignal.any([abort.signal, AbortSignal.timeout(DOOR_TIMEOUT_MS)]),
  }).catch(() => undefined);
  if (answer?.ok === true) return await answer.json();
  // A mail that nobody will ever take must not hold up those behind it.
  if (![400, 413].includes(answer?.status ?? 0)) throw new NotTakenError();
  options.log(`E-mail: a mail was answered ${answer?.status}`);
  return undefined;
};

const hold = (poller: Poller, cursor: Cursor): Promise<unknown> => ask(poller, { cursor });

/** Hands in what came since the last look. */
const look = async (poller: Poller, client: ImapFlow): Promise<void> => {
  const { mailbox } = client;
  if (mailbox === false) throw new Error('no mailbox is open');
  const validity = Number(mailbox.uidValidity);
  const { cursor } = Kept.parse(await ask(poller));
  if (cursor === undefined) {
    await hold(poller, { validity, uid: mailbox.uidNext - 1, at: Date.now() });
    return;
  }
  const isAnew = cursor.validity !== validity;
  const query = isAnew ? { since: new Date(cursor.at - DAY_MS) } : { uid: `${cursor.uid + 1}:*` };
  const found = await client.search(query, { uid: true });
  // A range that begins behind the last mail names that mail (RFC 9051, 9, seq-range).
  const uids = (found || []).filter((uid) => isAnew || uid > cursor.uid).sort((a, b) => a - b);
  for (const uid of uids.slice(0, MAILS_MAX)) {
    const mail = await readMail(client, uid);
    const isTaken = mail !== undefined && (await ask(poller, mail)) !== undefined;
    if (!isTaken) await hold(poller, { validity, uid, at: mail?.at ?? cursor.at });
  }
  if (isAnew && uids.length === 0) await hold(poller, { validity, uid: mailbox.uidNext - 1, at: cursor.at });
};

/** Keeps a problem, empty if there is none, and logs it once, however long it lasts. */
const note = (poller: Poller, problem: string): void => {
  const isNews = poller.problem !== problem;
  poller.problem = problem;
  if (isNews) poller.options.log(problem === '' ? 'E-mail: the mailbox is read' : `E-mail: ${problem}`);
};

/** No words of the server: they name people. */
const wordsOf = (error: unknown): string => {
  if (error instanceof NotTakenError) return 'a mail could not be handed over; trying again';
  const isRefused = typeof error === 'object' && error !== null && 'authenticationFailed' in error;
  return isRefused ? 'the mailbox refuses MAIL_PASSWORD' : 'the mailbox cannot be read; trying again';
};

const pause = (poller: Poller, ms: number): Promise<unknown> =>
  sleep(ms, undefined, { signal: poller.abort.signal }).catch(() => undefined);

const read = async (poller: Poller): Promise<void> => {
  const { server, password, pollMs } = poller.options;
  const client = await openMailbox(server, password, pollMs);
  poller.client = client;
  while (!poller.abort.signal.aborted) {
    await look(poller, client);
    note(poller, '');
    poller.failures = 0;
    await pause(poller, pollMs);
    if (!poller.abort.signal.aborted) await client.noop();
  }
};

const run = async (poller: Poller): Promise<void> => {
  const waits = poller.options.backoffMs ?? BACKOFF_MS;
  while (!poller.abort.signal.aborted) {
    try {
      await read(poller);
    } catch (error) {
      if (!poller.abort.signal.aborted) note(poller, wordsOf(error));
      await pause(poller, waits[Math.min(poller.failures, waits.length - 1)] ?? 0);
      poller.failures += 1;
    } finally {
      poller.client?.close();
    }
  }
};

/** Starts at once. Never throws: what goes wrong is in `problem` and in the log. */
export const startMailPoller = (options: MailPollerOptions): MailPoller => {
  const poller: Poller = { options, abort: new AbortController(), client: undefined, problem: '', failures: 0 };
  const running = run(poller);
  return {
    stop: async () => {
      poller.abort.abort();
      poller.client?.close();
      await running;
    },
    problem: () => poller.problem,
  };
};
