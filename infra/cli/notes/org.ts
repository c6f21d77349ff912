/**
 * Org as a tree of notes. Headings become nodes with their state, priority, tags, planning and
 * property drawer; the source between them is their content, byte for byte. A document takes its
 * title, tags and states from the keywords before the first heading, which stay in its content.
 * Pure. Gives a tree with remarks, or says why the file is bad and where.
 */
import { defined } from '../../../lib/base/defined.ts';
import { type NoteProblem, type NoteProperties, type ParsedNotes, stemOf } from './note.ts';
import { ORG_STATES, parseOrgHeading, statesOf, tagGroupOf } from './org-heading.ts';
import { drawerOf, keywordOf, type OrgLine, orgLinesOf, planningOf, starsOf } from './org-lines.ts';
import { buildTree, type Section } from './section-tree.ts';
import { trimBlankLines, withoutByteOrderMark } from './text-lines.ts';

export interface OrgKeywords {
  readonly title?: string | undefined;
  readonly tags: readonly string[];
  readonly states: readonly string[];
}

const STATE_KEYS: ReadonlySet<string> = new Set(['TODO', 'SEQ_TODO', 'TYP_TODO']);

/** What the keywords of a document's own text say. */
export const orgKeywordsOf = (lines: readonly OrgLine[]): OrgKeywords => {
  const found = lines.flatMap((line) => keywordOf(line) ?? []);
  const title = found.find(({ key, value }) => key === 'TITLE' && value !== '')?.value;
  return {
    ...defined({ title }),
    tags: found
      .flatMap(({ key, value }) => (key === 'FILETAGS' ? (tagGroupOf(value) ?? value.split(/[\s:]+/)) : []))
      .filter((tag) => tag !== ''),
    states: found.flatMap(({ key, value }) => (STATE_KEYS.has(key) ? statesOf(value) : [])),
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
  const planning = hasPlanning && lines[0] !== undefined ? planningOf(lines[0]) : undefined;
  const afterPlanning = planning === undefined ? 0 : 1;
  const drawer = drawerOf(lines.slice(afterPlanning));
  if (drawer === 'unclosed')
    remark(afterPlanning, 'a property drawer that is not closed, or holds more than properties: kept as text');
  const taken = afterPlanning + (typeof drawer === 'object' ? drawer.count : 0);
  const from = lines[taken];
  return {
    properties: { ...(typeof drawer === 'object' ? drawer.properties : {}), ...Object.fromEntries(planning ?? []) },
    content: from === undefined ? '' : trimBlankLines(text.slice(from.start, lines.at(-1)?.end)),
  };
};

/** Blank lines before a document's drawer do not count. */
const isBlankLine = ({ text }: OrgLine): boolean => /^[ \t]*$/.test(text);

/** @param file path inside the folder, with `/`; names the document and its nodes */
export const parseOrg = (source: string, file: string): ParsedNotes => {
  const text = withoutByteOrderMark(source);
  const lines = orgLinesOf(text);
  const starts = lines.flatMap((line, n) => (starsOf(line) > 0 ? [n] : []));
  const problems: NoteProblem[] = [];
  const remarkFrom = (first: number) => (n: number, problem: string) =>
    void problems.push({ file, line: first + n + 1, problem });
  const before = lines.slice(0, starts[0] ?? lines.length);
  const blank = before.findIndex((line) => !isBlankLine(line));
  const skipped = blank < 0 ? before.length : blank;
  const own = readUnder(text, before.slice(skipped), false, remarkFrom(skipped));
  const keywords = orgKeywordsOf(before);
  const states = new Set([...ORG_STATES, ...keywords.states]);
  const sections = starts.map((n, index): Section => {
    const line = lines[n];
    const stars = line === undefined ? 1 : starsOf(line);
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
    title: keywords.title ?? stemOf(file),
    content: own.content,
    tags: keywords.tags,
    properties: own.properties,
  };
  return buildTree(file, 'org', document, sections, problems);
};
