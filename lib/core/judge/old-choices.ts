/**
 * Reads the code of a choice from English words: of questions from before they had codes, and of
 * today's English ones, which get theirs in the release after this one. The one before refuses a
 * field more in an action (`store/README.md`). Pure.
 */
import { choiceIn, EVENT_CHOICES, HOME_CHOICES, pauseChoices, receiptChoice, SOURCE_CHOICES } from './code-choices.ts';

/** The code of a choice below a question of code. @param source of the event it asked about */
export const oldChoice = (question: string, words: string, source = ''): string | undefined => {
  const [, id] = /^A proof of (\S+) for somebody else\?$/m.exec(question) ?? [];
  const [, n] = /^Receipt of (#\d+)$/.exec(words) ?? [];
  if (id !== undefined && n !== undefined) return receiptChoice(`${id}${n}`);
  const isMeant = (code: string): boolean => choiceIn('en', code, source) === words;
  // The first questions about events had more words behind these.
  const ofEvents = EVENT_CHOICES.find((code) => words.startsWith(choiceIn('en', code)));
  const [, job] = /^Let the job ([a-z0-9-]+) go on\?$/m.exec(question) ?? [];
  const ofPauses = job === undefined ? [] : pauseChoices(job);
  return [...ofPauses, ...SOURCE_CHOICES, ...HOME_CHOICES].find(isMeant) ?? ofEvents;
};
