/**
 * Simulated time. Everything that takes time is an event; the clock jumps from one to the next.
 * Between two events all code that can run does run, so a run needs no waiting and has one order.
 */
import { settle } from '../machine/machine.ts';

interface Event {
  readonly at: number;
  /** Events of the same time run in the order they were made. */
  readonly order: number;
  run: (() => void) | undefined;
}

export interface Clock {
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => () => void;
  /** Runs events until none is left, or `endAt`. @returns whether none is left */
  readonly runUntil: (endAt: number) => Promise<boolean>;
  readonly eventCount: () => number;
}

const isBefore = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

const push = (heap: Event[], event: Event): void => {
  let at = heap.push(event) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || !isBefore(event, above)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = event;
};

const pop = (heap: Event[]): Event | undefined => {
  const [first] = heap;
  const last = heap.pop();
  if (first === undefined || last === undefined || first === last) return first;
  let at = 0;
  for (;;) {
    const left = at * 2 + 1;
    const right = left + 1;
    const leftEvent = heap[left];
    const rightEvent = heap[right];
    if (leftEvent === undefined) break;
    const isRight = rightEvent !== undefined && isBefore(rightEvent, leftEvent);
    const child = isRight ? rightEvent : leftEvent;
    if (!isBefore(child, last)) break;
    heap[at] = child;
    at = isRight ? right : left;
  }
  heap[at] = last;
  return first;
};

export const buildClock = (startAt: number): Clock => {
  const heap: Event[] = [];
  let now = startAt;
  let order = 0;
  return {
    now: () => now,
    after: (ms, run) => {
      order += 1;
      const event: Event = { at: now + Math.max(0, Math.round(ms)), order, run };
      push(heap, event);
      return () => {
        event.run = undefined;
      };
    },
    runUntil: async (endAt) => {
      await settle();
      for (let next = heap[0]; next !== undefined && next.at <= endAt; next = heap[0]) {
        pop(heap);
        if (next.run === undefined) continue;
        now = next.at;
        next.run();
        await settle();
      }
      if (heap.length === 0) return true;
      now = endAt;
      return false;
    },
    eventCount: () => heap.reduce((count, { run }) => (run === undefined ? count : count + 1), 0),
  };
};
