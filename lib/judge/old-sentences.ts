/**
 * Reads states from English sentences, once and only here: of records from before they had a code,
 * and of English questions, which get theirs in the release after this one: the one before refuses
 * a field more in an action (`store/README.md`). Pure.
 */
import type { EndedBecause } from '../ledger/record.ts';
import { choiceIn, EVENT_CHOICES, HOME_CHOICES, receiptChoice, SOURCE_CHOICES } from './code-choices.ts';

const OLD_ENDINGS: readonly (readonly [RegExp, EndedBecause['code']])[] = [
  [/^no job waits for it/, 'no-job'],
  [/^it only says that the service is connected$/, 'connected'],
  [/^handed to the job /, 'jobs'],
  [/^it runs the runbook /, 'runbook'],
  [/^it goes on with its steps/, 'steps'],
  [/^the model is asked$/, 'model'],
  [/^it waits$/, 'waits'],
  [/^the run (?:has gone on|is done)$/, 'run-over'],
  [/^it is a part of /, 'album'],
  [/^its lines go to the job /, 'lines'],
];

/** Why a signal ended, by the words of its record. */
export const oldEnding = (stateReason: string): EndedBecause | undefined => {
  const code = OLD_ENDINGS.find(([words]) => words.test(stateReason))?.[1];
  if (code !== 'jobs') return code && { code };
  return { code, jobs: stateReason.slice('handed to the job '.length).split(', ') };
};

/** The code of a choice below a question of code. @param source of the event it asked about */
export const oldChoice = (question: string, words: string, source = ''): string | undefined => {
  const [, id] = /^A proof of (\S+) for somebody else\?$/m.exec(question) ?? [];
  const [, n] = /^Receipt of (#\d+)$/.exec(words) ?? [];
  if (id !== undefined && n !== undefined) return receiptChoice(`${id}${n}`);
  const isMeant = (code: string): boolean => choiceIn('en', code, source) === words;
  // The first questions about events had more words behind these.
  const ofEvents = EVENT_CHOICES.find((code) => words.startsWith(choiceIn('en', code)));
  return [...SOURCE_CHOICES, ...HOME_CHOICES].find(isMeant) ?? ofEvents;
};
