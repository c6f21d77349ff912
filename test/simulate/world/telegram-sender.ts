/**
 * Telegram's sender of updates, set to one connection as the product asks for: one request at a
 * time. Updates of one chat, and taps of one person, keep their order; while one of them waits to
 * be sent again, others go on. An update counts as taken with a 2xx, and may still come twice.
 */
import type { Sent, Step } from '../types.ts';
import { addSent, backoffMs, type ClientsWorld, drawRepeatMs, GIVE_UP_MS, tryOnce } from './sending.ts';

export interface TelegramSender {
  /** Numbers an update and sends it as soon as its turn comes. */
  readonly add: (step: Step, update: object, isCardAnswer: boolean) => void;
}

interface Pending {
  readonly one: Sent;
  readonly request: Parameters<typeof tryOnce>[3];
  /** Updates of the same line keep their order. */
  readonly line: string;
  readonly isRepeat: boolean;
  readonly since: number;
  failures: number;
  wakeAt: number;
}

const FIRST_UPDATE_ID = 700_000_001;

/** The first of its line that may be sent now. */
const findNext = (pending: readonly Pending[], now: number): Pending | undefined => {
  const lines = new Set<string>();
  for (const one of pending) {
    if (lines.has(one.line)) continue;
    if (one.wakeAt <= now) return one;
    lines.add(one.line);
  }
  return undefined;
};

export const startTelegramSender = (world: ClientsWorld): TelegramSender => {
  const { now, after, outside, requests } = world;
  const pending: Pending[] = [];
  let nextUpdateId = FIRST_UPDATE_ID;
  let isBusy = false;

  const enqueue = (one: Pick<Pending, 'one' | 'request' | 'line' | 'isRepeat'>): void => {
    pending.push({ ...one, since: now(), failures: 0, wakeAt: now() });
    pump();
  };

  const remove = (one: Pending): void => void pending.splice(pending.indexOf(one), 1);

  const failed = (one: Pending): void => {
    if (now() - one.since > GIVE_UP_MS) {
      remove(one);
      return;
    }
    const ms = backoffMs(one.failures);
    one.failures += 1;
    one.wakeAt = now() + ms;
    if (ms > 0) after(ms, pump);
  };

  const post = async (next: Pending): Promise<void> => {
    const answer = await tryOnce(world, next.one, 'telegram', next.request);
    isBusy = false;
    if (answer !== undefined && answer.status >= 200 && answer.status < 300) {
      remove(next);
      outside.telegram.performAnswer(answer);
      const repeatMs = next.isRepeat ? undefined : drawRepeatMs(world);
      if (repeatMs !== undefined) after(repeatMs, () => enqueue({ ...next, isRepeat: true }));
    } else failed(next);
    pump();
  };

  const pump = (): void => {
    const next = isBusy ? undefined : findNext(pending, now());
    if (next === undefined) return;
    isBusy = true;
    void post(next);
  };

  return {
    add: (step, update, isCardAnswer) => {
      const { signalId, request } = requests.update(nextUpdateId, update);
      nextUpdateId += 1;
      const line = `${isCardAnswer ? 'tap' : 'chat'}:${'conversation' in step ? step.conversation : ''}`;
      enqueue({ one: addSent(world, step, signalId, isCardAnswer), request, line, isRepeat: false });
    },
  };
};
