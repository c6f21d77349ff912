/**
 * Says when to look at an embedded queue again, so that whoever waits sleeps until a message may
 * have become visible: after a request that sends one or frees its group, and when one in flight
 * comes back by itself. The server's own long polls look at each queue fifty times a second.
 */
import * as z from 'zod';

const Entry = z.object({ ReceiptHandle: z.optional(z.string()), VisibilityTimeout: z.optional(z.number()) });
/** A request on a queue, alone or a batch of them. */
const Noted = z.object({ QueueUrl: z.string(), ...Entry.shape, Entries: z.optional(z.array(Entry)) });

export interface QueueWaits {
  /** Takes a request that the server has done, by its action. */
  readonly note: (action: string, body: unknown) => void;
  /**
   * Takes what a look received; each message comes back after `visibilityS` unless it is deleted.
   */
  readonly noteReceived: (url: string, receiptHandles: readonly string[], visibilityS: number) => void;
  /** Looks until a look brings something, and sleeps between; `undefined` once all is over. */
  readonly lookUntilFound: <T>(url: string, look: () => Promise<T | undefined>) => Promise<T | undefined>;
  readonly end: () => void;
}

interface Queue {
  /** When each message in flight becomes visible again, epoch milliseconds, by receipt handle. */
  readonly backAt: Map<string, number>;
  /** Ends the sleep of those who wait. */
  readonly wakes: Set<() => void>;
  /**
   * Counts what may have made something visible, so that nothing is missed between a look and a
   * sleep.
   */
  version: number;
  /** At most so many messages were sent and not received yet. */
  backlog: number;
  /** A message came back, and no look since then has seen the queue empty. */
  hasReturned: boolean;
}

export const buildQueueWaits = (): QueueWaits => {
  const queues = new Map<string, Queue>();
  let isOver = false;

  const queueOf = (url: string): Queue => {
    const queue = queues.get(url) ?? {
      backAt: new Map(),
      wakes: new Set(),
      version: 0,
      backlog: 0,
      hasReturned: false,
    };
    queues.set(url, queue);
    return queue;
  };
  const wake = (queue: Queue): void => {
    queue.version += 1;
    for (const end of [...queue.wakes]) end();
  };
  const wakeAll = (): void => {
    for (const queue of queues.values()) wake(queue);
  };

  const sleep = (queue: Queue): Promise<void> =>
    new Promise((resolve) => {
      const backAt = Math.min(...queue.backAt.values());
      const timer = Number.isFinite(backAt) ? setTimeout(() => end(), Math.max(1, backAt - Date.now())) : undefined;
      const end = (): void => {
        clearTimeout(timer);
        queue.wakes.delete(end);
        resolve();
      };
      queue.wakes.add(end);
    });

  const dropReturned = (queue: Queue): void => {
    const returned = [...queue.backAt].filter(([, at]) => at <= Date.now());
    for (const [handle] of returned) queue.backAt.delete(handle);
    queue.backlog += returned.length;
    queue.hasReturned ||= returned.length > 0;
  };

  return {
    note: (action, body) => {
      const noted = Noted.safeParse(body);
      if (!noted.success) return;
      const queue = queueOf(noted.data.QueueUrl);
      const entries = noted.data.Entries ?? [noted.data];
      switch (action.replace(/Batch$/, '')) {
        case 'SendMessage':
          queue.backlog += entries.length;
          return wake(queue);
        case 'ChangeMessageVisibility':
          for (const { ReceiptHandle = '', VisibilityTimeout = 0 } of entries)
            queue.backAt.set(ReceiptHandle, Date.now() + VisibilityTimeout * 1000);
          return wake(queue);
        case 'DeleteMessage':
          for (const { ReceiptHandle = '' } of entries) queue.backAt.delete(ReceiptHandle);
          // It frees its group, in which nothing waits if nothing was sent.
          if (queue.backlog > 0) wake(queue);
      }
    },
    noteReceived: (url, receiptHandles, visibilityS) => {
      const queue = queueOf(url);
      queue.backlog = Math.max(0, queue.backlog - receiptHandles.length);
      for (const handle of receiptHandles) queue.backAt.set(handle, Date.now() + visibilityS * 1000);
    },
    lookUntilFound: async (url, look) => {
      const queue = queueOf(url);
      while (!isOver) {
        const { version } = queue;
        dropReturned(queue);
        const found = await look();
        // A look moves what came back too often to its dead-letter queue, whose readers are asleep.
        if (queue.hasReturned) wakeAll();
        if (found !== undefined) return found;
        queue.hasReturned = false;
        if (queue.version !== version) continue;
        if (queue.backAt.size === 0) queue.backlog = 0;
        await sleep(queue);
      }
      return undefined;
    },
    end: () => {
      isOver = true;
      wakeAll();
    },
  };
};
