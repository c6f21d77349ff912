/**
 * The choices below the questions that code asks: the action stores their codes in the order of the
 * numbers, so that no code reads the words back. A person may type the words of either language.
 * Perceive starts with this file. Pure.
 */

import { LANGUAGES, type Language } from '../base/language.ts';
import { typedChoice } from '../text/choices.ts';

/** For events of one kind. */
export const EVENT_CHOICES = ['tell', 'ask', 'nothing'] as const;
/** For all events of a source: tell them, or ask no more. */
export const SOURCE_CHOICES = ['all', 'none'] as const;
/** Whether a chat becomes the home chat. */
export const HOME_CHOICES = ['here', 'no'] as const;

type Fixed = (typeof EVENT_CHOICES)[number] | (typeof SOURCE_CHOICES)[number] | (typeof HOME_CHOICES)[number] | 'leave';
type Words = Readonly<Record<Fixed | 'receipt' | 'resume', (about: string) => string>>;

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    tell: () => 'Tell me',
    ask: () => 'Ask the model',
    nothing: () => 'Nothing',
    all: (source) => `All of ${source}`,
    none: (source) => `None of ${source}`,
    here: () => 'Yes, here',
    no: () => 'No',
    receipt: (n) => `Receipt of ${n}`,
    resume: () => 'Let it go on',
    leave: () => 'Leave it paused',
  },
  de: {
    tell: () => 'Melden',
    ask: () => 'Das Modell fragen',
    nothing: () => 'Nichts',
    all: (source) => `Alles von ${source}`,
    none: (source) => `Nichts von ${source}`,
    here: () => 'Ja, hier',
    no: () => 'Nein',
    receipt: (n) => `Beleg für ${n}`,
    resume: () => 'Fortsetzen',
    leave: () => 'Pausiert lassen',
  },
};

const RECEIPT = 'receipt ';

/** @param deed an action: `<signal>#<n>` */
export const receiptChoice = (deed: string): string => `${RECEIPT}${deed}`;

/** The action of such a code; undefined for another. */
export const receiptOf = (code: string): string | undefined =>
  code.startsWith(RECEIPT) ? code.slice(RECEIPT.length) : undefined;

const RESUME = 'resume ';

/** Below the news that a job was paused. */
export const pauseChoices = (job: string): readonly string[] => [`${RESUME}${job}`, 'leave'];

/** The job of such a code; undefined for another. */
export const resumedBy = (code: string): string | undefined =>
  code.startsWith(RESUME) ? code.slice(RESUME.length) : undefined;

const isFixed = (code: string): code is Fixed =>
  code !== 'receipt' && code !== 'resume' && Object.hasOwn(WORDS.en, code);

/** @param source of the event that is asked about */
export const choiceIn = (language: Language, code: string, source = ''): string => {
  if (isFixed(code)) return WORDS[language][code](source);
  if (resumedBy(code) !== undefined) return WORDS[language].resume('');
  return WORDS[language].receipt(/#\d+$/.exec(code)?.[0] ?? '');
};

/** A question with its answers, which become buttons (`lib/core/text/choices.ts`). */
export const askIn = (
  language: Language,
  question: string,
  codes: readonly string[],
  source?: string,
): readonly string[] => [question, ...codes.map((code, n) => `${n + 1}. ${choiceIn(language, code, source)}`)];

/** The index of the choice that a person typed, in any language; -1 if it is none. */
export const typedCode = (codes: readonly string[], typed: string, source?: string): number =>
  LANGUAGES.reduce(
    (found, language) =>
      found >= 0
        ? found
        : typedChoice(
            codes.map((code) => choiceIn(language, code, source)),
            typed,
          ),
    -1,
  );

/** Whether the words may answer such a question: a number, or the words of a choice. */
export const mayAnswerCode = (typed: string): boolean =>
  /^(?:[1-9][.)]?|(?:Receipt of|Beleg für) #\d+|(?:All|None) of \S+|(?:Alles|Nichts) von \S+)$/i.test(typed.trim()) ||
  typedCode([...EVENT_CHOICES, ...HOME_CHOICES, ...pauseChoices('')], typed) >= 0;
