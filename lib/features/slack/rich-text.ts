/**
 * A formatted text as blocks of Block Kit. Rich text holds its words as they are: nothing in it is
 * read as markup, a mention or an address, so only what the rules allow can be tapped.
 * https://docs.slack.dev/reference/block-kit/blocks/rich-text-block. Pure.
 */
import type { ButtonRows } from '../chats/buttons.ts';
import type { Entity } from '../chats/format.ts';

/** Slack's bounds for the words and the value of a button. */
const BUTTON_CHARS_MAX = 75;
/** The words that a notice of a phone shows: the blocks are the message. */
const FALLBACK_CHARS_MAX = 3_000;

/** Words of one block of plain text; Slack takes 3,000 characters. */
export const BLOCK_CHARS_MAX = 2_900;

export type Block = Readonly<Record<string, unknown>>;

const STYLES = { bold: 'bold', italic: 'italic', strikethrough: 'strike', code: 'code' } as const;
const styleOf = (type: Entity['type']): string | undefined =>
  type in STYLES ? STYLES[type as keyof typeof STYLES] : undefined;

const isQuote = ({ type }: Entity): boolean => type === 'blockquote' || type === 'expandable_blockquote';
const isBlock = (entity: Entity): boolean => isQuote(entity) || entity.type === 'pre';

/** Words of one line of styles each. */
const runsOf = (text: string, start: number, end: number, entities: readonly Entity[]): readonly Block[] => {
  const inside = entities.filter(({ offset, length }) => offset < end && offset + length > start);
  const cuts = [...new Set([start, end, ...inside.flatMap(({ offset, length }) => [offset, offset + length])])]
    .filter((at) => at >= start && at <= end)
    .toSorted((a, b) => a - b);
  return cuts.slice(0, -1).flatMap((from, n): readonly Block[] => {
    const words = text.slice(from, cuts[n + 1]);
    const here = inside.filter(({ offset, length }) => offset <= from && offset + length > from);
    const styles = here.flatMap(({ type }) => styleOf(type) ?? (type === 'pre' ? 'code' : []));
    const style = styles.length === 0 ? {} : { style: Object.fromEntries(styles.map((one) => [one, true])) };
    const url = here.find(({ type }) => type === 'text_link')?.url;
    if (words === '') return [];
    return [url === undefined ? { type: 'text', text: words, ...style } : { type: 'link', url, text: words, ...style }];
  });
};

/** Parts stand on lines of their own: the line break between two is left out. */
const elementsOf = (text: string, entities: readonly Entity[]): readonly Block[] => {
  const elements: Block[] = [];
  const add = (type: string, start: number, end: number, marks: readonly Entity[]): void => {
    const runs = runsOf(text, start, end, marks);
    if (runs.length > 0) elements.push({ type, elements: runs });
  };
  let at = 0;
  for (const block of entities.filter(isBlock)) {
    if (block.offset < at) continue;
    const end = block.offset + block.length;
    add('rich_text_section', at, text[block.offset - 1] === '\n' ? block.offset - 1 : block.offset, entities);
    const marks = block.type === 'pre' ? [] : entities.filter((one) => !isQuote(one));
    add(block.type === 'pre' ? 'rich_text_preformatted' : 'rich_text_quote', block.offset, end, marks);
    at = text[end] === '\n' ? end + 1 : end;
  }
  add('rich_text_section', at, text.length, entities);
  return elements;
};

const rowBlock = (row: ButtonRows[number], n: number): Block => ({
  type: 'actions',
  block_id: `row-${n}`,
  elements: row.map((button, at) => ({
    type: 'button',
    action_id: `${n}-${at}`,
    text: { type: 'plain_text', text: button.text.slice(0, BUTTON_CHARS_MAX), emoji: false },
    ...('url' in button ? { url: button.url } : { value: button.data }),
  })),
});

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeText = (text: string): string => text.replace(/[&<>]/g, (one) => ESCAPES[one] ?? one);

/** The arguments of a message: its blocks, and plain words for where no blocks are shown. */
export const messageBody = (
  { text, entities }: { readonly text: string; readonly entities: readonly Entity[] },
  rows: ButtonRows = [],
): Block => ({
  text: escapeText(text.slice(0, FALLBACK_CHARS_MAX).toWellFormed()),
  blocks: [{ type: 'rich_text', elements: elementsOf(text, entities) }, ...rows.map(rowBlock)],
  ...{ parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false },
});

/** A long text as blocks that show it as it is. */
export const sections = (text: string): readonly Block[] => {
  const chars = [...text.toWellFormed()];
  return Array.from({ length: Math.ceil(chars.length / BLOCK_CHARS_MAX) }, (_, n) => ({
    type: 'section',
    text: {
      type: 'plain_text',
      text: chars.slice(n * BLOCK_CHARS_MAX, (n + 1) * BLOCK_CHARS_MAX).join(''),
      emoji: false,
    },
  }));
};
