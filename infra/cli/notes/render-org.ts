/**
 * A tree of notes as Org that reads back as the same tree. Content is written as it is, except
 * lines that would be taken for more than content: they get a comma before them, as Org quotes them
 * in blocks. Title, tags and states of a document are added as keywords only where its text does
 * not say them. Pure.
 */
import { type NoteNode, type NoteProperties, stemOf } from './note.ts';
import { orgKeywordsOf, parseOrg } from './org.ts';
import { isOrgPriority, isOrgTag, ORG_STATES, renderOrgHeading } from './org-heading.ts';
import { drawerOf, orgLinesOf, planningOf, starsOf } from './org-lines.ts';
import { oneLine, trimBlankLines } from './text-lines.ts';

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

/**
 * Content whose every line stays content. @param isGuarded also marks of blocks that are not whole
 * get a comma
 */
const safeContent = (raw: string, isGuarded: boolean): string => {
  const content = trimBlankLines(raw);
  return orgLinesOf(content)
    .map((line) => {
      const isMark = isGuarded && !line.isBlock && BLOCK_MARK.test(line.text);
      return `${starsOf(line) > 0 || isMark ? ',' : ''}${content.slice(line.start, line.end)}`;
    })
    .join('');
};

/** The drawer, empty where the content would otherwise be taken for planning or for the drawer. */
const guardingDrawer = (drawer: readonly string[], content: string): readonly string[] => {
  if (drawer.length > 0 || content === '') return drawer;
  const lines = orgLinesOf(content);
  const isPlanning = lines[0] !== undefined && planningOf(lines[0]) !== undefined;
  return isPlanning || typeof drawerOf(lines) === 'object' ? EMPTY_DRAWER : drawer;
};

const renderSection = (node: NoteNode, level: number, isGuarded: boolean): readonly string[] => {
  const { properties } = node;
  const priority =
    typeof properties.PRIORITY === 'string' && isOrgPriority(properties.PRIORITY) ? properties.PRIORITY : undefined;
  const heading = renderOrgHeading({
    title: oneLine(node.title),
    tags: node.tags.map((tag) => tag.replace(/[^\p{L}\p{N}_@#%]+/gu, '_')).filter(isOrgTag),
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
  const said = orgKeywordsOf(orgLinesOf(content));
  const title = oneLine(document.title);
  const saidTags = new Set(said.tags);
  const tags = document.tags
    .map((tag) => tag.replace(/[^\p{L}\p{N}_@#%]+/gu, '_'))
    .filter((tag) => isOrgTag(tag) && !saidTags.has(tag));
  const known = new Set([...ORG_STATES, ...said.states]);
  const states = [...new Set(document.children.flatMap(statesIn))].filter((state) => !known.has(state));
  const drawer = drawerLines(document.properties, () => false);
  const keywords = [
    ...(title === '' || title === (said.title ?? stemOf(document.source.file)) ? [] : [`#+TITLE: ${title}`]),
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

/** Text of a whole file; ends with a line feed. @param document the root of a tree */
export const renderOrg = (document: NoteNode): string => {
  const plain = renderDocument(document, false);
  const parsed = parseOrg(plain, document.source.file);
  // A block that opens under one heading and ends under another would take the headings between.
  const isWhole = parsed.kind === 'notes' && countOf(parsed.node) === countOf(document);
  return isWhole ? plain : renderDocument(document, true);
};
