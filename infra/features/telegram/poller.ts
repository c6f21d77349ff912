/**
 * Long polling, for a bot without a public URL. It confirms an update only after `deliver` said
 * that it is stored, so a crash loses nothing. Failures are waited out; no word tells the token. It
 * leaves a webhook alone unless it is told to take over.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { defined } from '../../../lib/core/base/defined.ts';
import { SECOND_MS } from '../../../lib/core/base/limits.ts';
import type { TelegramOutcome } from '../../../lib/features/telegram/client.ts';
import {
  buildTelegramClient,
  isTokenRefused,
  type TelegramClient,
  UPDATE_KINDS,
} from '../../../lib/features/telegram/client.ts';

/** Half of what the Bot API allows, because proxies cut idle connections. */
const TELEGRAM_POLL_TIMEOUT_S = 25;
/** How much longer than the long poll its HTTP request may take. */
const TELEGRAM_POLL_GRACE_MS = 10 * SECOND_MS;
/** Updates of one poll: few, because they are delivered one by one and only then confirmed. */
const TELEGRAM_POLL_UPDATES_MAX = 10;
/** Waits after a poll or a delivery that failed; the last one repeats. */
const TELEGRAM_POLL_BACKOFF_MS = [
  500,
  1 * SECOND_MS,
  2 * SECOND_MS,
  5 * SECOND_MS,
  15 * SECOND_MS,
  30 * SECOND_MS,
] as const;

/** The outcome of handing an update over; `answer` is a Bot API method with its parameters. */
interface Delivery {
  readonly ok: boolean;
  readonly answer?: unknown;
}

export interface TelegramPollerOptions {
  readonly token: string;
  readonly apiRoot: string;
  /** Says ok only when the update is stored, or needs no storing. Throwing counts as not ok. */
  readonly deliver: (update: unknown) => Promise<Delivery>;
  readonly log: (line: string) => void;
  /** Deletes a webhook that is set (keeping what waits for it), in order to poll. */
  readonly isTakingOver?: boolean;
  /** Tests set these waits instead of the usual ones. The last wait repeats. */
  readonly backoffMs?: readonly number[];
}

export interface TelegramPoller {
  /** Ends the poll under way, and resolves when nothing of the poller runs any more. */
  readonly stop: () => Promise<void>;
  /** A sentence about what is wrong; empty while all is well. */
  readonly problem: () => string;
}

interface Poller {
  readonly options: TelegramPollerOptions;
  readonly client: TelegramClient;
  readonly abort: AbortController;
  readonly answers: Set<Promise<void>>;
  problem: string;
  /** Id of the first update not yet confirmed. */
  offset: number | undefined;
  failures: number;
}

const Updates = z.array(z.looseObject({ update_id: z.int() }));
type Update = z.infer<typeof Updates>[number];
/** The only methods an answer may name. */
const Answer = z.discriminatedUnion('method', [
  z.looseObject({ method: z.literal('sendChatAction') }),
  z.looseObject({ method: z.literal('answerCallbackQuery') }),
]);

/** Keeps a problem, empty if there is none, and logs it once, however long it lasts. */
const note = (poller: Poller, problem: string): void => {
  const isNews = poller.problem !== problem;
  poller.problem = problem;
  if (isNews) poller.options.log(problem === '' ? 'Telegram: polling works' : `Telegram: ${problem}`);
};

const pause = async (poller: Poller, atLeastMs = 0): Promise<void> => {
  const waits = poller.options.backoffMs ?? TELEGRAM_POLL_BACKOFF_MS;
  const ms = Math.max(atLeastMs, waits[Math.min(poller.failures, waits.length - 1)] ?? 0);
  poller.failures += 1;
  await sleep(ms, undefined, { signal: poller.abort.signal }).catch(() => undefined);
};

const isWebhookConflict = (description: string): boolean => /webhook/i.test(description);

const conflictProblem = (description: string): string =>
  isWebhookConflict(description)
    ? 'a webhook is set for this bot, so polling gets nothing; delete the webhook, or set TELEGRAM_MODE=webhook'
    : 'another program polls for the same bot; stop it, or use another bot';

/** Deletes the webhook if the caller wants that. Its waiting updates stay and come by polling. */
const takeOver = async (poller: Poller): Promise<void> => {
  if (poller.options.isTakingOver !== true) return;
  poller.options.log('Telegram: deleting the webhook in order to poll');
  await poller.client.call('deleteWebhook', {}, { signal: poller.abort.signal });
};

/** Says what is wrong with a poll, and waits. */
const recover = async (poller: Poller, outcome: Exclude<TelegramOutcome, { kind: 'done' }>): Promise<void> => {
  if (outcome.kind !== 'refused') {
    note(poller, `no updates: ${outcome.reason}; trying again`);
    return await pause(poller);
  }
  const { code, description, retryAfterMs } = outcome;
  if (code === 409) {
    note(poller, conflictProblem(description));
    if (isWebhookConflict(description)) await takeOver(poller);
  } else if (isTokenRefused(outcome)) note(poller, 'the token in TELEGRAM_BOT_TOKEN is refused');
  else note(poller, `no updates: Telegram refused the poll (${code}): ${description}`);
  return await pause(poller, retryAfterMs);
};

const performAnswer = (poller: Poller, answer: unknown): void => {
  const parsed = Answer.safeParse(answer);
  if (!parsed.success) return;
  const { method, ...body } = parsed.data;
  const call = async (): Promise<void> => {
    const outcome = await poller.client.call(method, body, { signal: poller.abort.signal });
    if (outcome.kind === 'refused') poller.options.log(`Telegram: ${method} was refused: ${outcome.description}`);
  };
  const running = call().finally(() => poller.answers.delete(running));
  poller.answers.add(running);
};

const deliverOnce = async (poller: Poller, update: Update): Promise<Delivery> => {
  try {
    return await poller.options.deliver(update);
  } catch {
    return { ok: false };
  }
};

/** Hands one update over, trying until it works. @returns false if the poller was stopped before */
const deliver = async (poller: Poller, update: Update): Promise<boolean> => {
  while (!poller.abort.signal.aborted) {
    const delivery = await deliverOnce(poller, update);
    if (delivery.ok) {
      poller.offset = update.update_id + 1;
      poller.failures = 0;
      performAnswer(poller, delivery.answer);
      return true;
    }
    note(poller, `update ${update.update_id} could not be handed over; trying again`);
    await pause(poller);
  }
  return false;
};

const poll = async (poller: Poller): Promise<void> => {
  const body = {
    timeout: TELEGRAM_POLL_TIMEOUT_S,
    limit: TELEGRAM_POLL_UPDATES_MAX,
    allowed_updates: UPDATE_KINDS,
    ...defined({ offset: poller.offset }),
  };
  const timeoutMs = TELEGRAM_POLL_TIMEOUT_S * SECOND_MS + TELEGRAM_POLL_GRACE_MS;
  const outcome = await poller.client.call('getUpdates', body, { signal: poller.abort.signal, timeoutMs });
  if (poller.abort.signal.aborted) return;
  if (outcome.kind !== 'done') return await recover(poller, outcome);
  const updates = Updates.safeParse(outcome.result);
  if (!updates.success) return await recover(poller, { kind: 'unknown', reason: 'the answer holds no updates' });
  poller.failures = 0;
  note(poller, '');
  for (const update of updates.data) {
    if (!(await deliver(poller, update))) return;
    note(poller, '');
  }
};

const run = async (poller: Poller): Promise<void> => {
  while (!poller.abort.signal.aborted) await poll(poller);
};

/** Starts polling at once. Never throws: what goes wrong is in `problem` and in the log. */
export const startTelegramPoller = (options: TelegramPollerOptions): TelegramPoller => {
  const { token, apiRoot } = options;
  const poller: Poller = {
    options,
    client: buildTelegramClient({ token, apiRoot }),
    abort: new AbortController(),
    answers: new Set(),
    problem: '',
    offset: undefined,
    failures: 0,
  };
  const running = run(poller);
  return {
    stop: async () => {
      poller.abort.abort();
      await running;
      await Promise.all(poller.answers);
    },
    problem: () => poller.problem,
  };
};
