/** The part of a signal in jobs, skills and machines, as far as it can be read. Pure. */
import { ROW_LINES } from '../../../features/row-lines.ts';
import { parseJobVersion } from '../../jobs/job.ts';
import { type Occurrence, parseOccurrence } from '../../jobs/occurrence.ts';
import { RUN_WORDS, stateWords } from '../../jobs/state-words.ts';
import { DAYS, dayAndMinute } from '../../jobs/time-words.ts';
import { SkillChange } from '../../skills/skill-change.ts';
import { parseStored, readOrSkip } from '../../store/parse-stored.ts';
import type { Item } from '../../store/table.ts';

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
  return `Job ${job}, version ${version}, ${KINDS[kind]} ${dayAndMinute({ days: DAYS }, instant)} UTC: ${stateWords({ runs: RUN_WORDS }, occurrence)}`;
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
  if (name.startsWith('skill#')) return skillLine(item);
  return ROW_LINES.find(({ prefix }) => name.startsWith(prefix))?.describe(item);
};

/** @param items everything stored under the signal */
export const changeLines = (items: readonly Item[]): readonly string[] =>
  items.flatMap((item) => readOrSkip(item, lineOf) ?? []);
