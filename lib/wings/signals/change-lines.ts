/** The part of a signal in jobs, skills and machines, as far as it can be read. Pure. */
import { utcMinute } from '../../base/utc-minute.ts';
import { parseJobVersion } from '../../jobs/job.ts';
import { type Occurrence, parseOccurrence } from '../../jobs/occurrence.ts';
import { RUN_WORDS, stateWords } from '../../jobs/state-words.ts';
import { DAYS, dayAndMinute } from '../../jobs/time-words.ts';
import { fingerprintOf } from '../../runner/pairing-code.ts';
import { parseOrderRow, parseReceiptRow, parseResultRow } from '../../runner/signed-rows.ts';
import { SkillChange } from '../../skills/skill-change.ts';
import { parseStored, readOrSkip } from '../../store/parse-stored.ts';
import type { Item } from '../../store/table.ts';

const HASH_SHOWN_CHARS = 12;

const jobLine = (item: Item): string => {
  const { job, pairing } = parseOrderRow(item);
  const consent = job.consent === undefined ? '' : `, by ${job.consent.kind}`;
  const key = fingerprintOf(pairing.publicKey).slice(0, HASH_SHOWN_CHARS);
  return `Machine ${job.runner} (key ${key}): job ${job.id} handed over ${utcMinute(job.issuedAt)}${consent}, to begin before ${utcMinute(job.expiresAt)}`;
};

const receiptLine = (item: Item): string => {
  const { receipt, effect } = parseReceiptRow(item);
  return `Machine ${receipt.runner}: took ${effect} ${utcMinute(receipt.takenAt)} (claim ${receipt.claim.slice(0, HASH_SHOWN_CHARS)})`;
};

const resultLine = (item: Item): string => {
  const { result, effect } = parseResultRow(item);
  const exit = result.exitCode === undefined ? '' : `, exit code ${result.exitCode}`;
  const took = result.startedAt === undefined ? '' : ` after ${(result.endedAt - result.startedAt) / 1000} s`;
  return `Machine ${result.runner}: says that ${effect} ended ${utcMinute(result.endedAt)}: ${result.state}${exit}${took}, ${result.output.bytes} bytes of output, allow-file ${result.allowHash.slice(0, HASH_SHOWN_CHARS)}`;
};

const LINES: Readonly<Record<string, (item: Item) => string>> = {
  job: jobLine,
  receipt: receiptLine,
  result: resultLine,
};

/** The task of a machine. @param item of the key `runner#<n>#<kind>` @throws StoredItemError */
const runnerLine = (item: Item): string | undefined => LINES[String(item.sk).split('#')[2] ?? '']?.(item);

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
  if (name.startsWith('runner#')) return runnerLine(item);
  return name.startsWith('skill#') ? skillLine(item) : undefined;
};

/** @param items everything stored under the signal */
export const changeLines = (items: readonly Item[]): readonly string[] =>
  items.flatMap((item) => readOrSkip(item, lineOf) ?? []);
