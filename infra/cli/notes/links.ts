/**
 * Where a note points to: wiki links, Markdown and Org links, as they are written. For finding what
 * is connected; the text keeps them as they are. Pure.
 */
import { MEMORY_LINK_CHARS_MAX, MEMORY_LINKS_MAX } from '../../../lib/memory/limits.ts';

/**
 * `[[target]]`, `[[target|words]]`, `[[target][words]]`; `](target)`, `](<target>)`; `<https://…>`.
 */
const LINK =
  /\[\[([^[\]|\n]{1,2048})(?:\|[^[\]\n]*|\]\[[^[\]\n]*)?\]\]|\]\(<?([^\s()<>]{1,2048})>?(?:\s[^()\n]*)?\)|<(https?:\/\/[^\s<>]{1,2048})>/g;

/** Each once, in order, at most as many as an object holds. */
export const linksOf = (text: string): readonly string[] => {
  const links = new Set<string>();
  if (!text.includes('[') && !text.includes('<')) return [];
  for (const [, wiki, markdown, address] of text.matchAll(LINK)) {
    const link = (wiki ?? markdown ?? address ?? '').trim();
    if (link !== '' && link.length <= MEMORY_LINK_CHARS_MAX) links.add(link);
    if (links.size >= MEMORY_LINKS_MAX) break;
  }
  return [...links];
};
