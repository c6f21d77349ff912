/**
 * An answer while it is written, in a terminal: reads a signal's stream of events from where it
 * left off until the turn is over, and writes what comes as it comes. The reply that was performed
 * goes on from there, or says that it is another one; after tools were called the next answer
 * begins. Ends quietly where there is no stream: the turn is followed anyway.
 */
import { clearLine, cursorTo } from 'node:readline';
import { createParser } from 'eventsource-parser';
import * as z from 'zod';
import { STREAM_RETRY_MS } from '../../lib/edge/limits.ts';
import type { Client } from './client.ts';
import { printableLines } from './printable.ts';

const Told = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('next'), replies: z.array(z.string()) }),
  z.looseObject({ type: z.literal('end') }),
  z.looseObject({ type: z.literal('gave-way') }),
]);

export interface FollowDraftDeps {
  readonly client: Pick<Client, 'stream'>;
  readonly onText: (text: string) => void;
  /** Another answer of the turn begins, after these replies. */
  readonly onNext: (replies: readonly string[]) => void;
  readonly isOver: () => boolean;
  readonly sleep: (ms: number) => Promise<void>;
}

/** The data of each server-sent event in a text. */
export const parseEvents = (text: string): readonly string[] => {
  const events: string[] = [];
  createParser({ onEvent: ({ data }) => events.push(data) }).feed(text);
  return events;
};

/** Never rejects. */
export const followDraft = async (
  { client, onText, onNext, isOver, sleep }: FollowDraftDeps,
  id: string,
): Promise<void> => {
  let last = '';
  try {
    while (!isOver()) {
      const answer = await client.stream(id, last);
      for (const data of parseEvents(answer)) {
        const told = Told.parse(JSON.parse(data));
        if (told.type === 'end' || told.type === 'gave-way' || isOver()) return;
        if (told.type === 'next') onNext(told.replies);
        else onText(told.text);
      }
      last = [...answer.matchAll(/^id: (\S{1,200})$/gm)].at(-1)?.[1] ?? last;
      await sleep(STREAM_RETRY_MS);
    }
  } catch {
    // The reply comes all the same.
  }
};

export interface DraftPrinter {
  /**
   * What comes next of the answer to a signal; of another one while one is being written, nothing,
   * nor of one that was finished.
   */
  readonly write: (id: string, text: string) => void;
  /**
   * The reply itself, or nothing where none came of the draft. @returns whether it was written, as
   * the rest of its draft
   */
  readonly finish: (id: string, reply: string | undefined) => boolean;
  /**
   * Another answer to the signal begins; the one before it, if it was not finished, came to
   * nothing.
   */
  readonly next: (id: string) => void;
}

/** @param prompt shows the prompt again after the reply. */
export const buildDraftPrinter = (output: NodeJS.WritableStream, prompt: () => void): DraftPrinter => {
  let writing: { readonly id: string; readonly text: string } | undefined;
  const finished = new Set<string>();
  const finish: DraftPrinter['finish'] = (id, reply) => {
    finished.add(id);
    if (writing === undefined || writing.id !== id) return false;
    const { text } = writing;
    writing = undefined;
    const isRest = reply?.startsWith(text) === true;
    output.write(isRest ? `${printableLines((reply ?? '').slice(text.length))}\n` : '\n(that was taken back)\n');
    prompt();
    return isRest;
  };
  return {
    write: (id, text) => {
      if (finished.has(id) || (writing !== undefined && writing.id !== id)) return;
      if (writing === undefined) {
        cursorTo(output, 0);
        clearLine(output, 0);
      }
      output.write(printableLines(text));
      writing = { id, text: `${writing?.text ?? ''}${text}` };
    },
    finish,
    next: (id) => {
      finish(id, undefined);
      finished.delete(id);
    },
  };
};
