/**
 * The lines and headings of an Org file. Inside a block that is closed every line is text, also one
 * with a star: Org's own parser would end the block there, and a script would lose its second half.
 * An unclosed block hides nothing. Pure and linear.
 */

import { defined } from '../../../lib/core/base/defined.ts';
import { MEMORY_PROPERTY_NAME_CHARS_MAX } from '../../../lib/core/memory/limits.ts';
import { oneLine, TodoState } from './note.ts';

export interface OrgLine {
  readonly start: number;
  /** After the line break. */
  readonly end: number;
  /** Without the line break. */
  readonly text: string;
  /** Inside a closed block, or one of its two marks. */
  readonly isBlock: boolean;
}

const LINE = /([^\r\n]*)(?:\r\n|\n|\r|$)/y;
const BLOCK_MARK = /^[ \t]*#\+(begin|end)_(\S+)/i;

/** Marks the lines of closed blocks, their marks too. A block inside a closed one belongs to it. */
const markBlocks = (texts: readonly string[]): readonly boolean[] => {
  const opened = new Map<string, number>();
  /** Blocks that open on a line, less those that ended on the line before it. */
  const steps = texts.map(() => 0);
  for (const [n, text] of texts.entries()) {
    const [, mark, rawName = ''] = BLOCK_MARK.exec(text) ?? [];
    if (mark === undefined) continue;
    const name = rawName.toLowerCase();
    const from = opened.get(name);
    opened.delete(name);
    if (mark.toLowerCase() === 'begin') opened.set(name, n);
    else if (from !== undefined) {
      steps[from] = (steps[from] ?? 0) + 1;
      if (n + 1 < steps.length) steps[n + 1] = (steps[n + 1] ?? 0) - 1;
      for (const [other, start] of opened) if (start >= from) opened.delete(other);
    }
  }
  let depth = 0;
  return steps.map((step) => {
    depth += step;
    return depth > 0;
  });
};

export const parseOrgLines = (text: string): readonly OrgLine[] => {
  const spans: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  for (let at = 0; at < text.length; ) {
    LINE.lastIndex = at;
    const [whole = '', content = ''] = LINE.exec(text) ?? [];
    spans.push({ start: at, end: at + whole.length, text: content });
    at += whole.length;
  }
  const isBlock = markBlocks(spans.map((span) => span.text));
  return spans.map((span, n) => ({ ...span, isBlock: isBlock[n] ?? false }));
};

/** Number of stars of a heading; 0 for any other line. */
export const countStars = (line: OrgLine): number => (line.isBlock ? 0 : (/^(\*+) /.exec(line.text)?.[1]?.length ?? 0));

/** `#+KEY: value`; the key in upper case. */
export const readKeyword = (line: OrgLine): { readonly key: string; readonly value: string } | undefined => {
  if (line.isBlock) return undefined;
  const [, key, value = ''] = /^#\+([A-Za-z_]{1,32}):[ \t]*(.*)$/s.exec(line.text) ?? [];
  return key === undefined ? undefined : { key: key.toUpperCase(), value: oneLine(value) };
};

const PLANNING = /^[ \t]*(?:(?:SCHEDULED|DEADLINE|CLOSED):[ \t]*(?:<[^<>\n]*>|\[[^[\]\n]*\])[ \t]*){1,3}$/;
const PLANNED = /(SCHEDULED|DEADLINE|CLOSED):[ \t]*(<[^<>\n]*>|\[[^[\]\n]*\])/g;

/** The times of a planning line, as they are written; undefined for any other line. */
export const readPlanning = (line: OrgLine): readonly (readonly [string, string])[] | undefined => {
  if (line.isBlock || !PLANNING.test(line.text)) return undefined;
  const planned = [...line.text.matchAll(PLANNED)].map(([, key = '', time = '']): readonly [string, string] => [
    key,
    time,
  ]);
  return new Set(planned.map(([key]) => key)).size === planned.length ? planned : undefined;
};

const PROPERTY = /^[ \t]*:([^\s:]+):(?:[ \t]+(.*))?$/s;

export interface Drawer {
  readonly properties: Readonly<Record<string, string>>;
  /** Lines it takes, with its marks. */
  readonly count: number;
}

/** `unclosed`: no line of its own ends it, or one of its lines is no property. */
export const readDrawer = (lines: readonly OrgLine[]): Drawer | 'none' | 'unclosed' => {
  if (!/^[ \t]*:PROPERTIES:[ \t]*$/i.test(lines[0]?.text ?? '')) return 'none';
  const properties = new Map<string, string>();
  for (const [n, line] of lines.entries()) {
    if (n === 0) continue;
    if (/^[ \t]*:END:[ \t]*$/i.test(line.text)) return { properties: Object.fromEntries(properties), count: n + 1 };
    const [, name, value = ''] = PROPERTY.exec(line.text) ?? [];
    if (name === undefined || name.length > MEMORY_PROPERTY_NAME_CHARS_MAX || line.isBlock) return 'unclosed';
    const isAdded = name.endsWith('+') && name.length > 1;
    const key = isAdded ? name.slice(0, -1) : name;
    properties.set(key, isAdded ? oneLine(`${properties.get(key) ?? ''} ${value}`) : oneLine(value));
  }
  return 'unclosed';
};

export interface OrgHeading {
  readonly title: string;
  readonly tags: readonly string[];
  readonly todo?: string | undefined;
  readonly priority?: string | undefined;
}

/** Org's own two states, and those that most files use without naming them. */
export const ORG_STATES: ReadonlySet<string> = new Set([
  'TODO',
  'DONE',
  'NEXT',
  'WAITING',
  'STARTED',
  'HOLD',
  'CANCELLED',
  'CANCELED',
]);

const TAG = /^[\p{L}\p{N}_@#%]{1,64}$/u;
export const isOrgTag = (tag: string): boolean => TAG.test(tag);
export const isOrgPriority = (text: string): boolean => /^[A-Za-z0-9]$/.test(text);

/** States that `#+TODO: A(a) B | C` names. */
export const readStates = (value: string): readonly string[] =>
  value
    .split(/\s+/)
    .map((word) => word.replace(/\(.*$/, ''))
    .filter((word) => TodoState.safeParse(word).success);

/** `:a:b:` as tags; undefined when it is anything else. */
export const readTagGroup = (word: string): readonly string[] | undefined => {
  if (word.length < 3 || !word.startsWith(':') || !word.endsWith(':')) return undefined;
  const tags = word
    .slice(1, -1)
    .split(':')
    .filter((tag) => tag !== '');
  return tags.length > 0 && tags.every(isOrgTag) ? tags : undefined;
};

const splitFirst = (text: string): readonly [string, string] => {
  const at = text.search(/[ \t]/);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at).trim()];
};

/** @param raw the heading without its stars */
export const parseOrgHeading = (raw: string, states: ReadonlySet<string>): OrgHeading => {
  let rest = oneLine(raw);
  const last = Math.max(rest.lastIndexOf(' '), rest.lastIndexOf('\t'));
  const tags = readTagGroup(rest.slice(last + 1));
  if (tags !== undefined) rest = rest.slice(0, Math.max(0, last)).trim();
  const [first, after] = splitFirst(rest);
  const todo = states.has(first) ? first : undefined;
  if (todo !== undefined) rest = after;
  const [, priority] = /^\[#([A-Za-z0-9])\](?=[ \t]|$)/.exec(rest) ?? [];
  return {
    title: priority === undefined ? rest : rest.slice(4).trim(),
    tags: tags ?? [],
    ...defined({ todo, priority }),
  };
};

/** The heading without its stars. */
export const renderOrgHeading = ({ title, tags, todo, priority }: OrgHeading): string =>
  [todo ?? '', priority === undefined ? '' : `[#${priority}]`, title, tags.length === 0 ? '' : `:${tags.join(':')}:`]
    .filter((word) => word !== '')
    .join(' ');
