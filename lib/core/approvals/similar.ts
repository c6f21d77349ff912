/**
 * The choices behind "Allow similar…" on a card. They follow from the moment they were shown, so
 * that the second tap grants exactly what stood there, also after a restart. A button names choice
 * and moment within Telegram's 64 bytes. Pure.
 */

import type { Language } from '../base/language.ts';
import { GRANT_HOURS_DEFAULT, GRANT_USES_DEFAULT, HOUR_S } from '../base/limits.ts';
import { utcMinute } from '../base/utc-minute.ts';
import { NEVER_GRANTED } from '../gates/rules/approval-fitness.ts';
import type { Action } from '../signal/action.ts';
import type { Approval } from './approval.ts';

/** Template of a card without the button. */
export const ONCE_CARD = 'approval-card-once';
/** Template of a card with the bounds, if one of them is for the task. */
export const TASK_CARD = 'similar-card-task';
/** Template of a card that is a question: its buttons are a yes and a no. */
export const QUESTION_CARD = 'approval-card-question';

/** Under these a person says yes or no; under any other action, whether it may be done. */
export const isQuestion = ({ tool }: Pick<Action, 'tool'>): boolean => tool === 'ask-person';

/** Ends the template of a card that was opened from the list of an answer's calls. */
const FROM_LIST = '-listed';
const LIST_CARD = 'approval-list-';

/** @param count calls that the card lists */
export const listCard = (count: number): string => `${LIST_CARD}${count}`;
/** How many calls a card lists; undefined for another text. */
export const listedOn = (template = ''): number | undefined =>
  template.startsWith(LIST_CARD) ? Number(template.slice(LIST_CARD.length)) : undefined;

export const fromList = (template: string): string => `${template}${FROM_LIST}`;
/** The template of the same card with a message of its own. */
export const cardAlone = (template: string): { readonly template: string; readonly isFromList: boolean } => {
  const isFromList = template.endsWith(FROM_LIST);
  return { template: isFromList ? template.slice(0, -FROM_LIST.length) : template, isFromList };
};

/** Whether a text is a card that waits, with one call or several. */
export const isOpenCard = (template = ''): boolean =>
  listedOn(template) !== undefined ||
  ['approval-card', ONCE_CARD, QUESTION_CARD].includes(cardAlone(template).template);

/** @returns why no grant can cover the action; empty if one can */
export const similarProblem = ({ action, asks = [] }: Pick<Approval, 'action' | 'asks'>): string => {
  if (action.author !== 'model') return 'only what the model proposes can be granted';
  if (isQuestion(action)) return 'a question is asked each time';
  if (asks.length === 0) return 'it is not known what was asked';
  // The next time those files may say something else.
  if (action.args?.unread !== undefined) return 'it runs whatever files say by then that nobody has read';
  return asks.some(({ gate }) => NEVER_GRANTED.has(gate))
    ? 'what destroys, leaves the machine or changes a file that programs run is asked about each time'
    : '';
};

export interface SimilarChoice {
  readonly uses: number;
  readonly expiresAtMs: number;
  /** For this task alone, with other words and smaller numbers (`task-grant.ts`). */
  readonly isForTask?: true;
}

const HOUR_MS = HOUR_S * 1000;
const DAY_MS = 24 * HOUR_MS;
/** The fewest uses offered, and those of a grant that ends with the day. */
const FEW_USES = 3;
const USES_UNTIL_MIDNIGHT = 50;

/** One task: a person who is asked ten times has stopped reading. */
const TASK_USES = 10;
const TASK_MS = HOUR_MS;

/** @param at when they are shown, epoch milliseconds. The last one is for a task */
export const allChoices = (at: number): readonly SimilarChoice[] => [
  { uses: FEW_USES, expiresAtMs: at + GRANT_HOURS_DEFAULT * HOUR_MS },
  { uses: GRANT_USES_DEFAULT, expiresAtMs: at + GRANT_HOURS_DEFAULT * HOUR_MS },
  { uses: USES_UNTIL_MIDNIGHT, expiresAtMs: (Math.floor(at / DAY_MS) + 1) * DAY_MS },
  taskChoice(at),
];

export const taskChoice = (at: number): SimilarChoice => ({
  uses: TASK_USES,
  expiresAtMs: at + TASK_MS,
  isForTask: true,
});

/** @param canBeForTask whether this action can be allowed for its task */
export const similarChoices = (at: number, canBeForTask: boolean): readonly SimilarChoice[] =>
  allChoices(at).filter(({ isForTask }) => canBeForTask || isForTask !== true);

const CHOICE_WORDS: Readonly<Record<Language, (uses: number, time: string, isForTask: boolean) => string>> = {
  en: (uses, time, isForTask) => `${isForTask ? 'for this task, ' : ''}${uses} more times until ${time}`,
  de: (uses, time, isForTask) => `${isForTask ? 'für diese Aufgabe ' : ''}noch ${uses}-mal bis ${time}`,
};

export const choiceWords = ({ uses, expiresAtMs, isForTask }: SimilarChoice, language: Language): string =>
  CHOICE_WORDS[language](uses, utcMinute(expiresAtMs), isForTask === true);

/**
 * In place of the number of a choice: all calls of the list whose hash stands in place of the
 * moment. A release without lists takes both for a choice that it never showed.
 */
export const ALL_LISTED = -1;

/** @param of the first call of the list @returns data of its button */
export const listData = (of: string, what: 'all' | 'none' | number, hash: number): string =>
  `l:${typeof what === 'number' ? what : what[0]}:${of}:${hash.toString(36)}`;

/** Reads what `listData` wrote; undefined for anything else. */
export const parseListData = (
  data: string,
): { readonly approvalId: string; readonly what: 'all' | 'none' | number; readonly hash: number } | undefined => {
  const [, what = '', approvalId, hash = ''] = /^l:([an0-7]):([0-9a-f]{32}):([0-9a-z]{1,10})$/.exec(data) ?? [];
  if (approvalId === undefined) return undefined;
  return {
    approvalId,
    what: what === 'a' ? 'all' : what === 'n' ? 'none' : Number(what),
    hash: Number.parseInt(hash, 36),
  };
};

/** @param at when the choices were shown @returns data of the button for choice `n` */
export const similarData = (approvalId: string, n: number, at: number): string =>
  `s:${approvalId}:${n}:${at.toString(36)}`;

/** Reads what `similarData` wrote; undefined for anything else. */
export const parseSimilarData = (
  data: string,
): { readonly approvalId: string; readonly n: number; readonly at: number } | undefined => {
  const [, approvalId, n, at] = /^s:([0-9a-f]{32}):(\d):([0-9a-z]{1,10})$/.exec(data) ?? [];
  return approvalId === undefined || n === undefined || at === undefined
    ? undefined
    : { approvalId, n: Number(n), at: Number.parseInt(at, 36) };
};
