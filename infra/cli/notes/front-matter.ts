/**
 * YAML front matter, both ways. Every scalar is read as the text it is written as (YAML's failsafe
 * schema), so that `2024-01-01`, `007` and `yes` come back as they were. Front matter that does not
 * parse or never ends refuses the file: a privacy tag in it would be lost. Pure.
 */

import { Document, parseDocument } from 'yaml';
import { defined } from '../../../lib/base/defined.ts';
import { type NoteProperties, type NoteProperty, sortTags, TodoState } from './note.ts';
import { oneLine } from './text-lines.ts';

export interface FrontMatter {
  readonly title?: string | undefined;
  readonly tags: readonly string[];
  readonly todo?: string | undefined;
  readonly properties: NoteProperties;
}

export type SplitFrontMatter =
  | { readonly kind: 'split'; readonly matter: FrontMatter; readonly body: string; readonly bodyLine: number }
  | { readonly kind: 'bad'; readonly line: number; readonly problem: string };

const NONE: FrontMatter = { tags: [], properties: {} };
const OPENING = /^---[ \t]*(?:\r\n|\n|\r)/;
const LINE = /([^\r\n]*)(\r\n|\n|\r|$)/g;
/**
 * What front matter begins with; a line of dashes followed by anything else is a line across the
 * page.
 */
const MEMBER = /^(?:[\w"'][^\r\n]{0,200}?:(?:[ \t]|$)|(?:---|\.\.\.)[ \t]*$)/;

const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const scalarsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(scalarsOf) : [];
};

/** `a, b`, `a b`, a list, `#a`: all ways tags are written. */
const tagsOf = (value: unknown): readonly string[] => {
  const words = typeof value === 'string' ? value.split(/[\s,]+/) : scalarsOf(value).map((tag) => oneLine(tag));
  return words.map((tag) => tag.replace(/^#+/, '').trim()).filter((tag) => tag !== '');
};

const propertyOf = (value: unknown): NoteProperty => {
  if (typeof value === 'string') return value;
  return isList(value) ? value : JSON.stringify(value);
};

const matterOf = (value: object): FrontMatter => {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  const title = entries.find(([name]) => name === 'title')?.[1];
  const todo = TodoState.safeParse(entries.find(([name]) => name === 'todo')?.[1]);
  const isOurs = ([name, one]: readonly [string, unknown]): boolean =>
    name === 'tags' || (name === 'title' && typeof one === 'string') || (name === 'todo' && todo.success);
  return {
    ...(typeof title === 'string' && oneLine(title) !== '' ? { title: oneLine(title) } : {}),
    tags: sortTags(tagsOf(entries.find(([name]) => name === 'tags')?.[1])),
    ...(todo.success ? { todo: todo.data } : {}),
    properties: Object.fromEntries(
      entries.filter((entry) => !isOurs(entry)).map(([name, one]) => [name, propertyOf(one)]),
    ),
  };
};

/**
 * The line an error is on, or the last one with words: what misses its end is found where the text
 * ends.
 */
const lineIn = (yaml: string, offset: number): number =>
  Math.min(yaml.slice(0, offset).split('\n').length, yaml.trimEnd().split('\n').length);

const parseYaml = (yaml: string): FrontMatter | { readonly line: number; readonly problem: string } => {
  const document = parseDocument(yaml, { schema: 'failsafe', uniqueKeys: true, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) return { line: lineIn(yaml, error.pos[0]), problem: 'front matter is not YAML' };
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    if (value === null || value === '' || value === undefined) return NONE;
    if (typeof value === 'object' && !Array.isArray(value)) return matterOf(value);
    return { line: 1, problem: 'front matter is not a list of names and values' };
  } catch {
    return { line: 1, problem: 'front matter refers to itself' };
  }
};

/** Splits a text whose byte order mark is gone. Lines count from 1. */
export const splitFrontMatter = (text: string): SplitFrontMatter => {
  const opening = OPENING.exec(text)?.[0];
  const none = { kind: 'split', matter: NONE, body: text, bodyLine: 1 } as const;
  if (opening === undefined) return none;
  LINE.lastIndex = opening.length;
  for (let line = 2, at = opening.length; at < text.length; line += 1) {
    LINE.lastIndex = at;
    const [whole = '', content = ''] = LINE.exec(text) ?? [];
    if (line === 2 && !MEMBER.test(content)) return none;
    if (/^(?:---|\.\.\.)[ \t]*$/.test(content)) {
      const parsed = parseYaml(text.slice(opening.length, at));
      if ('problem' in parsed) return { kind: 'bad', line: parsed.line + 1, problem: parsed.problem };
      return { kind: 'split', matter: parsed, body: text.slice(at + whole.length), bodyLine: line + 1 };
    }
    at += whole.length;
    if (whole === '') break;
  }
  return { kind: 'bad', line: 1, problem: 'front matter that never ends' };
};

/** Front matter for what is given; empty text for nothing. */
export const renderFrontMatter = ({ title, tags, todo, properties }: FrontMatter): string => {
  const members = {
    ...defined({ title }),
    ...(tags.length === 0 ? {} : { tags }),
    ...defined({ todo }),
    ...properties,
  };
  if (Object.keys(members).length === 0) return '';
  return `---\n${new Document(members, { schema: 'failsafe' }).toString({ lineWidth: 0 })}---\n`;
};
