/**
 * The front matter of a Markdown file: YAML as Obsidian and Jekyll write it, or lines of TOML. Each
 * scalar is its text (YAML's failsafe schema), so that `007` and `yes` come back. A member that is
 * no plain YAML is kept as one text, and a block that cannot be read as text of the note: privacy
 * tags in it still count, and the rest of the file is read. Pure.
 */
import { Document, isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import { defined } from '../../../lib/core/base/defined.ts';
import { MENDED_MAX, quoteMember } from '../../../lib/core/base/mend-yaml.ts';
import { type NoteProperties, type NoteProperty, oneLine, sortTags, TodoState } from './note.ts';

export interface FrontMatter {
  readonly title?: string | undefined;
  readonly tags: readonly string[];
  readonly todo?: string | undefined;
  readonly properties: NoteProperties;
}

interface Remark {
  /** In the file, from 1. */
  readonly line: number;
  readonly problem: string;
}

export interface SplitFrontMatter {
  readonly matter: FrontMatter;
  /** The block as code, if it could not be read. */
  readonly kept?: string;
  readonly body: string;
  readonly bodyLine: number;
  readonly remarks: readonly Remark[];
}

const NONE: FrontMatter = { tags: [], properties: {} };
const OPENING = /^(---|\+\+\+)[ \t]*(?:\r\n|\n|\r)/;
const LINE = /([^\r\n]*)(\r\n|\n|\r|$)/g;
const END = { '---': /^(?:---|\.\.\.)[ \t]*$/, '+++': /^\+\+\+[ \t]*$/ };
/** The first line of front matter. After any other line, `---` was a line across the page. */
const MEMBER = /^(?:["']?[^\s#'"[\]{}>|*&!%`,:-][^\r\n]{0,200}?:(?:[ \t]|$)|(?:---|\.\.\.)[ \t]*$)/;
const REMARK_OR_BLANK = /^[ \t]*(?:#|$)/;

const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const listScalars = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listScalars) : [];
};

/** Tags are written as `a, b`, `a b`, a list, or `#a`; a list without an end is a text. */
const readTags = (value: unknown): readonly string[] => {
  const words = typeof value === 'string' ? value.split(/[\s,[\]"']+/) : listScalars(value).map((tag) => oneLine(tag));
  return words.map((tag) => tag.replace(/^#+/, '').trim()).filter((tag) => tag !== '');
};

const readProperty = (value: unknown): NoteProperty => {
  if (typeof value === 'string') return value;
  return isList(value) ? value : JSON.stringify(value);
};

/** Obsidian has read all of these. A name in capitals stays a property beside. */
const isTagsName = (name: string): boolean => /^tags?$/i.test(name);

const buildMatter = (value: object): FrontMatter => {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  const title = entries.find(([name]) => name === 'title')?.[1];
  const todo = TodoState.safeParse(entries.find(([name]) => name === 'todo')?.[1]);
  const isOurs = ([name, one]: readonly [string, unknown]): boolean =>
    name === 'tags' || (name === 'title' && typeof one === 'string') || (name === 'todo' && todo.success);
  return {
    ...(typeof title === 'string' && oneLine(title) !== '' ? { title: oneLine(title) } : {}),
    tags: sortTags(entries.flatMap(([name, one]) => (isTagsName(name) ? readTags(one) : []))),
    ...(todo.success ? { todo: todo.data } : {}),
    properties: Object.fromEntries(
      entries.filter((entry) => !isOurs(entry)).map(([name, one]) => [name, readProperty(one)]),
    ),
  };
};

interface Fault {
  readonly kind: 'fault';
  readonly remark: Remark;
}

type ReadMembers = { readonly kind: 'members'; readonly value: object; readonly remarks: readonly Remark[] } | Fault;

const fault = (line: number, problem: string): Fault => ({ kind: 'fault', remark: { line, problem } });

/** At most the last line with words: a missing end is found where the text ends. */
const lineIn = (yaml: string, offset: number): number =>
  Math.min(yaml.slice(0, offset).split('\n').length, yaml.trimEnd().split('\n').length);

/** `{{date}}` is YAML for a map in the place of a name. */
const isTemplate = (node: unknown): boolean => isMap(node) && node.items.some(({ key }) => !isScalar(key));
/** `[[Page]]` is YAML for a list in a list. */
const isWikilink = (node: unknown): boolean =>
  isSeq(node) && node.flow === true && node.items.length === 1 && isSeq(node.items[0]) && node.items[0].flow === true;

const sourceOf = (node: Node, yaml: string): string => yaml.slice(node.range?.[0], node.range?.[1]);

/** Values that other programs read as they are written, by the names of their members. */
const writtenValues = (contents: unknown, yaml: string) => {
  const values: Record<string, NoteProperty> = {};
  const remarks: Remark[] = [];
  for (const { key, value } of isMap<unknown, Node>(contents) ? contents.items : []) {
    const name = isScalar(key) ? String(key.value) : '';
    if (value === null) continue;
    if (isTemplate(value)) {
      const line = lineIn(yaml, value.range?.[0] ?? 0);
      remarks.push({ line, problem: `${name} is a template and is kept as it is written` });
    }
    if (isTemplate(value) || isWikilink(value)) values[name] = sourceOf(value, yaml);
    else if (isSeq<Node>(value) && value.items.some(isWikilink))
      values[name] = value.items.map((one) => (isScalar(one) ? String(one.value) : sourceOf(one, yaml)));
  }
  return { values, remarks };
};

const readOnce = (yaml: string): ReadMembers | { readonly kind: 'mend'; readonly line: number } => {
  const options = { schema: 'failsafe', uniqueKeys: true, prettyErrors: false, logLevel: 'silent' } as const;
  const document = parseDocument(yaml, options);
  const [error] = document.errors;
  const line = error === undefined ? 1 : lineIn(yaml, error.pos[0]);
  if (error?.code === 'DUPLICATE_KEY')
    return fault(line, 'a name is given twice in the front matter, which is kept as text: give it another');
  if (error !== undefined) return { kind: 'mend', line };
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    if (value === null || value === '' || value === undefined) return { kind: 'members', value: {}, remarks: [] };
    if (typeof value !== 'object' || Array.isArray(value))
      return fault(1, 'front matter that is no list of names and values is kept as text: give each value a name');
    const { values, remarks } = writtenValues(document.contents, yaml);
    return { kind: 'members', value: { ...value, ...values }, remarks };
  } catch {
    return fault(1, 'front matter that refers to itself is kept as text: write its values out');
  }
};

/** The members of a block of YAML; lines count from its first. */
const readMembers = (yaml: string): ReadMembers => {
  const mended: Remark[] = [];
  let lines: readonly string[] = yaml.split('\n');
  let read = readOnce(yaml);
  const first = read.kind === 'mend' ? read.line : 1;
  while (read.kind === 'mend' && mended.length < MENDED_MAX) {
    const member = quoteMember(lines, read.line - 1);
    if (member === undefined) break;
    const problem = `${member.key} is no plain YAML and is kept as one text: put it in quotes`;
    mended.push({ line: member.line + 1, problem });
    lines = member.lines;
    read = readOnce(lines.join('\n'));
  }
  if (read.kind === 'mend') return fault(first, 'front matter that is not YAML is kept as text: mend this line');
  return read.kind === 'fault' ? read : { ...read, remarks: [...mended, ...read.remarks] };
};

/** `name = value` is nearly YAML. A table is not, and then the block is no list of members. */
const readToml = (toml: string): ReadMembers => {
  const lines = toml.split('\n');
  const table = lines.findIndex((line) => /^[ \t]*\[/.test(line));
  const yaml = lines.map((line) => line.replace(/^([\w-]+)[ \t]*=[ \t]*/, '$1: ').replace(/^(?=[\]}])/, '  '));
  const read = readOnce(yaml.join('\n'));
  if (table < 0 && read.kind === 'members') return read;
  const problem = 'front matter in TOML with more than names and values is kept as text: write it in YAML';
  return fault(read.kind === 'mend' && table < 0 ? read.line : Math.max(0, table) + 1, problem);
};

/** A text that no parser takes apart. */
export const fenced = (content: string, language = ''): string => {
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${content}\n${fence}`;
};

interface Block {
  /** Between the marks, its lines ended by line feeds. */
  readonly text: string;
  /** The offset after the block. */
  readonly end: number;
  readonly bodyLine: number;
  readonly isEnded: boolean;
}

/** Without an end, it goes to the first blank line or heading. */
const findBlock = (text: string, start: number, end: RegExp): Block => {
  let open: { readonly at: number; readonly line: number } | undefined;
  let line = 2;
  for (let at = start; at < text.length; line += 1) {
    LINE.lastIndex = at;
    const [whole = '', content = ''] = LINE.exec(text) ?? [];
    const inside = (upTo: number): string => text.slice(start, upTo).replace(/\r\n?/g, '\n');
    if (end.test(content)) return { text: inside(at), end: at + whole.length, bodyLine: line + 1, isEnded: true };
    if (/^[ \t]*(?:$|#)/.test(content)) open ??= { at, line };
    at += whole.length;
    if (whole === '') break;
  }
  const at = open?.at ?? text.length;
  return { text: text.slice(start, at).replace(/\r\n?/g, '\n'), end: at, bodyLine: open?.line ?? line, isEnded: false };
};

const firstLine = (text: string): string => text.split(/[\r\n]/, 1)[0] ?? '';

/** Splits a file and reads what it begins with. */
export const splitFrontMatter = (text: string): SplitFrontMatter => {
  const none: SplitFrontMatter = { matter: NONE, body: text, bodyLine: 1, remarks: [] };
  const [opening = '', mark] = OPENING.exec(text) ?? [];
  if (mark !== '---' && mark !== '+++') return none;
  const first = firstLine(text.slice(opening.length));
  const isSure = mark === '+++' || MEMBER.test(first);
  if (!isSure && !REMARK_OR_BLANK.test(first)) return none;
  const block = findBlock(text, opening.length, END[mark]);
  if (!block.isEnded && (!isSure || mark === '+++')) return none;
  const read = mark === '+++' ? readToml(block.text) : readMembers(block.text);
  const rest = { body: text.slice(block.end), bodyLine: block.bodyLine };
  const inFile = ({ line, problem }: Remark): Remark => ({ line: line + 1, problem });
  if (read.kind === 'fault') {
    if (!block.isEnded || !isSure) return none;
    const kept = fenced(block.text.trimEnd(), mark === '+++' ? 'toml' : 'yaml');
    return { matter: NONE, kept, ...rest, remarks: [inFile(read.remark)] };
  }
  // After a comment or a blank line, only a plain block is sure to be no text.
  if (!isSure && (read.remarks.length > 0 || Object.keys(read.value).length === 0)) return none;
  const unended = `front matter that never ends is read to line ${block.bodyLine - 1}: write a line "---" below it`;
  return {
    matter: buildMatter(read.value),
    ...rest,
    remarks: [...(block.isEnded ? [] : [{ line: 1, problem: unended }]), ...read.remarks.map(inFile)],
  };
};

/** Front matter with these members; an empty text if there are none. */
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
