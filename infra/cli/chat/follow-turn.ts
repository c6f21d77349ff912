/** Prints what becomes of the turns of a chat, and what jobs and runbooks say in it. */
import { type Language, USUAL_LANGUAGE } from '../../../lib/core/base/language.ts';
import { signals } from '../../../lib/core/edge/console/console-verbs.ts';
import { lineParts, turnFigures } from '../../../lib/core/verbs/signals/turn-cost.ts';
import { CARD_TEXT, type SignalAnswer } from '../answers.ts';
import { loadSignal, loadStream, performLook, type StackAccess } from '../client.ts';
import { waitingCardLines } from '../describe-action.ts';
import { printable } from '../terminal.ts';
import { CLI_PROGRESS_AFTER_MS, CLI_WAIT_S_DEFAULT, loadWaiting, waitForTurn } from '../turn.ts';
import { type DraftPrinter, followDraft } from './follow-draft.ts';
import type { Questions } from './questions.ts';
import { type Paint, renderMarkdown } from './render-markdown.ts';

/** Pause between looks at a turn that waits for an approval, and the number of looks. */
const WAITING_LOOK_MS = 2_000;
const WAITING_LOOKS_MAX = 1_800;
/** Pause between looks for what jobs and runbooks say here, and how many of the newest are seen. */
const OTHERS_LOOK_MS = 5_000;
const OTHERS_SEEN = 20;
/** Turns that were followed already: more than the newest. */
const OTHERS_KNOWN = 200;

/** Other answers wait so long for the figures of one, and the pause between looks. */
const ENDING_WAIT_MS = 1_000;
const OWED_LOOK_MS = 50;

export interface Following {
  readonly access: StackAccess;
  readonly print: (text: string) => void;
  readonly paint: Paint;
  /** Says the chat's own words in the language of the person. */
  readonly say: (text: string) => string;
  /** Of the terminal at this moment; undefined if lines are not broken. */
  readonly columns: () => number | undefined;
  /** Asks about cards by the prompt; a script is told how to decide instead. */
  readonly questions: Questions | undefined;
  /** Shows an answer while it is written; a script is shown none. */
  readonly draft: DraftPrinter | undefined;
  /** Says what became of a turn: how it ended without an answer, or what the answer took. */
  readonly hasEnding: boolean;
  /** The turn whose answer was printed and whose figures come next, until when others wait. */
  readonly owed: { readonly id: string; until: number };
  /** Learns whether a turn with an ending is worked on, once that takes longer than a moment. */
  readonly onWork: (id: string, isAtWork: boolean) => void;
  /** Waits until the chat has told how the decisions on cards that were typed here ended. */
  readonly decided: () => Promise<unknown>;
  readonly isLeaving: () => boolean;
  /** Rejects when the person has left. */
  readonly sleep: (ms: number) => Promise<void>;
}

/** How it ended, if nothing was said; else, if a model answered, what that took. */
const endingLines = (view: SignalAnswer, now: number, language: Language = USUAL_LANGUAGE): readonly string[] => {
  if (view.replies.length === 0 && view.state !== 'acted')
    return [`(${view.state}${view.stateReason === undefined ? '' : `: ${printable(view.stateReason)}`})`];
  const figures = turnFigures(view, now);
  if (figures === undefined) return [];
  const verbs = figures.hasOutput ? ['/why', '/output'] : ['/why'];
  return [printable([...lineParts(figures, language), ...verbs].join(' · '))];
};

export const followTurn = async (following: Following, id: string): Promise<void> => {
  const { access, print, paint, say, columns, questions, draft, hasEnding, owed, onWork, decided, isLeaving, sleep } =
    following;
  let isOver = false;
  let printedCount = 0;
  let hasShownApproval = false;
  let isReadingDraft = false;
  let personMs = 0;
  let hasDraft: boolean | undefined;
  /** Another answer waits for its figures, which stand right below it. */
  const isTaken = (): boolean => owed.id !== id && Date.now() < owed.until;

  const printReplies = (replies: readonly string[]): void => {
    for (const text of replies.slice(printedCount))
      if (text !== CARD_TEXT && draft?.finish(id, text) !== true) print(renderMarkdown(text, paint, columns()));
    printedCount = Math.max(printedCount, replies.length);
  };
  const readDraft = async (): Promise<void> => {
    if (draft === undefined || isReadingDraft) return;
    isReadingDraft = true;
    await followDraft({
      loadEvents: async (last) => {
        const events = await loadStream(access, id, last);
        await decided();
        return events;
      },
      onText: (text) => {
        hasDraft ??= !isTaken();
        if (hasDraft) draft.write(id, text);
      },
      onNext: (replies) => {
        printReplies(replies);
        draft.next(id);
        hasDraft = undefined;
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
      onLook: (view: SignalAnswer, elapsedMs: number) => {
        const { turn, replies } = view;
        // Before anything is printed, because the prompt comes after it.
        if (turn === 'ended') questions?.drop(id);
        const isTold = hasEnding && (turn !== 'running' || elapsedMs >= CLI_PROGRESS_AFTER_MS);
        if (isTold) onWork(id, turn === 'running');
        if (isTaken()) return;
        const before = printedCount;
        printReplies(replies);
        const isOwed = hasEnding && printedCount > before && turn !== 'waiting' && endingLines(view, 0).length > 0;
        if (isOwed) Object.assign(owed, { id, until: Date.now() + ENDING_WAIT_MS });
      },
    };
    const { view, isTimedOut } = await waitForTurn(waiting, id, CLI_WAIT_S_DEFAULT * 1000);
    while (isTaken()) await sleep(OWED_LOOK_MS);
    printReplies(view.replies);
    if (view.turn !== 'running') draft?.finish(id, undefined);
    isOver = view.turn === 'ended';
    if (isTimedOut) print(say(`(still working on it; npx passepartout why ${printable(id)} says how far it is)`));
    else if (isOver && hasEnding)
      for (const line of endingLines(view, Date.now() - personMs, access.speech?.language()))
        print(paint('dim', say(line)));
    if (owed.id === id) owed.until = 0;
    if (isOver) return;
    if (view.turn === 'waiting' && !hasShownApproval) {
      hasShownApproval = true;
      const waiting = await loadWaiting(access, id);
      questions?.add(waiting);
      print(say(waitingCardLines(waiting, questions === undefined ? 'chat' : 'prompt').join('\n')));
    }
    if (isLeaving()) return;
    const since = Date.now();
    await sleep(WAITING_LOOK_MS);
    if (view.turn === 'waiting') personMs += Date.now() - since;
    // "Approved" comes before what the approval made possible.
    await decided();
    if (view.turn === 'waiting') void readDraft();
  }
};

/** A message without an answer when the chat began may have one by now; a card still waits. */
const followEarlier = async (
  following: Following,
  earlier: readonly { readonly id: string }[],
  takenUp: readonly string[],
): Promise<void> => {
  for (const { id } of earlier)
    if (takenUp.includes(id) || (await loadSignal(following.access, id)).turn !== 'ended')
      void followTurn(following, id).catch(() => undefined);
};

/** Prints the answers that jobs and runbooks give in this conversation, from now on. */
export const followOthers = async (
  following: Following,
  session: string,
  takenUp: readonly string[],
): Promise<void> => {
  const { access, isLeaving, sleep } = following;
  const here = `console:${session}`;
  const begunAt = Date.now();
  let known: ReadonlySet<string> | undefined;
  while (!isLeaving()) {
    // A stack that cannot be reached for a moment is asked again.
    const answer = await performLook(access, signals, { roots: 'true', limit: `${OTHERS_SEEN}` }).catch(
      () => undefined,
    );
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
