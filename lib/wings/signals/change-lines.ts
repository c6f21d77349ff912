/**
 * Tells what a signal has to do with jobs, skills and machines: the moment of a job that it stands
 * for, the versions that it made, and the jobs that a machine was handed. Items of another release
 * are left out. Pure.
 */
import { parseJobVersion } from '../../jobs/job.ts';
import { type Occurrence, parseOccurrence } from '../../jobs/occurrence.ts';
import { dayAndMinute, stateWords } from '../../jobs/state-words.ts';
import { SkillChange } from '../../skills/skill-change.ts';
import { parseStored, readOrSkip } from '../../store/parse-stored.ts';
import type { Item } from '../../store/table.ts';
import { runnerLine } from './runner-lines.ts';

const KINDS: Readonly<Record<Occurrence['kind'], string>> = {
  rule: 'moment',
  run: 'run by hand',
  event: 'run for an event',
  condition: 'run for its condition',
};
const SKILL_HASH_CHARS = 12;

const occurrenceLine = (item: Item): string => {
  const occurrence = parseOccurrence(item);
  const { job, version, instant, kind } = occurrence;
  return `Job ${job}, version ${version}, ${KINDS[kind]} ${dayAndMinute(instant)} UTC: ${stateWords(occurrence)}`;
};

const versionLine = (item: Item): string => {
  const { name, n, state, why, by } = parseJobVersion(item);
  return `Job ${name}, version ${n}: ${state} (${why}, by ${by})`;
};

const skillLine = ({ pk: _pk, sk: _sk, ...item }: Item): string => {
  const { name, hash, trust, by } = parseStored(item, SkillChange);
  const what = hash === 'removed' ? 'removed' : `version ${hash.slice(0, SKILL_HASH_CHARS)} in force, trust ${trust}`;
  return `Skill ${name}: ${what} (by ${by})`;
};

const lineOf = (item: Item): string | undefined => {
  const name = String(item.sk);
  if (name === 'occurrence') return occurrenceLine(item);
  if (name.startsWith('job#')) return versionLine(item);
  if (name.startsWith('runner#')) return runnerLine(item);
  return name.startsWith('skill#') ? skillLine(item) : undefined;
};

/** @param items everything stored under the signal */
export const changeLines = (items: readonly Item[]): readonly string[] =>
  items.flatMap((item) => readOrSkip(item, lineOf) ?? []);
