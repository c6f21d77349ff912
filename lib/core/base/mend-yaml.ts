/**
 * Mends YAML that people write by hand: a member that is no plain YAML, such as prose with a colon,
 * is read as one text, as other programs read it. Pure.
 */

import { readJson } from './json.ts';

/** A member of the outermost level: its name, and what follows on the line. */
const MEMBER = /^([^\s#'"[\]{}>|*&!%`,:-][^:]{0,200}?):(?:[ \t]+(.*))?$/;

/** A member inside of another one, on a line of its own. */
const NESTED = /^( +(?:- )?([\w.-]{1,100}):)[ \t]+([^|>\s].*)$/;

export interface MendedYaml {
  readonly key: string;
  /** Index of its first line. */
  readonly line: number;
  /** As many as before. */
  readonly lines: readonly string[];
}

const isQuoted = (text: string): boolean => typeof readJson(text) === 'string';

/** The lines with the member around one of them as a quoted text; undefined if that cannot help. */
export const quoteMember = (lines: readonly string[], at: number): MendedYaml | undefined => {
  const [, begun = '', name = '', words = ''] = NESTED.exec(lines[at] ?? '') ?? [];
  if (words !== '' && !isQuoted(words.trim()))
    return { key: name, line: at, lines: lines.with(at, `${begun} ${JSON.stringify(words.trim())}`) };
  let first = Math.min(at, lines.length - 1);
  while (first >= 0 && !MEMBER.test(lines[first] ?? '')) first -= 1;
  const [, key, rest = ''] = MEMBER.exec(lines[first] ?? '') ?? [];
  if (key === undefined || /^[|>]/.test(rest)) return undefined;
  let end = first + 1;
  while (end < lines.length && (/^\s/.test(lines[end] ?? '') || lines[end] === '')) end += 1;
  const text = [rest, ...lines.slice(first + 1, end)].map((line) => line.trim()).filter((line) => line !== '');
  const value = text.join(' ');
  // It was mended already, or the fault is another one.
  if (isQuoted(value)) return undefined;
  const blank = lines.slice(first + 1, end).map(() => '');
  const quoted = `${key}: ${JSON.stringify(value)}`;
  return { key, line: first, lines: [...lines.slice(0, first), quoted, ...blank, ...lines.slice(end)] };
};

/** Members that are read as one text: a file with more is something else. */
export const MENDED_MAX = 8;
