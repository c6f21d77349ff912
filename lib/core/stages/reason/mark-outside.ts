/**
 * One line under an answer that was made from outside text: the account numbers, addresses and
 * instructions that it repeats of that text, and the notes that were kept of it. A person might act
 * on them, and only code knows where they come from. Rules of form alone; words of the owner's own
 * are left out. Pure.
 */

import type { Language } from '../../base/language.ts';
import type { TurnStep } from '../../prompt/prompt-input.ts';

/** More than a person reads in one line. */
const MARKS_MAX = 4;
const MARK_CHARS_MAX = 60;

const ADDRESS = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){5,30}\b/g;
const COINS = /\b(?:0x[0-9a-fA-F]{40}|(?:bc1|[13])[A-HJ-NP-Za-km-z1-9]{25,60})\b/g;
/** An account, a card, a telephone: eight digits and more, but no date. */
const NUMBER = /(?<![\w.])(?!(?:19|20)\d\d-\d\d-\d\d)\+?\d(?:[ -]?\d){7,18}(?![\w.]\d)/g;
/** A sentence that tells somebody to do something, as letters and cards begin one. */
const INSTRUCTION =
  /^(?:(?:please|bitte|now|then|first|also|you (?:must|should|have to)|\p{L}+[:,])\s+){0,2}(?:pay|send|transfer|wire|forward|e?mail|write|share|delete|cancel|order|install|run|open|click|visit|load|call|reply|log ?in|sign in|enter|confirm|approve|accept|deploy|invite|raise|add|replace|report|remember|buy|download|bezahle?|zahle?|überweise?|sende?|schicke?|leite?|lösche?|öffne?|klicke?|rufe?|antworte?|bestätige?|installiere?|bestelle?|kaufe?|trage?|gib|geben)(?:n)?\b/iu;

const lettersOf = (text: string): string => text.replace(/\\+[nrt]|[^\p{L}\p{N}@]+/gu, '').toLowerCase();

const sentencesOf = (text: string): readonly string[] =>
  text.split(/(?<=[.!?;])\s+|[\n"“”„]+|\\n/).map((sentence) => sentence.trim());

const candidatesIn = (answer: string): readonly string[] => [
  ...[ADDRESS, IBAN, COINS, NUMBER].flatMap((form) => [...answer.matchAll(form)].map(([found]) => found.trim())),
  ...sentencesOf(answer)
    .filter((sentence) => INSTRUCTION.test(sentence) && /\s/.test(sentence))
    .map((sentence) => `“${sentence.slice(0, MARK_CHARS_MAX).toWellFormed()}”`),
];

/** The texts of the turn, by whether they come from outside. */
const textsOf = (steps: readonly TurnStep[], isOutside: boolean): string =>
  lettersOf(
    steps
      .flatMap((step): readonly string[] => {
        const pieces = step.kind === 'input' ? step.pieces : [];
        const results = step.kind === 'results' ? step.results : [];
        return [
          ...pieces.filter(({ origin }) => (origin === 'outside') === isOutside).map(({ text }) => text),
          ...(isOutside ? results.filter(({ origin }) => origin === 'outside').map(({ output }) => output) : []),
        ];
      })
      .join('\n'),
  );

const WORDS: Readonly<Record<Language, Readonly<Record<'more' | 'marked' | 'kept', (what: string) => string>>>> = {
  en: {
    more: (count) => `${count} more`,
    marked: (marks) => `(From outside text, unchecked: ${marks})`,
    kept: (forget) => `(A note was kept of outside text, apart from yours: ${forget})`,
  },
  de: {
    more: (count) => `${count} weitere`,
    marked: (marks) => `(Aus fremdem Text, ungeprüft: ${marks})`,
    kept: (forget) => `(Aus fremdem Text notiert, für sich verwahrt: ${forget})`,
  },
};

/** Characters of a note's id that a person types. */
const NOTE_ID_CHARS = 8;

/**
 * @param outsideNotes ids of the notes that the turn made of outside words
 * @param language of the chat @returns the line, empty if there is nothing to mark
 */
export const markOutside = (
  answer: string,
  steps: readonly TurnStep[],
  outsideNotes: readonly string[],
  language: Language,
): string => {
  const say = WORDS[language];
  const [outside, own] = [textsOf(steps, true), textsOf(steps, false)];
  const marks = [...new Set(candidatesIn(answer))].filter((mark) => {
    const letters = lettersOf(mark);
    return outside.includes(letters) && !own.includes(letters);
  });
  const notes = outsideNotes.map((id) => id.slice(0, NOTE_ID_CHARS));
  const more = marks.length > MARKS_MAX ? [say.more(String(marks.length - MARKS_MAX))] : [];
  return [
    ...(marks.length === 0 ? [] : [say.marked([...marks.slice(0, MARKS_MAX), ...more].join('; '))]),
    ...(notes.length === 0 ? [] : [say.kept(`/forget ${notes.join(', /forget ')}`)]),
  ].join('\n');
};
