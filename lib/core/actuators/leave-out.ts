/**
 * Leaves secrets out of what an actuator gives back, before any of it is stored or shown (I11): the
 * words that hold a configured secret, and each line that has the form of one. JSON stays JSON. An
 * output is replaced whole if a part would still hold a secret, or if a machine signed it.
 */

import { defined } from '../base/defined.ts';
import { readJson } from '../base/json.ts';
import { OUTPUT_HIDDEN, OUTPUT_WITH_KEY_HIDDEN } from '../evidence/runner-records.ts';
import { findSecret } from '../gates/rules/find-secrets.ts';
import type { Actuator, ActuatorResult } from '../signal/actuator.ts';
import { storedIn } from '../signal/picture.ts';
import { LINE_LEFT_OUT } from '../text/left-out.ts';
import type { OutputStore } from '../tools/long-output.ts';

export type Secrets = ReadonlyMap<string, string>;
export type LeaveOut = (text: string) => string;

/** A text with more parts that hold secrets is left out whole. */
const PARTS_WITH_SECRETS_MAX = 100;

const isClean = (text: string, secrets: Secrets): boolean => findSecret(text, secrets) === undefined;

/** Halves a text until each part is clean. @returns the places of parts that alone hold a secret */
const findParts = (parts: readonly string[], secrets: Secrets, first = 0): readonly number[] => {
  if (isClean(parts.join(''), secrets)) return [];
  if (parts.length === 1) return [first];
  const half = Math.ceil(parts.length / 2);
  return [...findParts(parts.slice(0, half), secrets, first), ...findParts(parts.slice(half), secrets, first + half)];
};

/** The longest beginning, or end, of a text that is clean by itself. */
const longestClean = (text: string, secrets: Secrets, isEnd = false): string => {
  const cut = (chars: number) => (isEnd ? text.slice(text.length - chars) : text.slice(0, chars));
  let [from, to] = [0, text.length];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if (isClean(cut(middle), secrets)) from = middle;
    else to = middle - 1;
  }
  return cut(from);
};

/** Replaces the parts that hold a secret, and parts beside them in which it begins or goes on. */
const leaveOutParts = (parts: readonly string[], secrets: Secrets): string => {
  const found = new Set(findParts(parts, secrets));
  if (found.size > PARTS_WITH_SECRETS_MAX) return OUTPUT_HIDDEN;
  for (const n of found) {
    const [before = '', part = '', after = ''] = [parts[n - 1], parts[n], parts[n + 1]];
    if (!isClean(longestClean(part, secrets, true) + after, secrets)) found.add(n + 1);
    if (!isClean(before + longestClean(part, secrets), secrets)) found.add(n - 1);
  }
  return parts.map((part, n) => (found.has(n) ? part.replace(/\S.*\S|\S/s, LINE_LEFT_OUT) : part)).join('');
};

/** The other lines of a key would stay. */
const HAS_MANY_LINES = /BEGIN [A-Z0-9 ]{0,60}PRIVATE KEY|PuTTY-User-Key-File/;

const leaveOutOfText = (text: string, secrets: Secrets): string => {
  const found = findSecret(text, secrets);
  if (found === undefined) return text;
  if (HAS_MANY_LINES.test(text)) return OUTPUT_WITH_KEY_HIDDEN;
  const words = found.isConfigured ? leaveOutParts(text.split(/(?<=\s)(?=\S)/), secrets) : text;
  const lines = leaveOutParts(words.split(/(?<=\n)/), secrets);
  if (isClean(lines, secrets)) return lines;
  return found.isConfigured ? OUTPUT_HIDDEN : OUTPUT_WITH_KEY_HIDDEN;
};

/** The texts in it; a secret in a key or a number is found afterwards. */
const leaveOutOfJson = (value: unknown, secrets: Secrets): unknown => {
  if (typeof value === 'string') return leaveOutOfText(value, secrets);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => leaveOutOfJson(item, secrets));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, leaveOutOfJson(one, secrets)]));
};

export const buildLeaveOut =
  (secrets: Secrets, isSigned = false): LeaveOut =>
  (text) => {
    const found = findSecret(text, secrets);
    if (found === undefined) return text;
    const whole = found.isConfigured ? OUTPUT_HIDDEN : OUTPUT_WITH_KEY_HIDDEN;
    if (isSigned) return whole;
    const value = /^\s*[{[]/.test(text) ? readJson(text) : undefined;
    const rest = value === undefined ? leaveOutOfText(text, secrets) : JSON.stringify(leaveOutOfJson(value, secrets));
    return isClean(rest, secrets) ? rest : whole;
  };

/** A long output is searched before it is cut: a secret may lie across the cut. */
export const keepWithout =
  (keep: OutputStore['keep'], leaveOut: LeaveOut): OutputStore['keep'] =>
  (id, { text, ...rest }) =>
    keep(id, { ...rest, text: leaveOut(text) });

/** The name of a stored file is no secret and stays: else nothing could erase the file. */
const leaveOutBelowName = (output: string, leaveOut: LeaveOut): string => {
  const rest = leaveOut(output);
  const name = storedIn(output)?.words;
  return name === undefined || storedIn(rest)?.words === name ? rest : `${name}\n\n${rest}`;
};

const cleanResult = (result: ActuatorResult, leaveOut: LeaveOut): ActuatorResult => ({
  ...result,
  ...('reason' in result ? { reason: leaveOut(result.reason) } : {}),
  ...('output' in result ? defined({ output: result.output && leaveOutBelowName(result.output, leaveOut) }) : {}),
});

export const hideSecrets = (actuator: Actuator, leaveOut: LeaveOut): Actuator => ({
  kind: actuator.kind,
  deliver: async (action, context) => cleanResult(await actuator.deliver(action, context), leaveOut),
});
