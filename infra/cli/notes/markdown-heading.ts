/**
 * The words of a Markdown heading, both ways: `TODO title #tag {#id}`. Also `[ ]` and `[x]` before
 * a title, as task lists have them. Pure; rendering what was parsed gives what parses the same.
 */
import { defined } from '../../../lib/base/defined.ts';
import { TodoState } from './note.ts';

export interface HeadingWords {
  readonly title: string;
  readonly tags: readonly string[];
  readonly todo?: string | undefined;
  readonly id?: string | undefined;
}

/**
 * A tag as it stands in text: letters, digits, `_`, `-` and `/`, and not a number alone, which is
 * an issue's.
 */
const TAG_WORD = /^(?!\d+$)[\p{L}\p{N}_@/-]{1,64}$/u;
/** States that need no note beside the heading. */
const STATES: ReadonlySet<string> = new Set(['TODO', 'DONE']);
const ID = /^[\w:.-]{1,128}$/;

export const isTagWord = (tag: string): boolean => TAG_WORD.test(tag);
export const isHeadingState = (todo: string): boolean => STATES.has(todo);
export const isHeadingId = (id: string): boolean => ID.test(id);

/** The text before its last word, and that word. */
const splitLast = (text: string): readonly [string, string] => {
  const at = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\t'));
  return [text.slice(0, Math.max(0, at)).trimEnd(), text.slice(at + 1)];
};

const stateOf = (text: string): readonly [string | undefined, string] => {
  const [, word = '', rest = ''] = /^(\S+)[ \t]*(.*)$/s.exec(text) ?? [];
  if (STATES.has(word)) return [TodoState.parse(word), rest];
  const box = /^\[([ xX])\](?:[ \t]+|$)/.exec(text);
  return box === null ? [undefined, text] : [box[1] === ' ' ? 'TODO' : 'DONE', text.slice(box[0].length)];
};

export const parseHeadingWords = (raw: string): HeadingWords => {
  let rest = raw.trim();
  let id: string | undefined;
  const tags: string[] = [];
  for (;;) {
    const [before, word] = splitLast(rest);
    const named = word.startsWith('{#') && word.endsWith('}') ? word.slice(2, -1) : '';
    if (id === undefined && ID.test(named)) id = named;
    else if (word.startsWith('#') && TAG_WORD.test(word.slice(1))) tags.push(word.slice(1));
    else break;
    rest = before;
  }
  const [todo, title] = stateOf(rest);
  return { title, tags, ...defined({ todo, id }) };
};

export const renderHeadingWords = ({ title, tags, todo, id }: HeadingWords): string => {
  const words = [todo ?? '', title, ...tags.map((tag) => `#${tag}`), id === undefined ? '' : `{#${id}}`];
  const line = words.filter((word) => word !== '').join(' ');
  // A `#` at the end would be taken for the heading's own closing mark, unless there is one.
  return line.endsWith('#') ? `${line} #` : line;
};
