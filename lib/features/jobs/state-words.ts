/** The state of a run in words. It loads no rule in time, so that every start may. Pure. */

import { minuteWords, secondWords } from '../../core/base/time-words.ts';
import { forPeople } from '../../core/language/for-people.ts';
import type { Occurrence } from './occurrence.ts';

export const RUN_WORDS = {
  /** A reason as it is stored. */
  stored: forPeople,
  /** @param late by how much; undefined if it began on time */
  began: (late: string | undefined, isOver: boolean): string =>
    `${isOver ? 'ran' : 'started'} ${late === undefined ? 'on time' : `late by ${late}`}`,
  notEnded: ', not ended yet',
  skipped: 'skipped',
  missed: 'missed',
  failed: 'failed',
  unknown: 'outcome unknown',
  stopped: 'stopped',
  'did-nothing': 'did nothing',
};

/** `late by 4 min`, in the largest unit that is not below one. */
const lateWords = (ms: number): string => {
  const seconds = Math.round(ms / 1_000);
  return seconds < 120 ? secondWords(seconds) : minuteWords(Math.round(seconds / 60));
};

export const stateWords = (
  { runs: say }: { readonly runs: typeof RUN_WORDS },
  { state, why, lateMs, closedAt }: Occurrence,
): string => {
  const because = why === undefined ? '' : `: ${say.stored(why)}`;
  const isOver = closedAt !== undefined;
  switch (state) {
    case 'fired':
    case 'late':
      return `${say.began(state === 'late' ? lateWords(lateMs ?? 0) : undefined, isOver)}${because}${isOver ? '' : say.notEnded}`;
    case 'stopped':
      return why === undefined ? say.stopped : say.stored(why);
    default:
      return `${say[state]}${because}`;
  }
};
