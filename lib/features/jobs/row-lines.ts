/** The rows of jobs beside a signal, as `/why` says them. */

import { DAYS, dayAndMinute } from '../../core/base/time-words.ts';
import type { RowLine } from '../../core/operations/feature-views.ts';
import { parseJobVersion } from './job.ts';
import { type Occurrence, parseOccurrence } from './occurrence.ts';
import { RUN_WORDS, stateWords } from './state-words.ts';

const KINDS: Readonly<Record<Occurrence['kind'], string>> = {
  rule: 'moment',
  run: 'run by hand',
  event: 'run for an event',
  condition: 'run for its condition',
};

const occurrenceLine: RowLine = {
  prefix: 'occurrence',
  describe: (item) => {
    const occurrence = parseOccurrence(item);
    const { job, version, instant, kind } = occurrence;
    return `Job ${job}, version ${version}, ${KINDS[kind]} ${dayAndMinute({ days: DAYS }, instant)} UTC: ${stateWords({ runs: RUN_WORDS }, occurrence)}`;
  },
};

const versionLine: RowLine = {
  prefix: 'job#',
  describe: (item) => {
    const { name, n, state, why, by } = parseJobVersion(item);
    return `Job ${name}, version ${n}: ${state} (${why}, by ${by})`;
  },
};

export const JOB_LINES: readonly RowLine[] = [occurrenceLine, versionLine];
