/**
 * `chat`: a conversation in the terminal. Every line is a message; only `/exit` and `/quit` are the
 * client's own. Replies are printed as they come, also those that follow an approval later. When
 * the input ends, a script's chat waits for the answers under way; a person's ends at once.
 */
import { clearLine, createInterface, cursorTo } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import * as z from 'zod/mini';
import { STREAM_RETRY_MS } from '../../../lib/edge/limits.ts';
import { CARD_TEXT } from '../answers.ts';
import { loadSignal, loadSignals, loadStream, postMessage, type StackAccess } from '../client.ts';
import type { Command } from '../command.ts';
import { CliError, EXIT, printable, printableLines, type Stream } from '../terminal.ts';
import { CLI_WAIT_S_DEFAULT, waitForTurn, waitingLines } from '../turn.ts';

/** Pause between looks at a turn that waits for an approval, and the number of looks. */
const WAITING_LOOK_MS = 2_000;
const WAITING_LOOKS_MAX = 1_800;
/** Pause between looks for what jobs and runbooks say here, and how many of the newest are seen. */
const OTHERS_LOOK_MS = 5_000;
const OTHERS_SEEN = 20;
/** Turns that were followed already: more than the newest. */
const OTHERS_KNOWN = 200;

const StreamEvent = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('next'), replies: z.array(z.string()) }),
  z.looseObject({ type: z.literal('end') }),
  z.looseObject({ type: z.literal('gave-way') }),
]);

/** The server-sent events of a text. */
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

/**
 * Reads an answer while it is written, until it is over. Never rejects: a stack without a stream
 * gives the reply all the same.
 */
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
}

/** @param prompt shows the prompt again after the reply */
export const buildDraftPrinter = (output: NodeJS.WritableStream, prompt: () => void): DraftPrinter => {
  let writing: { readonly id: string; readonly text: string } | undefined;
  const finished = new Set<string>();
  const finish: DraftPrinter['finish'] = (id, reply) => {
    finished.add(id);
    if (writing === undefined || writing.id !== id) return false;
    const { text } = writing;
    writing = undefined;
    const rest = reply?.startsWith(text) === true ? reply.slice(text.length) : undefined;
    output.write(rest === undefined ? '\n(that was taken back)\n' : `${printableLines(rest)}\n`);
    prompt();
    return rest !== undefined;
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

interface Following {
  readonly access: StackAccess;
  readonly print: (text: string) => void;
  /** Shows an answer while it is written; a script is shown none. */
  readonly draft: DraftPrinter | undefined;
  /** Says what became of a turn without an answer. */
  readonly hasEnding: boolean;
  readonly isLeaving: () => boolean;
  /** Rejects when the person has left. */
  readonly sleep: (ms: number) => Promise<void>;
}

/** Prints everything new of one turn until nothing more comes of it. */
const followTurn = async (following: Following, id: string): Promise<void> => {
  const { access, print, draft, hasEnding, isLeaving, sleep } = following;
  let isOver = false;
  let printedCount = 0;
  let hasShownApproval = false;
  let isReadingDraft = false;

  const printReplies = (replies: readonly string[]): void => {
    for (const text of replies.slice(printedCount))
      if (text !== CARD_TEXT && draft?.finish(id, text) !== true) print(printableLines(text));
    printedCount = Math.max(printedCount, replies.length);
  };
  const readDraft = async (): Promise<void> => {
    if (draft === undefined || isReadingDraft) return;
    isReadingDraft = true;
    await followDraft({
      loadEvents: (last) => loadStream(access, id, last),
      onText: (text) => draft.write(id, text),
      onNext: (replies) => {
        printReplies(replies);
        draft.next(id);
      },
      isOver: () => isOver || isLeaving(),
      sleep,
    });
    isReadingDraft = false;
  };

  void readDraft();
  for (let looks = 0; looks < WAITING_LOOKS_MAX; looks += 1) {
    const waiting = {
      access,
      now: Date.now,
      sleep,
      onLook: ({ replies }: { readonly replies: readonly string[] }) => printReplies(replies),
    };
    const { view, isTimedOut } = await waitForTurn(waiting, id, CLI_WAIT_S_DEFAULT * 1000);
    if (view.turn !== 'running') draft?.finish(id, undefined);
    isOver = view.turn === 'ended';
    if (isTimedOut) print(`(still working on it; npx passepartout why ${printable(id)} says how far it is)`);
    else if (hasEnding && isOver && printedCount === 0 && view.state !== 'acted')
      print(`(${view.state}${view.stateReason === undefined ? '' : `: ${printable(view.stateReason)}`})`);
    if (isOver) return;
    if (view.turn === 'waiting' && !hasShownApproval) {
      hasShownApproval = true;
      print((await waitingLines(access, id, 'chat')).join('\n'));
    }
    if (isLeaving()) return;
    await sleep(WAITING_LOOK_MS);
    if (view.turn === 'waiting') void readDraft();
  }
};

/**
 * Follows what was said here before this chat began, and had no answer when the stack started: it
 * may have one by now.
 */
const followEarlier = async (
  following: Following,
  earlier: readonly { readonly id: string }[],
  takenUp: readonly string[],
): Promise<void> => {
  for (const { id } of earlier)
    if (takenUp.includes(id) || (await loadSignal(following.access, id)).turn === 'running')
      void followTurn(following, id).catch(() => undefined);
};

/** Prints the answers that jobs and runbooks give in this conversation, from now on. */
const followOthers = async (following: Following, session: string, takenUp: readonly string[]): Promise<void> => {
  const { access, isLeaving, sleep } = following;
  const here = `console:${session}`;
  const begunAt = Date.now();
  let known: ReadonlySet<string> | undefined;
  while (!isLeaving()) {
    // A stack that cannot be reached for a moment is asked again.
    const answer = await loadSignals(access, { roots: 'true', limit: `${OTHERS_SEEN}` }).catch(() => undefined);
    const told = (answer?.signals ?? []).filter((one) => one.answeredIn === here && one.sensor !== 'session-summary');
    const others = told.filter(({ source }) => source !== 'console');
    if (known === undefined)
      await followEarlier(
        following,
        told.filter(({ receivedAt }) => receivedAt < begunAt),
        takenUp,
      ).catch(() => undefined);
    for (const { id } of others) if (known?.has(id) === false) void followTurn(following, id).catch(() => undefined);
    if (answer !== undefined) known = new Set([...(known ?? []), ...others.map(({ id }) => id)].slice(-OTHERS_KNOWN));
    await sleep(OTHERS_LOOK_MS);
  }
};

const describeProblem = (error: unknown): string =>
  error instanceof CliError ? `(${error.message})` : '(that did not work; the stack says more in its log)';

export interface ChatInput {
  readonly access: StackAccess;
  readonly input: NodeJS.ReadableStream;
  readonly output: Stream & NodeJS.WritableStream;
  /** Name of the conversation; `main` by default. */
  readonly session?: string | undefined;
  /** Turns that the stack took up again when it started. */
  readonly takenUp?: readonly string[];
  /** Gets a function that writes a line above the prompt. */
  readonly onPrint?: (print: (line: string) => void) => void;
}

/** Runs until the input ends or the person leaves. */
export const runChat = async ({ access, input, output, session, takenUp = [], onPrint }: ChatInput): Promise<void> => {
  const isTerminal = output.isTTY === true;
  const lines = createInterface({ input, output: isTerminal ? output : undefined, terminal: isTerminal, prompt: '> ' });
  const prompt = (): void => {
    if (isTerminal) lines.prompt(true);
  };
  const left = new AbortController();
  const print = (text: string): void => {
    if (left.signal.aborted) return;
    if (isTerminal) {
      cursorTo(output, 0);
      clearLine(output, 0);
    }
    output.write(`${text}\n`);
    prompt();
  };
  onPrint?.(print);
  let isLeaving = false;
  const following: Following = {
    access,
    print,
    draft: isTerminal ? buildDraftPrinter(output, prompt) : undefined,
    hasEnding: true,
    isLeaving: () => isLeaving,
    sleep: (ms) => delay(ms, undefined, { signal: left.signal }),
  };
  const turns = new Set<Promise<void>>();
  lines.on('SIGINT', () => lines.close());
  if (isTerminal)
    void followOthers({ ...following, draft: undefined, hasEnding: false }, session ?? 'main', takenUp).catch(
      () => undefined,
    );
  if (isTerminal) lines.prompt();
  for await (const line of lines) {
    const text = line.trim();
    if (text === '/exit' || text === '/quit') break;
    if (text !== '') {
      try {
        const { id } = await postMessage(access, line, session);
        const turn = followTurn(following, id).catch((error: unknown) => print(describeProblem(error)));
        turns.add(turn);
        void turn.then(() => turns.delete(turn));
      } catch (error) {
        print(describeProblem(error));
      }
    }
    if (isTerminal) lines.prompt();
  }
  isLeaving = true;
  lines.close();
  if (isTerminal) left.abort();
  else await Promise.all(turns);
};

export const chat: Command = {
  name: 'chat',
  usage: '',
  summary: 'talk to the agent; /exit leaves, every other /command goes to the agent',
  options: { session: { type: 'string', value: 'name', help: 'conversation to talk in (default: main)' } },
  argCount: [0, 0],
  run: async ({ access, input, output, text, terminal }) => {
    if (terminal.isJson) throw new CliError(EXIT.usage, 'chat has no --json; use "send --json"');
    await runChat({ access: await access(), input, output, session: text('session') });
    return EXIT.ok;
  },
};
