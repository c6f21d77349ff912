/**
 * The choices that a text offers: it ends with a question and, below it, the short answers to it,
 * numbered from 1. A channel with buttons shows them as such too; a person may type one anywhere.
 * Words of our own buttons, and anything but plain words, make no button. Pure.
 */
import { caseless } from './canonical-text.ts';

const CHOICES_MAX = 6;
/** A phone shows so much on one line. */
const CHOICE_CHARS_MAX = 40;
const NUMBERED = /^([1-9])[.)] (.+)$/;
const QUESTION = /[?？؟][*_)”"]*$/;
/** Letters, numbers, emoji and signs; no marks of Markdown, and nothing that is not seen. */
const PLAIN = /^(?:(?![*`~<>[\]|\\])[\p{L}\p{M}\p{N}\p{P}\p{S}\u{20}])+$/u;
/** The labels of our own buttons, folded, in each language: they decide something. */
const OURS =
  /^(?:approv|den[yi]|allow|back$|send it again|try again|freigeb|genehmig|ablehn|ahnliches erlaub|erlaub|zuruck$|noch einmal (?:senden|versuchen))/;

const isChoice = (words: string): boolean =>
  words.length <= CHOICE_CHARS_MAX && PLAIN.test(words) && !OURS.test(caseless(words).replace(/^[^a-z]+/, ''));

/** @returns two to six of them, all different; none if any of these rules is broken */
export const choicesIn = (text: string): readonly string[] => {
  const lines = text.trimEnd().split('\n');
  const from = lines.findLastIndex((line) => !NUMBERED.test(line)) + 1;
  const question = lines.slice(0, from).join('\n').trimEnd();
  const numbered = lines.slice(from).map((line) => NUMBERED.exec(line) ?? []);
  const choices = numbered.map(([, , words = '']) => words.trim());
  const isList = numbered.every(([, n], at) => n === String(at + 1)) && new Set(choices).size === choices.length;
  const isCounted = choices.length >= 2 && choices.length <= CHOICES_MAX;
  return QUESTION.test(question) && isList && isCounted && choices.every(isChoice) ? choices : [];
};

const spoken = (words: string): string => caseless(words).replace(/[\s.!]+$/, '');

/** The index of the choice that a person typed, by its number or its words; -1 if it is none. */
export const typedChoice = (choices: readonly string[], typed: string): number => {
  const [, n] = /^([1-9])[.)]?$/.exec(typed.trim()) ?? [];
  if (n !== undefined) return Number(n) <= choices.length ? Number(n) - 1 : -1;
  return choices.findIndex((choice) => spoken(choice) === spoken(typed));
};
