/** An answer of a chat while it is written: read from its stream of events, shown as it grows. */
import { clearLine, cursorTo } from 'node:readline';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import * as z from 'zod/mini';
import { STREAM_RETRY_MS } from '../../../lib/core/edge/limits.ts';
import { type Paint, renderMarkdown, stablePart } from './render-markdown.ts';

const StreamEvent = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('next'), replies: z.array(z.string()) }),
  z.looseObject({ type: z.literal('end') }),
  z.looseObject({ type: z.literal('gave-way') }),
]);

export const parseEvents = (text: string): readonly EventSourceMessage[] => {
  const events: EventSourceMessage[] = [];
  createParser({ onEvent: (event) => events.push(event) }).feed(text);
  return events;
};

export interface FollowDraftDeps {
  /** Events of an answer after the one with this id. */
  readonly loadEvents: (lastEventId: string) => Promise<string>;
  readonly onText: (text: string) => void;
  /** Another answer of the turn begins, after these replies. */
  readonly onNext: (replies: readonly string[]) => void;
  readonly isOver: () => boolean;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Reads an answer while it is written. Never rejects: without a stream the reply comes anyway. */
export const followDraft = async ({ loadEvents, onText, onNext, isOver, sleep }: FollowDraftDeps): Promise<void> => {
  let last = '';
  try {
    while (!isOver()) {
      for (const { id, data } of parseEvents(await loadEvents(last))) {
        last = id ?? last;
        const event = StreamEvent.parse(JSON.parse(data));
        if (event.type === 'end' || event.type === 'gave-way' || isOver()) return;
        if (event.type === 'next') onNext(event.replies);
        else onText(event.text);
      }
      await sleep(STREAM_RETRY_MS);
    }
  } catch {
    // The reply comes all the same.
  }
};

/** Shows one answer at a time while it is written. */
export interface DraftPrinter {
  /** Writes more of the answer to a signal, unless another is being written or it was finished. */
  readonly write: (id: string, text: string) => void;
  /**
   * Ends the draft with its reply, or with none if it came to nothing.
   * @returns whether the reply was written, as the rest of its draft
   */
  readonly finish: (id: string, reply: string | undefined) => boolean;
  /** Begins another answer to the signal. */
  readonly next: (id: string) => void;
  readonly isWriting: () => boolean;
}

interface Draft {
  readonly id: string;
  readonly text: string;
  readonly shown: string;
  /** As the terminal was when the draft began. */
  readonly columns: number | undefined;
}

/** @param prompt shows the prompt again after the reply */
export const buildDraftPrinter = (
  output: NodeJS.WritableStream & { readonly columns?: number },
  prompt: () => void,
  paint: Paint,
  say = (text: string): string => text,
): DraftPrinter => {
  let writing: Draft | undefined;
  const finished = new Set<string>();
  const finish: DraftPrinter['finish'] = (id, reply) => {
    finished.add(id);
    if (writing === undefined || writing.id !== id) return false;
    const { text, shown, columns } = writing;
    writing = undefined;
    const rest =
      reply?.startsWith(text) === true ? renderMarkdown(reply, paint, columns).slice(shown.length) : undefined;
    output.write(rest === undefined ? `\n${say('(that was taken back)')}\n` : `${rest}\n`);
    prompt();
    return rest !== undefined;
  };
  return {
    write: (id, more) => {
      if (finished.has(id) || (writing !== undefined && writing.id !== id)) return;
      if (writing === undefined) {
        cursorTo(output, 0);
        clearLine(output, 0);
      }
      const text = `${writing?.text ?? ''}${more}`;
      const columns = writing === undefined ? output.columns : writing.columns;
      const shown = renderMarkdown(stablePart(text, columns !== undefined), paint, columns);
      output.write(shown.slice(writing?.shown.length ?? 0));
      writing = { id, text, shown, columns };
    },
    finish,
    next: (id) => {
      finish(id, undefined);
      finished.delete(id);
    },
    isWriting: () => writing !== undefined,
  };
};
