/**
 * Cards of a chat that wait for a yes; a single letter answers the one that is asked about. A
 * letter that was typed before the card could be read answers nothing.
 */
import { shortIdOf } from '../../../lib/approvals/approval.ts';
import type { ShownApproval } from '../../../lib/wings/approvals/operations.ts';

export type Answer = 'yes' | 'no' | 'similar' | 'task' | 'later' | 'all';

const ANSWERS: readonly Answer[] = ['yes', 'no', 'similar', 'task', 'later', 'all'];

/** The same in German. */
const GERMAN: Readonly<Record<Answer, readonly string[]>> = {
  yes: ['j', 'ja'],
  no: ['nein'],
  similar: ['ä', 'ähnlich', 'ähnliche'],
  task: ['aufgabe'],
  later: ['w', 'warten', 'später'],
  all: ['g', 'ganz', 'alles'],
};

/** Within this time nobody has read a card; a message to the agent was being typed. */
const CARD_READ_MS = 500;

export interface Questions {
  /** Asks about these after those that wait already. */
  readonly add: (approvals: readonly ShownApproval[]) => void;
  /** They were decided in another place, or expired. */
  readonly drop: (signalId: string) => void;
  /** The text of the prompt, which asks the question from now on; undefined if nothing waits. */
  readonly prompt: () => string | undefined;
  /**
   * Reads a line as the answer to what the prompt asks; undefined: it is a message. `next` is the
   * card that is asked about after it.
   */
  readonly take: (
    line: string,
  ) =>
    | { readonly approval: ShownApproval; readonly answer: Answer; readonly next?: ShownApproval | undefined }
    | undefined;
}

const isOf = ({ signalId }: ShownApproval, id: string): boolean => signalId === id || signalId.startsWith(`${id}/`);

export const buildQuestions = (now: () => number): Questions => {
  let waiting: readonly ShownApproval[] = [];
  let asked: { readonly approval: ShownApproval; readonly at: number } | undefined;
  return {
    add: (approvals) => {
      const known = new Set(waiting.map(({ id }) => id));
      waiting = [...waiting, ...approvals.filter(({ id }) => id !== undefined && !known.has(id))];
    },
    drop: (signalId) => {
      waiting = waiting.filter((approval) => !isOf(approval, signalId));
      if (asked !== undefined && isOf(asked.approval, signalId)) asked = undefined;
    },
    prompt: () => {
      const [approval] = waiting;
      if (approval === undefined) asked = undefined;
      else if (asked?.approval !== approval) asked = { approval, at: now() };
      if (approval === undefined) return undefined;
      const similar = approval.similarProblem === '' ? ', [s]imilar' : '';
      const task = approval.taskProblem === '' ? ', for this [t]ask' : '';
      return `${shortIdOf(approval.id ?? '')}: [y]es, [n]o${similar}${task}, [l]ater, or [a]ll of it? > `;
    },
    take: (line) => {
      const word = line.trim().toLowerCase();
      const answer = ANSWERS.find((one) => one === word || one[0] === word || GERMAN[one].includes(word));
      if (asked === undefined || answer === undefined || now() - asked.at < CARD_READ_MS) return undefined;
      const { approval } = asked;
      if (answer === 'task' && approval.taskProblem !== '') return undefined;
      if (answer === 'all') return { approval, answer };
      waiting = waiting.filter((other) => other !== approval);
      asked = undefined;
      return { approval, answer, next: waiting[0] };
    },
  };
};
