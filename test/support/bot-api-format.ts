/**
 * Formatted text as Telegram reads it: text with markup in, plain text with entities out, or the
 * refusal that begins "can't parse entities". Offsets and lengths count UTF-16 units, the positions
 * inside refusals count bytes. HTML is complete but for custom emoji; MarkdownV2 and Markdown know
 * the inline styles, code, pre and links.
 */
import type { MessageEntity } from 'grammy/types';

export interface FormattedText {
  readonly text: string;
  readonly entities: readonly MessageEntity[];
}

/** Text of Telegram's answer 400. */
export class FormatRefusal extends Error {
  override readonly name = 'FormatRefusal';
}

type SimpleType = 'bold' | 'italic' | 'underline' | 'strikethrough' | 'spoiler' | 'blockquote' | 'code' | 'pre';

const refuse = (problem: string): never => {
  throw new FormatRefusal(`can't parse entities: ${problem}`);
};
const byteOffset = (text: string, index: number): number => Buffer.byteLength(text.slice(0, index));

const TAGS: Readonly<Record<string, SimpleType | 'link'>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  'tg-spoiler': 'spoiler',
  span: 'spoiler',
  blockquote: 'blockquote',
  code: 'code',
  pre: 'pre',
  a: 'link',
};

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

/** Unknown references stay as they are, as on Telegram. */
const decodeReference = (reference: string): string => {
  const name = reference.slice(1, -1);
  const named = NAMED[name];
  if (named !== undefined) return named;
  const number = /^#x([0-9a-f]+)$/i.exec(name)?.[1];
  const code = number === undefined ? Number(/^#([0-9]+)$/.exec(name)?.[1]) : Number.parseInt(number, 16);
  return Number.isInteger(code) && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : reference;
};

const entityOf = (type: SimpleType | 'link', offset: number, length: number, attributes: string): MessageEntity => {
  if (type !== 'link') return { type, offset, length };
  const url = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes);
  return { type: 'text_link', offset, length, url: url?.[1] ?? url?.[2] ?? '' };
};

interface OpenTag {
  readonly tag: string;
  readonly offset: number;
  readonly attributes: string;
}

const closeTag = (source: string, index: number, name: string, open: OpenTag[], text: string): MessageEntity => {
  const top = open.pop();
  if (top === undefined) return refuse(`Unexpected end tag at byte offset ${byteOffset(source, index)}`);
  if (name !== '' && name !== top.tag) {
    refuse(
      `Unmatched end tag at byte offset ${byteOffset(source, index)}, expected "</${top.tag}>", found "</${name}>"`,
    );
  }
  return entityOf(TAGS[top.tag] ?? 'bold', top.offset, text.length - top.offset, top.attributes);
};

export const parseHtml = (source: string): FormattedText => {
  const open: OpenTag[] = [];
  const entities: MessageEntity[] = [];
  let text = '';
  let index = 0;
  while (index < source.length) {
    const rest = source.slice(index);
    const reference = /^&(?:#x?[0-9a-f]+|[a-z]+);/i.exec(rest)?.[0];
    if (reference !== undefined) {
      text += decodeReference(reference);
      index += reference.length;
      continue;
    }
    if (source[index] !== '<') {
      text += source[index];
      index += 1;
      continue;
    }
    const match = /^<(\/?)([a-z0-9-]*)([^>]*)>/i.exec(rest);
    if (match === null) return refuse(`Unclosed start tag at byte offset ${byteOffset(source, index)}`);
    const name = (match[2] ?? '').toLowerCase();
    if (match[1] === '/') entities.push(closeTag(source, index, name, open, text));
    else {
      if (TAGS[name] === undefined) {
        refuse(`Unsupported start tag "${name}" at byte offset ${byteOffset(source, index)}`);
      }
      open.push({ tag: name, offset: text.length, attributes: match[3] ?? '' });
    }
    index += match[0].length;
  }
  const left = open.pop();
  if (left !== undefined) refuse(`Can't find end tag corresponding to start tag "${left.tag}"`);
  return { text, entities: entities.filter((entity) => entity.length > 0).sort((a, b) => a.offset - b.offset) };
};

const V2_RESERVED = new Set('_*[]()~`>#+-=|{}.!');
const V2_MARKERS: readonly (readonly [string, SimpleType])[] = [
  ['```', 'pre'],
  ['`', 'code'],
  ['||', 'spoiler'],
  ['__', 'underline'],
  ['_', 'italic'],
  ['*', 'bold'],
  ['~', 'strikethrough'],
];
const V1_MARKERS: readonly (readonly [string, SimpleType])[] = [
  ['```', 'pre'],
  ['`', 'code'],
  ['_', 'italic'],
  ['*', 'bold'],
];

interface Marks {
  readonly markers: readonly (readonly [string, SimpleType])[];
  readonly reserved: ReadonlySet<string>;
}

/** `[text](url)` from `index` on; undefined where there is none. */
const linkAt = (
  source: string,
  index: number,
): { readonly shown: string; readonly url: string; readonly size: number } | undefined => {
  const match = /^\[([^\]]*)\]\(([^)]*)\)/.exec(source.slice(index));
  return match === null ? undefined : { shown: match[1] ?? '', url: match[2] ?? '', size: match[0].length };
};

const parseMarks = (source: string, { markers, reserved }: Marks): FormattedText => {
  const open: { readonly marker: string; readonly type: SimpleType; readonly offset: number; readonly at: number }[] =
    [];
  const entities: MessageEntity[] = [];
  let text = '';
  let index = 0;
  const isInCode = (): boolean => ['code', 'pre'].includes(open.at(-1)?.type ?? '');
  while (index < source.length) {
    const char = source[index] ?? '';
    const next = source[index + 1];
    if (char === '\\' && next !== undefined && next.charCodeAt(0) < 127) {
      text += next;
      index += 2;
      continue;
    }
    const top = open.at(-1);
    if (top !== undefined && source.startsWith(top.marker, index)) {
      open.pop();
      if (text.length > top.offset)
        entities.push({ type: top.type, offset: top.offset, length: text.length - top.offset });
      index += top.marker.length;
      continue;
    }
    const marker = isInCode() ? undefined : markers.find(([mark]) => source.startsWith(mark, index));
    if (marker !== undefined) {
      open.push({ marker: marker[0], type: marker[1], offset: text.length, at: index });
      index += marker[0].length;
      continue;
    }
    const link = isInCode() ? undefined : linkAt(source, index);
    if (link !== undefined) {
      entities.push({ type: 'text_link', offset: text.length, length: link.shown.length, url: link.url });
      text += link.shown;
      index += link.size;
      continue;
    }
    if (!isInCode() && reserved.has(char)) {
      refuse(`Character '${char}' is reserved and must be escaped with the preceding '\\'`);
    }
    text += char;
    index += 1;
  }
  const left = open.pop();
  if (left !== undefined) refuse(`Can't find end of the entity starting at byte offset ${byteOffset(source, left.at)}`);
  return { text, entities: entities.sort((a, b) => a.offset - b.offset) };
};

/** @throws FormatRefusal as Telegram would refuse; parse modes are named in any case. */
export const parseFormatted = (source: string, parseMode: string): FormattedText => {
  switch (parseMode.toLowerCase()) {
    case 'html':
      return parseHtml(source);
    case 'markdownv2':
      return parseMarks(source, { markers: V2_MARKERS, reserved: V2_RESERVED });
    case 'markdown':
      return parseMarks(source, { markers: V1_MARKERS, reserved: new Set() });
    default:
      throw new FormatRefusal('Unsupported parse_mode');
  }
};

/**
 * Finds commands and mentions in plain text, as Telegram marks them for bots.
 */
export const detectEntities = (text: string): readonly MessageEntity[] =>
  [...text.matchAll(/(?<![\w/])(\/[a-z0-9_]{1,64}(?:@\w{3,32})?|@\w{3,32})/gi)].map((match) => ({
    type: match[0].startsWith('/') ? 'bot_command' : 'mention',
    offset: match.index,
    length: match[0].length,
  }));
