/** The choices below the questions that code asks. Perceive starts with this file. Pure. */
import { typedChoice } from '../text/choices.ts';

/** For events of one kind. */
export const EVENT_CHOICES = ['Tell me', 'Ask the model', 'Nothing'] as const;

/** For all events of a source: tell them, or ask no more. */
export const sourceChoices = (source: string) => [`All of ${source}`, `None of ${source}`] as const;

/** Whether a chat becomes the home chat. */
export const HOME_CHOICES = ['Yes, here', 'No'] as const;

/** Below the news that a job was paused. */
export const PAUSE_CHOICES = ['Let it go on', 'Leave it paused'] as const;

/** @param n an action of a decision, such as `#0` */
export const receiptChoice = (n: string): string => `Receipt of ${n}`;

/** Whether the words may answer such a question: a number, or the words of a choice. */
export const mayAnswerCode = (typed: string): boolean =>
  /^(?:[1-9][.)]?|Receipt of #\d+|(?:All|None) of \S+)$/i.test(typed.trim()) ||
  typedChoice([...EVENT_CHOICES, ...HOME_CHOICES, ...PAUSE_CHOICES], typed) >= 0;
