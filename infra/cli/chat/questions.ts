/**
 * Cards of a chat that wait for a yes; a single letter answers the one that is asked about. A
 * letter that was typed before the card could be read answers nothing.
 */
import { shortIdOf } from '../../../lib/core/approvals/approval.ts';
import type { ShownApproval } from '../../../lib/core/verbs/approvals/operations.ts';

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

/** Calls that are asked about at once: each has a number of one digit. */
const NUMBERS_MAX = 8;

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
  readonly take: (line: string) => AnsweredApproval | undefined;
}

export interface AnsweredApproval {
  readonly approval: ShownApproval;
  /** The other calls of the same answer, if all were asked about at once and it is for all. */
  readonly others?: readonly ShownApproval[];
  /** `one`: that one is asked about by itself from now on. */
  readonly answer: Answer | 'one';
  readonly next?: ShownApproval | undefined;
}

const isOf = ({ signalId }: ShownApproval, id: string): boolean => signalId === id || signalId.startsWith(`${id}/`);

export const buildQuestions = (now: () => number): Questions => {
  let waiting: readonly ShownApproval[] = [];
  let asked: { readonly approvals: readonly ShownApproval[]; readonly at: number } | undefined;
  const alone = new Set<ShownApproval>();
  /** The calls of one answer are asked about at once, unless a person took one out. */
  const askedFirst = (): readonly ShownApproval[] => {
    const [first] = waiting;
    if (first === undefined || alone.has(first)) return first === undefined ? [] : [first];
    return waiting.filter((one) => one.signalId === first.signalId && !alone.has(one)).slice(0, NUMBERS_MAX);
  };
  return {
    add: (approvals) => {
      const known = new Set(waiting.map(({ id }) => id));
      waiting = [...waiting, ...approvals.filter(({ id }) => id !== undefined && !known.has(id))];
    },
    drop: (signalId) => {
      waiting = waiting.filter((approval) => !isOf(approval, signalId));
      if (asked?.approvals.some((approval) => isOf(approval, signalId))) asked = undefined;
    },
    prompt: () => {
      const approvals = askedFirst();
      const [approval] = approvals;
      if (approval === undefined) asked = undefined;
      else if (asked?.approvals.map(({ id }) => id).join() !== approvals.map(({ id }) => id).join())
        asked = { approvals, at: now() };
      if (approval === undefined) return undefined;
      if (approvals.length > 1)
        return `1-${approvals.length}: [y]es to all, [n]o to all, a number for one, [l]ater, or [a]ll of it? > `;
      const similar = approval.similarProblem === '' ? ', [s]imilar' : '';
      const task = approval.taskProblem === '' ? ', for this [t]ask' : '';
      return `${shortIdOf(approval.id ?? '')}: [y]es, [n]o${similar}${task}, [l]ater, or [a]ll of it? > `;
    },
    take: (line) => {
      const word = line.trim().toLowerCase();
      const answer = ANSWERS.find((one) => one === word || one[0] === word || GERMAN[one].includes(word));
      const [approval, ...others] = asked?.approvals ?? [];
      if (asked === undefined || approval === undefined || now() - asked.at < CARD_READ_MS) return undefined;
      const chosen = others.length > 0 && /^\d$/.test(word) ? asked.approvals[Number(word) - 1] : undefined;
      if (chosen !== undefined) {
        alone.add(chosen);
        waiting = [chosen, ...waiting.filter((one) => one !== chosen)];
        asked = undefined;
        return { approval: chosen, answer: 'one' };
      }
      if (answer === undefined) return undefined;
      if (others.length > 0 && (answer === 'similar' || answer === 'task')) return undefined;
      if (answer === 'task' && approval.taskProblem !== '') return undefined;
      const answered = { approval, ...(others.length === 0 ? {} : { others }), answer };
      if (answer === 'all') return answered;
      waiting = waiting.filter((other) => other !== approval && !others.includes(other));
      asked = undefined;
      return { ...answered, next: waiting[0] };
    },
  };
};
