/**
 * Reads a job from one line: `morning cron "0 8 * * 1-5" Europe/Berlin --cap 0.50: Check the
 * deploys`. A line that goes on with `{` after the name, or holds JSON alone, gives all fields.
 * Options are those of the command line. Pure.
 */
import { ProtocolError } from '../../core/base/errors.ts';
import { type Json, JsonObject, parseJson } from '../../core/base/json.ts';
import type { JobDraft } from './job-draft.ts';

export const JOB_LINE_USAGE = [
  'at <now | 2026-11-24T09:00> | every <90m> | cron "<0 8 * * 1-5>" | event <source/event> [condition "<expression>"] | condition "<expression>" [every <15m>]',
  '[--runbook <name> input.<name>=<value> …] [zone] [--to here] [--catch-up "once 6h"] [--overlap skip|queue] [--spread 5m] [--pause-after 5] [--cap 0.50] [--tools recall,fetch-url] [--context memory] [--promises reply|change|nothing] [--approve-whole "20 30d"]: <what to ask>',
].join(' ');

/** Options of a line and of the command line, with the fields of a draft they stand for. */
export const JOB_OPTIONS = {
  to: 'to',
  'catch-up': 'catchUp',
  overlap: 'overlap',
  spread: 'spread',
  'pause-after': 'pauseAfter',
  cap: 'capUsd',
  promises: 'promises',
  zone: 'zone',
  runbook: 'runbook',
  tools: 'tools',
  context: 'context',
  'approve-whole': 'approveWhole',
} as const satisfies Readonly<Record<string, keyof JobDraft>>;

const RULE_WORDS: readonly string[] = ['at', 'every', 'cron', 'event', 'condition'];

/** A word, or words in quotes as keyboards write them. */
const TOKEN = /\s*(?:["“”„]([^"“”„]*)["“”„]|([^\s"“”„]+))/uy;

interface Words {
  readonly words: readonly string[];
  /** All behind the colon; undefined without one. */
  readonly prompt: string | undefined;
}

/** Splits at the first colon that ends a word. */
const splitLine = (line: string): Words => {
  const words: string[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(line); match !== null; match = TOKEN.exec(line)) {
    const [, quoted, bare = ''] = match;
    const at = TOKEN.lastIndex;
    if (quoted !== undefined && line[at] === ':')
      return { words: [...words, quoted], prompt: line.slice(at + 1).trim() };
    if (quoted === undefined && bare.endsWith(':'))
      return { words: [...words, ...(bare === ':' ? [] : [bare.slice(0, -1)])], prompt: line.slice(at).trim() };
    words.push(quoted ?? bare);
    TOKEN.lastIndex = at;
  }
  return { words, prompt: undefined };
};

/** A value as its field has it. */
export const readValue = (field: string, value: string): Json => {
  if (field === 'to' || field === 'tools') return value.split(',').filter((one) => one !== '' && one !== 'nowhere');
  return field === 'pauseAfter' ? Number(value) : value;
};

const fieldOf = (word: string): string | undefined => {
  const option = word.replace(/^(--|—)/, '');
  if (RULE_WORDS.includes(option)) return option;
  if (option === word) return undefined;
  return Object.entries(JOB_OPTIONS).find(([name]) => name === option)?.[1];
};

/** `runbook=deploy-gate`, `input.service=shop`: a field, or an input of the runbook. */
const PAIR = /^(runbook|input\.(\w{1,32}))=(.*)$/su;

/** A value in quotes is the word behind its name. @throws ProtocolError */
const readPair = (fields: Record<string, Json>, match: RegExpExecArray, next: string | undefined): boolean => {
  const [, field = '', input, given = ''] = match;
  const value = given === '' ? next : given;
  if (value === undefined) throw new ProtocolError(`${field} needs a value behind it`);
  if (input === undefined) fields.runbook = value;
  else fields.inputs = { ...JsonObject.parse(fields.inputs ?? {}), [input]: value };
  return given === '';
};

/** @throws ProtocolError that names the word it cannot read */
const readFields = (name: string, { words, prompt }: Words): JsonObject => {
  const colon =
    prompt === undefined ? '; write a colon before what to ask' : '; a value of several words goes in quotes';
  const hint = RULE_WORDS.includes(name) ? `; write a name for the job before "${name}"` : colon;
  const fields: Record<string, Json> = {};
  for (let n = 0; n < words.length; n += 1) {
    const word = words[n] ?? '';
    const pair = PAIR.exec(word);
    if (pair !== null) {
      if (readPair(fields, pair, words[n + 1])) n += 1;
      continue;
    }
    const field = fieldOf(word);
    const isZone = field === undefined && /^(UTC|[A-Z][A-Za-z_]+\/[A-Za-z_/+-]+\d*)$/.test(word);
    if (field === undefined && !isZone) {
      const zoneHint = prompt !== undefined && /^[A-Z]/.test(word) ? '; a time zone is written as Europe/Berlin' : '';
      throw new ProtocolError(`"${word.slice(0, 40)}" is not understood there${hint}${zoneHint}`);
    }
    if (!isZone) n += 1;
    const value = isZone ? word : words[n];
    if (value === undefined) throw new ProtocolError(`${word} needs a value behind it`);
    const key = field ?? 'zone';
    if (Object.hasOwn(fields, key)) throw new ProtocolError(`${key} is given twice`);
    fields[key] = readValue(key, value);
  }
  return fields;
};

const parseObject = (text: string): JsonObject => parseJson('the job', text, JsonObject);

/** Fields of a job, before they are checked as a draft. @throws ProtocolError */
export const parseJobLine = (line: string): JsonObject => {
  if (line.trim().startsWith('{')) return parseObject(line);
  const [, name = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(line.trim()) ?? [];
  if (name === '') throw new ProtocolError('the name is missing');
  if (rest.startsWith('{')) return { name, ...parseObject(rest) };
  // `every 5 minutes` needs no quotes.
  const split = splitLine(rest.replace(/^((?:--)?every )(\d+ (?:minute|hour|day|week)s?)\b/, '$1"$2"'));
  const { prompt } = split;
  return { name, ...readFields(name, split), ...(prompt === undefined || prompt === '' ? {} : { prompt }) };
};
