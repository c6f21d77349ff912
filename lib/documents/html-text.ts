/**
 * HTML as text that can be read, without menus, scripts and forms. `html-to-text` keeps to bounds
 * of depth and number, which hostile pages need. Pure.
 */
import { convert, type HtmlToTextOptions } from 'html-to-text';

/** Honest pages nest some dozen levels. */
const DEPTH_MAX = 100;
/** The parser's time grows with the square of open elements; long articles have 20,000 tags. */
const TAGS_MAX = 40_000;
/** Children of one element: long lists have thousands. */
const CHILDREN_MAX = 5_000;

const LEFT_OUT = [
  'title',
  'nav',
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'form',
  'button',
  'img',
  '[hidden]',
];

const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: DEPTH_MAX, maxChildNodes: CHILDREN_MAX },
  selectors: [
    ...LEFT_OUT.map((selector) => ({ selector, format: 'skip' })),
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...['td', 'th'].map((selector) => ({ selector, format: 'inlineSurround', options: { prefix: '', suffix: ' | ' } })),
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
};

const TITLE = /<title[^>]{0,200}>([^<]{1,500})<\/title>/i;

/** The page up to a number of tags, so that no page takes the parser long. */
const withoutRest = (html: string): string => {
  let at = -1;
  for (let count = 0; count < TAGS_MAX; count += 1) {
    at = html.indexOf('<', at + 1);
    if (at < 0) return html;
  }
  return html.slice(0, at);
};

export const htmlText = (whole: string): string => {
  const html = withoutRest(whole);
  const title = TITLE.exec(html)?.[1];
  const left = html.length < whole.length ? '\n\n(The rest of the page is left out: it has too many parts.)' : '';
  const text = `${convert(html, OPTIONS)}${left}`;
  return title === undefined ? text : `${convert(title)}\n\n${text}`;
};
