/** The words of a mail that has no plain form: a page, of which a part may be passed on. Pure. */
import { htmlText } from '../../core/base/html-text.ts';

/** Elements for what is answered or forwarded: Gmail, Apple, Thunderbird, Outlook, Yahoo. */
const PASSED_ON =
  /<blockquote\b|<[a-z]+\b[^>]*\b(?:class|id)\s*=\s*["']?[^"'>]*(?:gmail_quote|gmail_attr|moz-(?:cite|forward)|divRplyFwdMsg|appendonsend|yahoo_quoted|protonmail_quote|OLK_SRC|signature)|<hr\b|<!--\[if[^>]*mso/i;

/** @returns what stands before the first such element, and from there on */
export const splitHtml = (html: string): { readonly plain: string; readonly quoted: string } => {
  const at = html.search(PASSED_ON);
  return at === -1
    ? { plain: htmlText(html), quoted: '' }
    : { plain: htmlText(html.slice(0, at)), quoted: htmlText(html.slice(at)) };
};
