/**
 * A conversation in the terminal. Only `/exit`, `/quit` and an answer to the prompt's question are
 * the client's own. At the end of its input a script's chat waits for answers; a person's ends.
 */
import { join } from 'node:path';
import { clearLine, cursorTo } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { shortIdOf } from '../../../lib/core/approvals/approval.ts';
import { sayGranted } from '../../../lib/core/approvals/say-reach.ts';
import { approvals, approve, deny, grants } from '../../../lib/core/verbs/approvals/operations.ts';
import { languageShow } from '../../../lib/core/verbs/settings/operations.ts';
import { performChange, performLook, postMessage, type StackAccess } from '../client.ts';
import { aboutTaskLines, approvalLine, approvalLines } from '../describe-action.ts';
import { buildTerminal, CliError, printableLines, type Stream } from '../terminal.ts';
import { completeLine } from './complete-line.ts';
import { buildDraftPrinter } from './follow-draft.ts';
import { type Following, followOthers, followTurn } from './follow-turn.ts';
import { type Answer, buildQuestions } from './questions.ts';
import { readLines } from './read-lines.ts';

/** Of the data folder. */
const CHAT_HISTORY_FILE = 'chat-history';

/** @param count messages that have no answer yet: one is worked on, the others wait for it */
const workingWords = (count: number): string => {
  if (count === 0) return '';
  return count === 1 ? 'working … ' : `working, ${count - 1} waiting … `;
};

/** Between looks at what waits for a yes, beside those after each turn. */
const COUNTS_LOOK_MS = 5_000;

/** Cards that wait for a yes anywhere, and rules that were learned. */
const countWords = (cards: number, rules: number): string => `(${cards} wait, ${rules} learned) `;

const describeProblem = (error: unknown): string =>
  error instanceof CliError ? `(${error.message})` : '(that did not work; the stack says more in its log)';

export interface ChatInput {
  readonly access: StackAccess;
  readonly input: NodeJS.ReadableStream;
  readonly output: Stream & NodeJS.WritableStream;
  /** Name of the conversation; `main` by default. */
  readonly session?: string | undefined;
  /** For screen readers: whole answers without styles, and a line when one is done. */
  readonly isPlain?: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The file of typed lines, kept between chats; none are kept if absent. */
  readonly dataFolder?: string;
  /** Turns that the stack took up again when it started. */
  readonly takenUp?: readonly string[];
  /** Gets a function that writes a line above the prompt. */
  readonly onPrint?: (print: (line: string) => void) => void;
}

type Decision = Exclude<Answer, 'later' | 'all'>;

/** Begins to decide on an approval. @returns the signal to follow */
const decide = async (access: StackAccess, approval: string, answer: Decision, session: string | undefined) => {
  if (answer === 'no') return performChange(access, deny, { approval }, session);
  const more = answer === 'yes' ? {} : { [answer]: true };
  return performChange(access, approve, { approval, ...more }, session);
};

export const runChat = async (chat: ChatInput): Promise<void> => {
  const { access, input, output, session, isPlain = false, env = {}, dataFolder, takenUp = [], onPrint } = chat;
  const isTerminal = output.isTTY === true;
  const say = access.speech?.say ?? ((text: string): string => text);
  // The stack names the language that was chosen there.
  const learnLanguage = () => performLook(access, languageShow, {}).catch(() => undefined);
  await learnLanguage();
  const { paint } = buildTerminal(output, output, false, isPlain ? { NO_COLOR: '1' } : env);
  const questions = isTerminal ? buildQuestions(Date.now) : undefined;
  const historyFile = dataFolder === undefined ? undefined : join(dataFolder, CHAT_HISTORY_FILE);
  const lines = readLines({ input, output, isTerminal, historyFile, complete: (line) => completeLine(access, line) });
  const left = new AbortController();
  const working = new Set<string>();
  let counts = '';
  const prompt = (): void => {
    if (!isTerminal) return;
    const question = questions?.prompt();
    // A screen reader would say them at each prompt, and a question is about one that waits.
    const counted = isPlain || question !== undefined ? '' : say(counts);
    // A question never takes a line that was begun before it was asked.
    if (!lines.isBegun()) lines.editor.setPrompt(counted + say(workingWords(working.size)) + say(question ?? '> '));
    lines.editor.prompt(true);
  };
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
  const lookAtCounts = async (): Promise<void> => {
    // A stack that cannot be reached for a moment is asked again.
    const look = async () => [await performLook(access, approvals, {}), await performLook(access, grants, {})] as const;
    const [waiting, allowed] = (await look().catch(() => undefined)) ?? [];
    const words = waiting === undefined ? counts : countWords(waiting.approvals.length, allowed?.learned ?? 0);
    if (words === counts || left.signal.aborted) return;
    counts = words;
    if (isPlain) print(say(counts.trimEnd()));
    else if (following.draft?.isWriting() !== true) prompt();
  };
  const watchCounts = async (): Promise<void> => {
    while (!left.signal.aborted) {
      await following.sleep(COUNTS_LOOK_MS);
      await lookAtCounts();
    }
  };
  let isLeaving = false;
  let decided: Promise<unknown> = Promise.resolve();
  const following: Following = {
    access,
    print,
    paint,
    say,
    columns: () => (isTerminal && !isPlain ? output.columns : undefined),
    questions,
    draft: isTerminal && !isPlain ? buildDraftPrinter(output, prompt, paint, say) : undefined,
    hasEnding: true,
    owed: { id: '', until: 0 },
    onWork: (id, isAtWork) => {
      if (isPlain || left.signal.aborted || working.has(id) === isAtWork) return;
      working[isAtWork ? 'add' : 'delete'](id);
      if (following.draft?.isWriting() !== true) prompt();
    },
    decided: () => decided,
    isLeaving: () => isLeaving,
    sleep: (ms) => delay(ms, undefined, { signal: left.signal }),
  };
  const turns = new Set<Promise<void>>();
  const follow = (id: string): Promise<void> => {
    const turn = followTurn(following, id).catch((error: unknown) => {
      working.delete(id);
      print(say(describeProblem(error)));
    });
    turns.add(turn);
    void turn.then(() => turns.delete(turn));
    if (isTerminal) void turn.then(lookAtCounts);
    return turn;
  };
  const decideAndFollow = (approval: string, answer: Decision): Promise<void> =>
    decide(access, approval, answer, session)
      .then(({ id }) => follow(id))
      .catch((error: unknown) => print(say(describeProblem(error))));
  const begin = async (message: string): Promise<void> => {
    const answered = questions?.take(message);
    if (answered === undefined) {
      const turn = follow((await postMessage(access, message, session)).id);
      if (/^\s*\/language\b/i.test(message)) void turn.then(learnLanguage).then(prompt);
      return;
    }
    const { approval, others = [], answer, next } = answered;
    const all = [approval, ...others];
    if (answer === 'all') return print(say(all.flatMap((one) => approvalLines(one, Date.now(), true)).join('\n')));
    if (answer === 'one')
      return print(say([...approvalLines(approval, Date.now(), false), ...aboutTaskLines(approval)].join('\n')));
    if (answer === 'similar')
      print(say(sayGranted(approval.action, 'exactly as above').map(printableLines).join('\n')));
    for (const one of all)
      if (answer === 'later') print(say(`(set aside; /approve ${shortIdOf(one.id ?? '')} or /deny decides it)`));
      else decided = Promise.all([decided, decideAndFollow(one.id ?? '', answer)]);
    if (next !== undefined) print(say([approvalLine(next, Date.now()), ...aboutTaskLines(next)].join('\n')));
  };
  lines.editor.on('SIGINT', () => {
    if (!lines.isBegun()) return lines.close();
    // As in shells: the first one takes back what was typed.
    lines.drop();
    prompt();
  });
  if (isTerminal)
    void followOthers({ ...following, draft: undefined, hasEnding: false }, session ?? 'main', takenUp).catch(
      () => undefined,
    );
  if (isTerminal) {
    await lookAtCounts();
    void watchCounts().catch(() => undefined);
  }
  prompt();
  for await (const message of lines.messages) {
    const text = message.trim();
    if (text === '/exit' || text === '/quit') break;
    if (text !== '') await begin(message).catch((error: unknown) => print(say(describeProblem(error))));
    prompt();
  }
  isLeaving = true;
  lines.close();
  if (isTerminal) left.abort();
  else await Promise.all(turns);
};
