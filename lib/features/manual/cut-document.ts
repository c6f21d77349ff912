/**
 * Passages of a Markdown document: each row of a table and each line of a block with commands is
 * one, and the prose of a section is one or several. A passage is bounded, so that five fit an
 * answer. Pure.
 */
import type { Passage } from './manual.ts';

/** Characters of a passage: five of them are some 1,500 tokens. */
const PASSAGE_CHARS_MAX = 1_200;
/** A shorter part of prose leads to a table or list, and says nothing by itself. */
const PROSE_CHARS_MIN = 60;

const LINK = /\[([^\]]*)\]\([^)\s]*\)/g;
const plain = (text: string): string => text.replace(LINK, '$1');

/** The anchor of a heading, as Markdown viewers make it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const cellsOf = (row: string): readonly string[] =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');

interface Section {
  readonly title: string;
  readonly see: string;
  readonly lines: readonly string[];
}

const sectionsOf = (path: string, text: string): readonly Section[] => {
  const sections: { title: string; see: string; lines: string[] }[] = [];
  let name = '';
  let isCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, marks = '', heading = ''] = (isCode ? null : /^(#{1,4}) (.+)$/.exec(line)) ?? [];
    if (marks === '') sections.at(-1)?.lines.push(line);
    else if (marks === '#') {
      name = plain(heading);
      sections.push({ title: name, see: path, lines: [] });
    } else sections.push({ title: `${name}: ${plain(heading)}`, see: `${path}#${anchorOf(heading)}`, lines: [] });
  }
  return sections;
};

/** As many paragraphs as fit one passage, then the next ones; a longer paragraph is cut. */
const packProse = (paragraphs: readonly string[]): readonly string[] => {
  const packed: string[] = [];
  for (const paragraph of paragraphs) {
    const last = packed.at(-1);
    if (last !== undefined && last.length + paragraph.length < PASSAGE_CHARS_MAX)
      packed[packed.length - 1] = `${last}\n${paragraph}`;
    else packed.push(paragraph.slice(0, PASSAGE_CHARS_MAX).toWellFormed());
  }
  return packed.filter((text) => text.length >= PROSE_CHARS_MIN);
};

const cutSection = ({ title, see, lines }: Section): readonly Passage[] => {
  const rows: string[] = [];
  const commands: Passage[] = [];
  const paragraphs: string[] = [];
  let open: string[] = [];
  let isCode = false;
  const close = (): void => {
    if (open.length > 0) paragraphs.push(open.join(isCode ? '\n' : ' '));
    open = [];
  };
  for (const line of lines) {
    if (line.startsWith('```')) {
      close();
      isCode = !isCode;
    } else if (isCode) {
      const [, command = '', says = ''] = /^(\S.*?)\s+# (.+)$/.exec(line) ?? [];
      if (command === '') open.push(line);
      else commands.push({ kind: 'verb', title: command, words: '', text: says, see });
    } else if (/^\|[-| :]+\|$/.test(line) || line.trim() === '') close();
    else if (line.startsWith('|')) rows.push(cellsOf(plain(line)).join(' – '));
    else {
      if (/^[-\d]/.test(line)) close();
      open.push(plain(line.trim()));
    }
  }
  close();
  const texts = [...rows.map((row) => row.slice(0, PASSAGE_CHARS_MAX).toWellFormed()), ...packProse(paragraphs)];
  return [
    ...commands,
    ...texts
      .filter((one) => one !== '')
      .map((one): Passage => ({ kind: 'document', title, words: '', text: one, see })),
  ];
};

/** @param path of the document, from the root */
export const cutDocument = (path: string, text: string): readonly Passage[] =>
  sectionsOf(path, text).flatMap(cutSection);
