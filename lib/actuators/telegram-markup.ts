/**
 * The Markdown that models write, as Telegram's HTML: fenced and inline code, bold, italic. Only what is certain is
 * converted: a mark inside a word, an address or a formula stays a character. Links show their address, so that a text
 * can never say one and lead to another. What is shown is never longer than the source. Pure; the caller still sends
 * plain text when Telegram refuses the markup.
 */
import { TELEGRAM_MARKUP_BYTES_MAX } from '../limits.ts';

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Marks count only with white space, an opening bracket or a quote before them, and the like after them. */
const BEFORE = `(?<![^\\s(["'])`;
const AFTER = `(?![^\\s)\\].,:;!?"'])`;
const PATTERN = new RegExp(
  [
    '```(?<language>[A-Za-z0-9_+#-]*)\\n(?<block>[^]*?)\\n?```',
    '`(?<code>[^`\\n]+)`',
    `${BEFORE}\\*\\*(?=\\S)(?<bold>[^*\\n]+)(?<=\\S)\\*\\*${AFTER}`,
    `${BEFORE}\\*(?=\\S)(?<star>[^*\\n]+)(?<=\\S)\\*${AFTER}`,
    `${BEFORE}_(?=\\S)(?<line>[^_\\n]+)(?<=\\S)_${AFTER}`,
    '\\[(?<label>[^\\][\\n]+)\\]\\((?<url>https?://[^\\s()<>]+)\\)',
  ].join('|'),
  'g',
);

type Groups = Readonly<Record<string, string | undefined>>;

const convert = (match: string, groups: Groups): string => {
  const { language, block, code, bold, star, line, label, url } = groups;
  if (block !== undefined) {
    const kind = language === undefined || language === '' ? '' : ` class="language-${language}"`;
    return block.trim() === '' ? escapeHtml(match) : `<pre><code${kind}>${escapeHtml(block)}</code></pre>`;
  }
  if (code !== undefined) return `<code>${escapeHtml(code)}</code>`;
  if (bold !== undefined) return `<b>${escapeHtml(bold)}</b>`;
  const italic = star ?? line;
  if (italic !== undefined) return `<i>${escapeHtml(italic)}</i>`;
  if (label !== undefined && url !== undefined) return escapeHtml(label === url ? url : `${label} (${url})`);
  return escapeHtml(match);
};

/** HTML for `parse_mode: 'HTML'`, or undefined where the text has no markup or its HTML would be too large. */
export const buildTelegramHtml = (text: string): string | undefined => {
  let html = '';
  let end = 0;
  for (const match of text.matchAll(PATTERN)) {
    html += escapeHtml(text.slice(end, match.index)) + convert(match[0], match.groups ?? {});
    end = match.index + match[0].length;
  }
  if (end === 0) return undefined;
  html += escapeHtml(text.slice(end));
  return Buffer.byteLength(html) > TELEGRAM_MARKUP_BYTES_MAX ? undefined : html;
};
