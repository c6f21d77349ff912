/**
 * Reads states from the English sentences of records from before they had a code, once and only
 * here. `old-choices.ts` does so for questions. Pure.
 */
import type { EndedBecause } from '../ledger/record.ts';

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
