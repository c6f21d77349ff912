/**
 * Sentences that the owner says again and again, on several days: each is offered as the draft of a
 * skill. Private sentences and those that hold a secret are left out. Pure.
 */
import { hashOf } from '../../core/base/canonical.ts';
import { makeVisible } from '../../core/base/make-visible.ts';
import { holdsSecret } from '../../core/gates/rules/find-secrets.ts';
import { canonicalText, caseless } from '../../core/text/canonical-text.ts';
import { isPrivateText } from '../../core/text/privacy.ts';
import { newest, proofOf } from './find-decided.ts';
import type { SaidSentence } from './habit-evidence.ts';
import { HABIT_TIMES_MIN, type Offer } from './offer.ts';

/** Shorter ones are greetings and thanks; longer ones are no instruction that comes again. */
const SAID_WORDS_MIN = 4;
const SAID_CHARS_MAX = 400;
/** Of the words that trigger the skill, and of those in its name. */
const SAID_TRIGGER_CHARS_MAX = 60;
const SAID_NAME_CHARS_MAX = 40;

/** The words of a sentence, however they were typed. */
const fold = (text: string): string =>
  caseless(canonicalText(text))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const isInstruction = ({ text, isClean }: SaidSentence, privacyTags: readonly string[]): boolean =>
  isClean &&
  text.length <= SAID_CHARS_MAX &&
  !/[\n\r…]/.test(text) &&
  makeVisible(text) === text &&
  fold(text).split(' ').length >= SAID_WORDS_MIN &&
  !holdsSecret(text, new Map()) &&
  !isPrivateText(text, privacyTags);

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The newest sentence of each day. */
const oncePerDay = (said: readonly SaidSentence[]): readonly SaidSentence[] => [
  ...new Map(said.toSorted((a, b) => a.at - b.at).map((one) => [dayOf(one.at), one])).values(),
];

/** As many whole words as fit. */
const firstWords = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : text.slice(0, text.lastIndexOf(' ', charsMax)).trim();

const draftSkill = (sentence: string, folded: string, shape: string, days: number) => {
  const slug = firstWords(folded.replace(/[^a-z0-9 ]/g, ''), SAID_NAME_CHARS_MAX)
    .trim()
    .replace(/ +/g, '-');
  const name = ['learned', ...(slug === '' ? [] : [slug]), shape.slice(0, 6)].join('-');
  const description = `The owner asked for this on ${days} days: ${sentence} Use it when it is asked for again.`;
  const front = ['---', `name: ${name}`, `description: ${JSON.stringify(description)}`, '---'];
  const body = [`The owner says: “${sentence}”`, '', 'Do this as before. If something changed since, say so.', ''];
  const words = JSON.stringify(firstWords(sentence.replace(/[\s.!?]+$/u, ''), SAID_TRIGGER_CHARS_MAX));
  const files = [
    { path: 'SKILL.md', text: [...front, '', ...body].join('\n') },
    { path: 'passepartout.yaml', text: `trigger:\n  words: [${words}]\n` },
  ];
  return { name, files };
};

const offerOf = (folded: string, said: readonly SaidSentence[]): readonly Offer[] => {
  const evidence = newest(oncePerDay(said));
  const last = evidence.at(-1);
  if (last === undefined || evidence.length < HABIT_TIMES_MIN) return [];
  const shape = hashOf('habit', ['skill', folded]);
  const draft = draftSkill(last.text.trim(), folded, shape, evidence.length);
  return [{ kind: 'skill', shape, evidence: evidence.map(proofOf), ...draft }];
};

/** @param privacyTags of the space, beside `personal` */
export const findSaid = (said: readonly SaidSentence[], privacyTags: readonly string[] = []): readonly Offer[] =>
  [
    ...Map.groupBy(
      said.filter((one) => isInstruction(one, privacyTags)),
      ({ text }) => fold(text),
    ),
  ].flatMap(([folded, same]) => offerOf(folded, same));
