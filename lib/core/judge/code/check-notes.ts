/**
 * Finds the faults that break a file of notes for its readers: in Org a block or a property drawer
 * that is not closed, or an end without its beginning; in Markdown a code block that is not closed.
 * All else is text. Gives the first fault, in fixed words. Pure and linear.
 */
import type { CodeProblem } from '../../signal/facts.ts';

type NoteFault = Pick<CodeProblem, 'line' | 'problem'> | undefined;

interface Opened {
  readonly name: string;
  readonly line: number;
}

const BLOCK_MARK = /^[ \t]*#\+(begin|end)_(\S+)/i;
const DRAWER = /^[ \t]*:PROPERTIES:[ \t]*$/i;
const DRAWER_END = /^[ \t]*:END:[ \t]*$/i;
const HEADING = /^\*+ /;
/** In these every line is text until their own end. */
const VERBATIM: ReadonlySet<string> = new Set(['src', 'example', 'export', 'comment']);

const linesOf = (text: string): readonly string[] => text.split(/\r\n|\n|\r/);

/** The blocks still open after a line, or the fault of the line. */
const stepBlocks = (open: readonly Opened[], text: string, line: number): readonly Opened[] | NoteFault => {
  const [, mark = '', rawName = ''] = BLOCK_MARK.exec(text) ?? [];
  const name = rawName.toLowerCase();
  const last = open.at(-1);
  const isEnd = mark.toLowerCase() === 'end';
  if (mark === '' || (last !== undefined && VERBATIM.has(last.name) && !(isEnd && last.name === name))) return open;
  if (!isEnd) return [...open, { name, line }];
  return last?.name === name ? open.slice(0, -1) : { line, problem: 'a block ends here that was not begun' };
};

export const checkOrg = (text: string): NoteFault => {
  let open: readonly Opened[] = [];
  let drawer: number | undefined;
  for (const [index, one] of linesOf(text).entries()) {
    const stepped = stepBlocks(open, one, index + 1);
    if (stepped === undefined || 'problem' in stepped) return stepped;
    open = stepped;
    if (open.length > 0) continue;
    if (drawer !== undefined && HEADING.test(one)) break;
    if (DRAWER.test(one)) drawer = index + 1;
    else if (DRAWER_END.test(one)) drawer = undefined;
  }
  const unclosed = open[0]?.line;
  if (unclosed !== undefined) return { line: unclosed, problem: 'a block that begins here is not closed' };
  return drawer === undefined ? undefined : { line: drawer, problem: 'a property drawer is not closed' };
};

/** Behind marks of quotes and lists. */
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})([^\r\n]*)$/;
const DEEP = /^(?: {4}|\t)/;

export const checkMarkdown = (text: string): NoteFault => {
  let open: { readonly fence: string; readonly line: number } | undefined;
  for (const [index, one] of linesOf(text).entries()) {
    const [, fence, rest = ''] = FENCE.exec(one) ?? [];
    if (fence === undefined) continue;
    const isClosing = open !== undefined && fence.startsWith(open.fence) && rest.trim() === '';
    if (isClosing) open = undefined;
    // A deep line may be text that shows how a fence is written. The words behind a fence of
    // backticks hold none.
    else if (open === undefined && !DEEP.test(one) && !(fence.startsWith('`') && rest.includes('`')))
      open = { fence, line: index + 1 };
  }
  return open && { line: open.line, problem: 'a code block that begins here is not closed' };
};

/** The YAML between the two lines `---` at the beginning; undefined if there is none. */
export const frontMatterOf = (text: string): string | undefined =>
  /^\ufeff?---[ \t]*\r?\n([\s\S]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/.exec(text)?.[1];
