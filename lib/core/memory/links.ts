/** Links in a note's text, in Markdown, wiki and org forms. Pure. */
import { MEMORY_LINK_CHARS_MAX, MEMORY_LINKS_MAX } from './limits.ts';

/**
 * `[[target]]`, `[[target|words]]`, `[[target][words]]`; `](target)`, `](<target>)`; `<https://…>`.
 */
const LINK =
  /\[\[([^[\]|\n]{1,2048})(?:\|[^[\]\n]*|\]\[[^[\]\n]*)?\]\]|\]\(<?([^\s()<>]{1,2048})>?(?:\s[^()\n]*)?\)|<(https?:\/\/[^\s<>]{1,2048})>/g;

/** The text's links, each once and in order, at most as many as an object holds. */
export const findLinks = (text: string): readonly string[] => {
  const links = new Set<string>();
  if (!text.includes('[') && !text.includes('<')) return [];
  for (const [, wiki, markdown, address] of text.matchAll(LINK)) {
    const link = (wiki ?? markdown ?? address ?? '').trim();
    if (link !== '' && link.length <= MEMORY_LINK_CHARS_MAX) links.add(link);
    if (links.size >= MEMORY_LINKS_MAX) break;
  }
  return [...links];
};

const WIKI = /\[\[([^[\]|\n]{1,2048})(?:\|([^[\]\n]*)|\]\[([^[\]\n]*))?\]\]/g;
const MARKDOWN = /\[([^[\]\n]*)\]\(<?([^\s()<>]{1,2048})>?(?:\s[^()\n]*)?\)/g;

/** The text with another target in each such link; without one, the link's words stay. */
export const replaceLink = (text: string, target: string, to: string | undefined): string =>
  text
    .replace(WIKI, (whole: string, found: string, piped: string | undefined, org: string | undefined) => {
      if (found.trim() !== target) return whole;
      if (to === undefined) return piped ?? org ?? found;
      if (piped !== undefined) return `[[${to}|${piped}]]`;
      return org === undefined ? `[[${to}]]` : `[[${to}][${org}]]`;
    })
    .replace(MARKDOWN, (whole: string, words: string, found: string) => {
      if (found.trim() !== target) return whole;
      return to === undefined ? words : `[${words}](${to})`;
    });
