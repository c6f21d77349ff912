/** Occurrences in one line each, for a person. Pure. */
import { localTime } from './describe-rule.ts';
import type { Occurrence } from './occurrence.ts';
import type { HistoryEntry } from './read-jobs.ts';
import { stateWords } from './state-words.ts';

const KINDS: Readonly<Record<Occurrence['kind'], string>> = {
  rule: '',
  run: ' (run by a person)',
  event: ' (for an event)',
  condition: ' (by its condition)',
};

/** `Tue 2026-11-24 08:00  ran late by 4 min  /why job-morning-…` */
export const describeOccurrence = ({ signalId, occurrence }: HistoryEntry, zone: string): string => {
  const { instant, kind, isShifted } = occurrence;
  const moved = isShifted === true ? ', moved: the clock leaves that time out' : '';
  return `${localTime(instant, zone)}  ${stateWords(occurrence)}${moved}${KINDS[kind]}  /why ${signalId}`;
};
