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
  'button',
  'input',
  'select',
  'textarea',
  'datalist',
  'rp',
  '[hidden]',
  ...['display:none', 'display: none', 'visibility:hidden', 'visibility: hidden', 'font-size:0', 'font-size: 0'].map(
    (style) => `[style*="${style}" i]`,
  ),
];

const FORMATTERS: HtmlToTextOptions['formatters'] = {
  altText: ({ attribs }, _walk, builder) => {
    const text = attribs.alt?.trim() ?? '';
    if (text !== '') builder.addInline(`[picture: ${text}]`);
  },
  // A power of ten is no other number.
  raised: ({ children }, walk, builder) => {
    const [first] = children;
    if (/^\s*[\d+\u2212\u2013-]/.test(first?.data ?? '')) builder.addInline('^', { noWordTransform: true });
    walk(children, builder);
  },
  fraction: ({ children }, walk, builder) => {
    for (const [n, child] of children.filter(({ type }) => type === 'tag').entries()) {
      if (n > 0) builder.addInline('/');
      walk([child], builder);
    }
  },
};

const OPTIONS: HtmlToTextOptions = {
  formatters: FORMATTERS,
  wordwrap: false,
  limits: { maxDepth: DEPTH_MAX, maxChildNodes: CHILDREN_MAX },
  selectors: [
    { selector: 'rt', format: 'inlineSurround', options: { prefix: ' (', suffix: ')' } },
    ...['del', 's', 'strike'].map((selector) => ({
      ...{ selector, format: 'inlineSurround', options: { prefix: '~~', suffix: '~~' } },
    })),
    ...['dt', 'dd'].map((selector) => ({
      ...{ selector, format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    })),
    { selector: 'img', format: 'altText' },
    { selector: 'sup', format: 'raised' },
    { selector: 'mfrac', format: 'fraction' },
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

/** XHTML may close any element in its own tag; to HTML a `<title/>` has no end. */
const XHTML = /^\s*<\?xml|xmlns=["']http:\/\/www\.w3\.org\/1999\/xhtml/;
const CLOSED =
  /<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b)([a-z][\w:-]*)((?:\s[^<>]*)?)\/>/gi;

export const htmlText = (given: string): string => {
  const whole = XHTML.test(given.slice(0, 2000)) ? given.replace(CLOSED, '<$1$2></$1>') : given;
  const html = withoutRest(whole);
  const title = TITLE.exec(html)?.[1];
  const left = html.length < whole.length ? '\n\n(The rest of the page is left out: it has too many parts.)' : '';
  const text = `${convert(html, OPTIONS)}${left}`;
  return title === undefined ? text : `${convert(title)}\n\n${text}`;
};
