/**
 * Org as a tree of notes, both ways. The source between headings is their content, byte for byte;
 * keywords before the first stay in the document's. A rendered tree reads back the same: a line
 * that would be more than content gets a comma before it. Pure.
 */
import { defined } from '../../../lib/core/base/defined.ts';
import {
  fileStem,
  type NoteNode,
  type NoteProblem,
  type NoteProperties,
  oneLine,
  type ParsedNotes,
  trimBlankLines,
  withoutByteOrderMark,
} from './note.ts';
import {
  countStars,
  isOrgPriority,
  isOrgTag,
  ORG_STATES,
  type OrgLine,
  parseOrgHeading,
  parseOrgLines,
  readDrawer,
  readKeyword,
  readPlanning,
  readStates,
  readTagGroup,
  renderOrgHeading,
} from './org-syntax.ts';
import { buildTree, type Section } from './section-tree.ts';

const STATE_KEYS: ReadonlySet<string> = new Set(['TODO', 'SEQ_TODO', 'TYP_TODO']);

/** Title, tags and states from the keywords of a document's own text. */
const readKeywords = (lines: readonly OrgLine[]) => {
  const found = lines.flatMap((line) => readKeyword(line) ?? []);
  const title = found.find(({ key, value }) => key === 'TITLE' && value !== '')?.value;
  return {
    ...defined({ title }),
    tags: found
      .flatMap(({ key, value }) => (key === 'FILETAGS' ? (readTagGroup(value) ?? value.split(/[\s:]+/)) : []))
      .filter((tag) => tag !== ''),
    states: found.flatMap(({ key, value }) => (STATE_KEYS.has(key) ? readStates(value) : [])),
  };
};

interface Under {
  readonly properties: NoteProperties;
  readonly content: string;
}

/** Planning, drawer and content of the lines under a heading (or before the first). */
const readUnder = (
  text: string,
  lines: readonly OrgLine[],
  hasPlanning: boolean,
  remark: (n: number, problem: string) => void,
): Under => {
  const planning = hasPlanning && lines[0] !== undefined ? readPlanning(lines[0]) : undefined;
  const afterPlanning = planning === undefined ? 0 : 1;
  const drawer = readDrawer(lines.slice(afterPlanning));
  if (drawer === 'unclosed')
    remark(afterPlanning, 'a property drawer that is not closed, or holds more than properties: kept as text');
  const taken = afterPlanning + (typeof drawer === 'object' ? drawer.count : 0);
  const from = lines[taken];
  return {
    properties: { ...(typeof drawer === 'object' ? drawer.properties : {}), ...Object.fromEntries(planning ?? []) },
    content: from === undefined ? '' : trimBlankLines(text.slice(from.start, lines.at(-1)?.end)),
  };
};

const isBlankLine = ({ text }: OrgLine): boolean => /^[ \t]*$/.test(text);

/** @param file path inside the folder, with `/`; names the document and its nodes */
export const parseOrg = (source: string, file: string): ParsedNotes => {
  const text = withoutByteOrderMark(source);
  const lines = parseOrgLines(text);
  const starts = lines.flatMap((line, n) => (countStars(line) > 0 ? [n] : []));
  const problems: NoteProblem[] = [];
  const remarkFrom = (first: number) => (n: number, problem: string) =>
    void problems.push({ file, line: first + n + 1, problem });
  const before = lines.slice(0, starts[0] ?? lines.length);
  const blank = before.findIndex((line) => !isBlankLine(line));
  const skipped = blank < 0 ? before.length : blank;
  const own = readUnder(text, before.slice(skipped), false, remarkFrom(skipped));
  const keywords = readKeywords(before);
  const states = new Set([...ORG_STATES, ...keywords.states]);
  const sections = starts.map((n, index): Section => {
    const line = lines[n];
    const stars = line === undefined ? 1 : countStars(line);
    const { priority, ...heading } = parseOrgHeading(line?.text.slice(stars) ?? '', states);
    const under = readUnder(text, lines.slice(n + 1, starts[index + 1] ?? lines.length), true, remarkFrom(n + 1));
    return {
      level: stars,
      line: n + 1,
      ...heading,
      content: under.content,
      properties: { ...under.properties, ...defined({ PRIORITY: priority }) },
    };
  });
  const document: Section = {
    level: 0,
    line: 1,
    title: keywords.title ?? fileStem(file),
    content: own.content,
    tags: keywords.tags,
    properties: own.properties,
  };
  return buildTree(file, 'org', document, sections, problems);
};

const PLANNING_KEYS = ['CLOSED', 'DEADLINE', 'SCHEDULED'] as const;
const EMPTY_DRAWER = [':PROPERTIES:', ':END:'] as const;
const BLOCK_MARK = /^[ \t]*#\+(?:begin|end)_\S/i;

const timeOf = (properties: NoteProperties, key: string): string | undefined => {
  const value = properties[key];
  return typeof value === 'string' && /^(?:<[^<>\n]*>|\[[^[\]\n]*\])$/.test(value) ? value : undefined;
};

/** A name a drawer can hold. */
const nameOf = (name: string): string => name.replace(/[\s:]+/g, '-').replace(/\++$/, '') || 'property';

const drawerLines = (properties: NoteProperties, isShown: (name: string) => boolean): readonly string[] => {
  const lines = Object.entries(properties)
    .filter(([name]) => !isShown(name))
    .map(([name, value]) =>
      `:${nameOf(name)}: ${oneLine(typeof value === 'string' ? value : value.join(' '))}`.trimEnd(),
    );
  return lines.length === 0 ? [] : [':PROPERTIES:', ...lines, ':END:'];
};

/** Content whose lines all stay content. @param isGuarded marks of open blocks get a comma too */
const safeContent = (raw: string, isGuarded: boolean): string => {
  const content = trimBlankLines(raw);
  return parseOrgLines(content)
    .map((line) => {
      const isMark = isGuarded && !line.isBlock && BLOCK_MARK.test(line.text);
      return `${countStars(line) > 0 || isMark ? ',' : ''}${content.slice(line.start, line.end)}`;
    })
    .join('');
};

/** The drawer; an empty one if the content would be taken for planning or for a drawer. */
const guardingDrawer = (drawer: readonly string[], content: string): readonly string[] => {
  if (drawer.length > 0 || content === '') return drawer;
  const lines = parseOrgLines(content);
  const isPlanning = lines[0] !== undefined && readPlanning(lines[0]) !== undefined;
  return isPlanning || typeof readDrawer(lines) === 'object' ? EMPTY_DRAWER : drawer;
};

const orgTagsOf = ({ tags }: NoteNode): readonly string[] =>
  tags.map((tag) => tag.replace(/[^\p{L}\p{N}_@#%]+/gu, '_')).filter(isOrgTag);

const renderSection = (node: NoteNode, level: number, isGuarded: boolean): readonly string[] => {
  const { properties } = node;
  const priority =
    typeof properties.PRIORITY === 'string' && isOrgPriority(properties.PRIORITY) ? properties.PRIORITY : undefined;
  const heading = renderOrgHeading({
    title: oneLine(node.title),
    tags: orgTagsOf(node),
    todo: node.todo,
    priority,
  });
  const planned = PLANNING_KEYS.flatMap((key) => {
    const time = timeOf(properties, key);
    return time === undefined ? [] : [`${key}: ${time}`];
  });
  const isShown = (name: string): boolean =>
    (name === 'PRIORITY' && priority !== undefined) ||
    (PLANNING_KEYS.some((key) => key === name) && timeOf(properties, name) !== undefined);
  const drawer = drawerLines(properties, isShown);
  const content = safeContent(node.content, isGuarded);
  return [
    `${'*'.repeat(level)} ${heading}`,
    ...(planned.length === 0 ? [] : [planned.join(' ')]),
    ...guardingDrawer(drawer, content),
    ...(content === '' ? [] : [content]),
    ...node.children.flatMap((child) => renderSection(child, level + 1, isGuarded)),
  ];
};

const statesIn = (node: NoteNode): readonly string[] => [
  ...(node.todo === undefined ? [] : [node.todo]),
  ...node.children.flatMap(statesIn),
];

const renderDocument = (document: NoteNode, isGuarded: boolean): string => {
  const content = safeContent(document.content, isGuarded);
  const own = readKeywords(parseOrgLines(content));
  const title = oneLine(document.title);
  const ownTags = new Set(own.tags);
  const tags = orgTagsOf(document).filter((tag) => !ownTags.has(tag));
  const known = new Set([...ORG_STATES, ...own.states]);
  const states = [...new Set(document.children.flatMap(statesIn))].filter((state) => !known.has(state));
  const drawer = drawerLines(document.properties, () => false);
  const keywords = [
    ...(title === '' || title === (own.title ?? fileStem(document.source.file)) ? [] : [`#+TITLE: ${title}`]),
    ...(tags.length === 0 ? [] : [`#+FILETAGS: :${tags.join(':')}:`]),
    ...(states.length === 0 ? [] : [`#+TODO: ${states.join(' ')}`]),
  ];
  const lines = [
    ...(keywords.length > 0 ? drawer : guardingDrawer(drawer, content)),
    ...keywords,
    ...(content === '' ? [] : [content]),
    ...document.children.flatMap((child) => renderSection(child, 1, isGuarded)),
  ];
  const text = lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  return text.startsWith('\ufeff') ? `\n${text}` : text;
};

const countOf = (node: NoteNode): number => node.children.reduce((sum, child) => sum + countOf(child), 1);

/** One heading with its text, without those below it. @param level its stars; 0 for a document */
export const renderOrgPart = (node: NoteNode, level: number): string => {
  const alone = { ...node, children: [] };
  return level === 0 ? renderDocument(alone, false).trimEnd() : renderSection(alone, level, false).join('\n');
};

/** Text of a whole file; ends with a line feed. @param document the root of a tree */
export const renderOrg = (document: NoteNode): string => {
  const plain = renderDocument(document, false);
  const parsed = parseOrg(plain, document.source.file);
  // A block that opens under one heading and ends under another would take the headings between.
  const isWhole = parsed.kind === 'notes' && countOf(parsed.node) === countOf(document);
  return isWhole ? plain : renderDocument(document, true);
};
