/** The Markdown of a model for a terminal. Control characters are spelled out first. */
import { type Mark, readMarkup } from '../../../lib/text/markup.ts';
import { printableLines, type Terminal } from '../terminal.ts';

export type Paint = Terminal['paint'];

const STYLES = { bold: 'bold', italic: 'italic', code: 'cyan', pre: 'cyan' } as const satisfies Record<
  Exclude<Mark['type'], 'blockquote'>,
  Parameters<Paint>[0]
>;

const show = (type: Mark['type'], words: string, paint: Paint): string =>
  type === 'blockquote' ? words.replaceAll(/^/gm, '> ') : paint(STYLES[type], words);

export const renderMarkdown = (source: string, paint: Paint): string => {
  const { text, entities } = readMarkup(printableLines(source));
  let shown = '';
  let end = 0;
  for (const { type, offset, length } of entities) {
    shown += text.slice(end, offset) + show(type, text.slice(offset, offset + length), paint);
    end = offset + length;
  }
  return shown + text.slice(end);
};

const FENCE = /```/g;
/** A character that may begin a mark. */
const MARK = /[*_`[]|^ *[-+#|>]/m;
/** An end that the next character may change: half of a line's end, or of a pair of surrogates. */
const HALF = /(?:\r|[\ud800-\udbff])$/;

/** The part that nothing to come can change: all before the first mark of the last block. */
export const stablePart = (text: string): string => {
  let last = 0;
  for (let at = text.indexOf('\n\n'); at !== -1; at = text.indexOf('\n\n', at + 2)) {
    const fences = text.slice(last, at).match(FENCE)?.length ?? 0;
    if (fences % 2 === 0) last = at + 2;
  }
  const mark = text.slice(last).search(MARK);
  return (mark === -1 ? text : text.slice(0, last + mark)).replace(HALF, '');
};
