/**
 * A conversation in the terminal: every line is a message, replies are printed as they come, also
 * those that follow an approval later. `/exit` leaves this client only; every other line, commands
 * too, goes to the agent. Ends with its input, after the answers under way have come (or the wait
 * is over).
 */
import { randomUUID } from 'node:crypto';
import { clearLine, createInterface, cursorTo } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { CARD_TEXT } from './answers.ts';
import { buildClient, type Client } from './client.ts';
import { approvalLines } from './describe-action.ts';
import { CliError } from './exit-codes.ts';
import { buildDraftPrinter, type DraftPrinter, followDraft } from './follow-draft.ts';
import { CLI_WAIT_S_DEFAULT } from './limits.ts';
import { printable, printableLines } from './printable.ts';
import type { Stream } from './terminal.ts';
import { waitForTurn } from './wait-for-turn.ts';

export interface ChatInput {
  readonly url: string;
  readonly approverToken: string | undefined;
  readonly input: NodeJS.ReadableStream;
  readonly output: Stream & NodeJS.WritableStream;
  /** Session name; `main` by default. */
  readonly session?: string | undefined;
}

/** How often a turn that waits for an approval is looked at again, and how many times. */
const WAITING_LOOK_MS = 2_000;
const WAITING_LOOKS_MAX = 1_800;

interface FollowDeps {
  readonly print: (text: string) => void;
  /** Where an answer is shown while it is written. */
  readonly draft: DraftPrinter | undefined;
  readonly isLeaving: () => boolean;
  /** Rejects when the person has left. */
  readonly sleep: (ms: number) => Promise<void>;
}

/** Begins what has not begun, or has ended since. */
const followAgain = (follow: () => Promise<void>): (() => void) => {
  let isFollowing = false;
  return () => {
    if (isFollowing) return;
    isFollowing = true;
    void follow().finally(() => {
      isFollowing = false;
    });
  };
};

/** Prints what is new of one turn until nothing more comes of it. */
const followTurn = async (client: Client, id: string, deps: FollowDeps): Promise<void> => {
  const { print, draft, isLeaving, sleep } = deps;
  let isOver = false;
  let printed = 0;
  const printReplies = (replies: readonly string[]): void => {
    for (const text of replies.slice(printed))
      if (text !== CARD_TEXT && draft?.finish(id, text) !== true) print(printableLines(text));
    printed = Math.max(printed, replies.length);
  };
  const followAnswers = followAgain(async () => {
    if (draft === undefined) return;
    const onNext = (replies: readonly string[]): void => {
      printReplies(replies);
      draft.next(id);
    };
    const onText = (text: string): void => draft.write(id, text);
    await followDraft({ client, onText, onNext, isOver: () => isOver || isLeaving(), sleep }, id);
  });
  followAnswers();
  let hasShownApproval = false;
  for (let look = 0; look < WAITING_LOOKS_MAX; look += 1) {
    const { view, outcome } = await waitForTurn(
      { client, now: Date.now, sleep, onLook: ({ replies }) => printReplies(replies) },
      id,
      CLI_WAIT_S_DEFAULT * 1000,
    );
    if (view.turn !== 'running') draft?.finish(id, undefined);
    isOver = view.turn === 'ended';
    if (outcome === 'timed-out') print(`(still working on it; passepartout why ${printable(id)} says how far it is)`);
    else if (view.turn === 'ended' && printed === 0 && view.state !== 'acted')
      print(`(${view.state}${view.stateReason === undefined ? '' : `: ${printable(view.stateReason)}`})`);
    if (view.turn === 'ended') return;
    if (view.turn === 'waiting' && !hasShownApproval) {
      hasShownApproval = true;
      for (const line of await waitingLines(client, id)) print(line);
    }
    if (isLeaving()) return;
    await sleep(WAITING_LOOK_MS);
    if (view.turn === 'waiting') followAnswers();
  }
};

const waitingLines = async (client: Client, id: string): Promise<readonly string[]> => {
  const { approvals } = await client.approvals();
  const own = approvals.filter(({ signalId }) => signalId === id || signalId.startsWith(`${id}/`));
  return own.flatMap((approval) => ['This waits for an approval:', ...approvalLines(approval, Date.now())]);
};

const buildPrinter = (output: ChatInput['output'], prompt: () => void): ((text: string) => void) => {
  if (output.isTTY !== true) return (text) => void output.write(`${text}\n`);
  return (text) => {
    cursorTo(output, 0);
    clearLine(output, 0);
    output.write(`${text}\n`);
    prompt();
  };
};

const problemWords = (error: unknown): string =>
  error instanceof CliError ? `(${error.message})` : '(that did not work; the stack says more in its log)';

/** Runs until the input ends or the person leaves. */
export const runChat = async ({ input, output, ...chat }: ChatInput): Promise<void> => {
  const client = buildClient({ url: chat.url, approverToken: chat.approverToken });
  const isTerminal = output.isTTY === true;
  const lines = createInterface({ input, output: isTerminal ? output : undefined, terminal: isTerminal, prompt: '> ' });
  const print = buildPrinter(output, () => lines.prompt(true));
  const following = new Set<Promise<void>>();
  let isLeaving = false;
  const left = new AbortController();
  const follow: FollowDeps = {
    draft: isTerminal ? buildDraftPrinter(output, () => lines.prompt(true)) : undefined,
    print: (text) => {
      if (!left.signal.aborted) print(text);
    },
    isLeaving: () => isLeaving,
    sleep: (ms) => delay(ms, undefined, { signal: left.signal }),
  };
  lines.on('SIGINT', () => lines.close());
  if (isTerminal) lines.prompt();
  for await (const line of lines) {
    const text = line.trim();
    if (text === '/exit' || text === '/quit') break;
    if (text !== '') {
      try {
        const { id } = await client.post({ text: line, session: chat.session ?? 'main', idempotencyKey: randomUUID() });
        const followed = followTurn(client, id, follow).catch((error: unknown) => follow.print(problemWords(error)));
        following.add(followed);
        void followed.then(() => following.delete(followed));
      } catch (error) {
        print(problemWords(error));
      }
    }
    if (isTerminal) lines.prompt();
  }
  isLeaving = true;
  lines.close();
  // A person who leaves is let go at once; a script wants its answers first.
  if (isTerminal) left.abort();
  else await Promise.all(following);
};
