/**
 * The line below a reply: model, rules, cost and time of its turn, and of its conversation what
 * waits and the focus. Every channel shows it. Pure.
 */
import type { Language } from '../../base/language.ts';
import { showUsd } from '../../base/money.ts';

export interface AnsweredTurn {
  readonly receivedAt: number;
  readonly decision?:
    | {
        readonly attempts: readonly {
          readonly provider: string;
          readonly model: string;
          readonly turnUsd?: number | undefined;
        }[];
        readonly actions: readonly {
          readonly action?: { readonly tool?: string | undefined } | undefined;
          readonly trace: readonly unknown[];
        }[];
      }
    | null
    | undefined;
  readonly waiting?: number | undefined;
  readonly focus?: string | undefined;
}

export interface Figures {
  /** Such as `openai/gpt-5`. */
  readonly model: string;
  readonly rules: number;
  /** Undefined if nobody knows the price. */
  readonly microDollars: number | undefined;
  /** Absent while nobody knows when the answer is sent. */
  readonly ms?: number;
  readonly waiting: number;
  readonly focus: string | undefined;
  /** The turn called tools, so `/output` shows something. */
  readonly hasOutput: boolean;
}

/** @param endedAt epoch milliseconds. @returns undefined if no model was asked */
export const turnFigures = (
  { receivedAt, decision, waiting = 0, focus }: AnsweredTurn,
  endedAt: number,
): (Figures & { readonly ms: number }) | undefined => {
  const attempt = decision?.attempts.at(-1);
  if (attempt === undefined) return undefined;
  const actions = decision?.actions ?? [];
  const rules = actions.flatMap(({ trace }) => trace).length;
  const model = `${attempt.provider}/${attempt.model}`;
  const hasOutput = actions.some(({ action }) => action?.tool !== undefined);
  return { model, rules, microDollars: attempt.turnUsd, ms: endedAt - receivedAt, waiting, focus, hasOutput };
};

/** Characters of an object's id, as `/memory` takes them. */
const FOCUS_CHARS = 8;

type Count = (count: number) => string;
const WORDS: Readonly<Record<Language, { rules: Count; waiting: Count; focus: (id: string) => string }>> = {
  en: {
    rules: (count) => (count === 1 ? '1 rule checked' : `${count} rules checked`),
    waiting: (count) => (count === 1 ? '1 message waits' : `${count} messages wait`),
    focus: (id) => `in focus: ${id}`,
  },
  de: {
    rules: (count) => (count === 1 ? '1 Regel geprüft' : `${count} Regeln geprüft`),
    waiting: (count) => (count === 1 ? '1 Nachricht wartet' : `${count} Nachrichten warten`),
    focus: (id) => `im Blick: ${id}`,
  },
};

/** @param show how this channel writes money and times */
export const lineParts = (
  { model, rules, microDollars, ms, waiting, focus }: Figures,
  language: Language,
  show = { money: showUsd, time: (taken: number): string => `${(taken / 1000).toFixed(1)} s` },
): readonly string[] => [
  model,
  WORDS[language].rules(rules),
  ...(microDollars === undefined ? [] : [show.money(microDollars)]),
  ...(ms === undefined ? [] : [show.time(ms)]),
  ...(waiting === 0 ? [] : [WORDS[language].waiting(waiting)]),
  ...(focus === undefined ? [] : [WORDS[language].focus(focus.slice(0, FOCUS_CHARS))]),
];
