/**
 * The text of an RTF file, as the RTF specification 1.9.1 of Microsoft has it: words that only
 * format are dropped, and what stands beside the text is named. A letter is a byte in the code page
 * of its font, or a number of Unicode with stand-ins for readers that know none. Pure.
 */
import { ProtocolError } from '../../core/base/errors.ts';
import type { TextReading } from './collect-text.ts';
import { symbolOf } from './symbols.ts';
import { DAMAGED } from './zip.ts';

/** Groups within one another; Word nests some dozens. */
const DEPTH_MAX = 1_000;
/** Stand-ins of one letter. */
const STAND_INS_MAX = 100;

const ANSI = 1252;
const LABELS: Readonly<Record<number, string>> = {
  ...{ 866: 'ibm866', 874: 'windows-874', 932: 'shift_jis', 936: 'gbk', 949: 'euc-kr', 950: 'big5' },
  ...{ 10000: 'macintosh', 10007: 'x-mac-cyrillic', 54936: 'gb18030', 65001: 'utf-8' },
};
const labelOf = (page: number): string | undefined => (page >= 1250 && page <= 1258 ? `windows-${page}` : LABELS[page]);
/** Code pages by a font's set of letters. The others are those of the file. */
const CHARSETS: Readonly<Record<number, number>> = {
  ...{ 0: ANSI, 77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258 },
  ...{ 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250 },
};
const SYMBOLS = 2;
const HEADS = new Map(Object.entries({ ansi: ANSI, mac: 10000, pc: 437, pca: 850 }));

const BREAKS = new Set(['par', 'line', 'page', 'sect', 'column', 'row', 'nestrow']);
const CELLS = new Set(['cell', 'nestcell']);
const CELL = ' | ';
const EMPTY_LINE = '\n\n';
/** Letters and blanks that other words and signs write. */
const WRITTEN = new Map(
  Object.entries({
    ...{ tab: '\t', emdash: '—', endash: '–', emspace: ' ', enspace: ' ', qmspace: ' ', bullet: '•' },
    ...{ lquote: '‘', rquote: '’', ldblquote: '“', rdblquote: '”', '\\': '\\', '{': '{', '}': '}', '~': ' ', _: '-' },
  }),
);

/** Groups whose words are no text, and the names of those that a person sees. */
const SKIPPED = new Map(
  Object.entries({
    ...{ colortbl: '', stylesheet: '', info: '', filetbl: '', upr: '', sp: '', shprslt: '', nonshppict: '' },
    ...{ nonesttables: '', xe: '', rxe: '', tc: '', tcn: '', pict: 'picture', objdata: 'embedded file' },
  }),
);
/** Groups with text though older readers pass over them. */
const READ = new Set(['shppict', 'shpinst', 'nesttableprops', 'ud']);
/** Groups beside the text. */
const BESIDE = new Map(
  Object.entries({
    ...{ header: 'header', headerl: 'header', headerr: 'header', headerf: 'header' },
    ...{ footer: 'footer', footerl: 'footer', footerr: 'footer', footerf: 'footer' },
    ...{ footnote: 'footnote', annotation: 'comment' },
  }),
);

interface Group {
  /** The word that says that its words are no text. */
  skippedBy: string;
  /** The place that its words go to. */
  into: 'text' | 'fonts' | 'field' | 'author';
  font: number;
  /** Bytes behind each number of Unicode. */
  standIns: number;
  isHidden: boolean;
  isDeleted: boolean;
  isRaised: boolean;
  /** Writes the words behind it. */
  close?: (() => void) | undefined;
}

interface Font {
  page?: number | undefined;
  isSymbols?: boolean;
  name: string;
}

interface Rtf {
  readonly reading: TextReading;
  readonly fonts: Map<number, Font>;
  readonly outer: Group[];
  group: Group;
  page: number;
  /** A letter may have several. */
  bytes: string;
  text: string;
  /** Breaks and lines between cells, written if more text follows. */
  between: string;
  /** Stand-ins that still follow. */
  toSkip: number;
  isStarred: boolean;
  author: string;
  field: { code: string; words: string };
}

const symbolIn = ({ reading, fonts, group }: Rtf, code: number): string => {
  const sign = symbolOf(fonts.get(group.font)?.name ?? '', code.toString(16));
  if (sign === undefined) reading.leaveOut('symbol');
  return sign ?? '';
};

/** ASCII is alike in all code pages. */
const NOT_ASCII = /[\x80-\xff]/g;

const decodeBytes = (rtf: Rtf): void => {
  const { bytes, reading, group } = rtf;
  rtf.bytes = '';
  if (group.skippedBy !== '') return;
  const font = rtf.fonts.get(group.font);
  const label = labelOf(font?.page ?? rtf.page);
  if (bytes.search(NOT_ASCII) < 0) rtf.text += bytes;
  else if (font?.isSymbols === true) rtf.text += bytes.replace(NOT_ASCII, (sign) => symbolIn(rtf, sign.charCodeAt(0)));
  else if (label !== undefined) rtf.text += new TextDecoder(label).decode(Buffer.from(bytes, 'latin1'));
  else
    rtf.text += bytes.replace(NOT_ASCII, () => {
      reading.leaveOut('unknown letter');
      return '\ufffd';
    });
};

const put = (rtf: Rtf, text: string): void => {
  const { reading, field, group } = rtf;
  if (group.skippedBy !== '' || group.isDeleted || text === '') return;
  reading.add(rtf.between);
  rtf.between = '';
  field.words += text;
  const words = group.isRaised && /^[\d+\u2212\u2013-]/.test(text) ? `^${text}` : text;
  reading.add(group.isHidden && text.trim() !== '' ? `[hidden: ${words}]` : words);
};

/** Gives what was read to where it belongs, before something of the group changes. */
const flush = (rtf: Rtf): void => {
  if (rtf.bytes !== '') decodeBytes(rtf);
  const { group, text, fonts } = rtf;
  rtf.text = '';
  const font = fonts.get(group.font);
  if (group.into === 'text') put(rtf, text);
  else if (group.into === 'field') rtf.field.code += text;
  else if (group.into === 'author') rtf.author += text;
  else if (font !== undefined) font.name += text.replace(';', '');
};

const addBetween = (rtf: Rtf, text: string): void => {
  flush(rtf);
  const { skippedBy, isDeleted, into } = rtf.group;
  if (skippedBy !== '' || isDeleted || into !== 'text') return;
  if (text === CELL) rtf.between += CELL;
  else {
    // The last cell of a row has no line behind it, and empty rows say nothing.
    const before = rtf.between.slice(0, rtf.between.lastIndexOf(text) + 1);
    rtf.between = before.endsWith(EMPTY_LINE) ? before : `${before}${text}`;
  }
};

/** As the word of a field has it: a person sees its result alone. */
const ADDRESS = /^\s*HYPERLINK\s+(?:\\[a-z]\s+)*"([^"]+)"/;
const bare = (address: string): string => address.trim().replace(/\/$/, '');

const openField = (rtf: Rtf): void => {
  const { field: outer } = rtf;
  rtf.field = { code: '', words: '' };
  rtf.group.close = () => {
    const { code, words } = rtf.field;
    const [, address = ''] = ADDRESS.exec(code) ?? [];
    rtf.field = { ...outer, words: outer.words + words };
    if (address !== '' && bare(address) !== bare(words)) put(rtf, ` [${address}]`);
  };
};

const openBeside = (rtf: Rtf, name: string): void => {
  const { author } = rtf;
  rtf.author = '';
  Object.assign(rtf.group, { isHidden: false, isRaised: false });
  const isOfPages = name === 'header' || name === 'footer';
  put(rtf, isOfPages ? `[${name}] ` : `[${name}${name === 'comment' && author !== '' ? ` by ${author.trim()}` : ''}: `);
  rtf.group.close = () => {
    rtf.between = '';
    put(rtf, isOfPages ? '\n' : ']');
  };
};

/** A group says with its first word what it holds. */
const nameGroup = (rtf: Rtf, word: string, isStarred: boolean): void => {
  const { group, reading } = rtf;
  const [skipped, beside] = [SKIPPED.get(word), BESIDE.get(word)];
  if (word === 'fonttbl') group.into = 'fonts';
  else if (word === 'ud' && group.skippedBy === 'upr') group.skippedBy = '';
  else if (group.skippedBy !== '') return;
  else if (word === 'field') openField(rtf);
  else if (word === 'fldinst') group.into = 'field';
  else if (word === 'atnauthor') group.into = 'author';
  else if (beside !== undefined) openBeside(rtf, beside);
  else if (skipped !== undefined) {
    if (skipped !== '') reading.leaveOut(skipped);
    group.skippedBy = word;
  } else if (isStarred && !READ.has(word)) group.skippedBy = word;
};

/** @returns false for a word that changes nothing that is read */
const setFormat = (rtf: Rtf, word: string, value: number | undefined): boolean => {
  const { group, fonts } = rtf;
  const isOn = value !== 0;
  const change = (changed: Partial<Group>): true => {
    flush(rtf);
    Object.assign(group, changed);
    return true;
  };
  switch (word) {
    case 'f': {
      change({ font: value ?? 0 });
      if (group.into === 'fonts') fonts.set(group.font, { name: '' });
      return true;
    }
    case 'fcharset':
    case 'cpg': {
      const page = word === 'cpg' ? value : CHARSETS[value ?? 1];
      fonts.set(group.font, { name: '', page, isSymbols: word === 'fcharset' && value === SYMBOLS });
      return true;
    }
    case 'ansicpg':
      // Some writers say 0.
      if (value !== undefined && value > 0) rtf.page = value;
      return true;
    case 'uc':
      return change({ standIns: Math.min(Math.max(value ?? 1, 0), STAND_INS_MAX) });
    case 'v':
      return change({ isHidden: isOn });
    case 'super':
      return change({ isRaised: isOn });
    case 'nosupersub':
      return change({ isRaised: false });
    case 'plain':
      return change({ isHidden: false, isRaised: false, isDeleted: false });
    case 'deleted':
      if (isOn && !group.isDeleted) rtf.reading.leaveOut('deleted text');
      return change({ isDeleted: isOn });
    default:
      return false;
  }
};

/** Signs of picture fonts, for private use. */
const PRIVATE = /[\ue000-\uf8ff]/;

const addText = (rtf: Rtf, text: string): void => {
  if (rtf.bytes !== '') decodeBytes(rtf);
  if (rtf.group.skippedBy === '') rtf.text += text;
};

const readUnicode = (rtf: Rtf, value: number): void => {
  const letter = String.fromCharCode(value & 0xffff);
  addText(rtf, PRIVATE.test(letter) ? symbolIn(rtf, value & 0xffff) : letter);
  rtf.toSkip = rtf.group.standIns;
};

/** @returns how many bytes behind it belong to it */
const readWord = (rtf: Rtf, word: string, value: number | undefined): number => {
  const { isStarred } = rtf;
  rtf.isStarred = false;
  if (word === 'bin') return Math.max(value ?? 0, 0);
  if (rtf.toSkip > 0) rtf.toSkip -= 1;
  else if (word === 'u') readUnicode(rtf, value ?? 0);
  else if (BREAKS.has(word)) addBetween(rtf, '\n');
  else if (CELLS.has(word)) addBetween(rtf, CELL);
  else if (WRITTEN.has(word)) addText(rtf, WRITTEN.get(word) ?? '');
  else if (HEADS.has(word)) rtf.page = HEADS.get(word) ?? rtf.page;
  else if (!setFormat(rtf, word, value)) nameGroup(rtf, word, isStarred);
  return 0;
};

const readSign = (rtf: Rtf, sign: string): void => {
  if (sign === '*') rtf.isStarred = true;
  else if (rtf.toSkip > 0) rtf.toSkip -= 1;
  else if (sign === '\n' || sign === '\r') addBetween(rtf, '\n');
  else if (sign === '\\' || sign === '{' || sign === '}') rtf.bytes += sign;
  else addText(rtf, WRITTEN.get(sign) ?? '');
};

const readBytes = (rtf: Rtf, bytes: string): void => {
  const skipped = Math.min(rtf.toSkip, bytes.length);
  rtf.toSkip -= skipped;
  rtf.bytes += bytes.slice(skipped);
};

const openGroup = (rtf: Rtf): void => {
  flush(rtf);
  Object.assign(rtf, { toSkip: 0, isStarred: false });
  if (rtf.outer.length >= DEPTH_MAX) throw new ProtocolError(DAMAGED);
  rtf.outer.push(rtf.group);
  rtf.group = { ...rtf.group, close: undefined };
};

/** @returns whether it was the last one */
const closeGroup = (rtf: Rtf): boolean => {
  flush(rtf);
  rtf.toSkip = 0;
  rtf.group.close?.();
  rtf.group = rtf.outer.pop() ?? rtf.group;
  return rtf.outer.length === 0;
};

const PLAIN: Group = {
  ...{ skippedBy: '', into: 'text', font: -1, standIns: 1, isHidden: false, isDeleted: false, isRaised: false },
};

/** Bytes of text, a word and its number, a byte in hexadecimal digits, a sign, an end of line. */
const TOKEN = /[^\\{}\r\n]+|\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([\s\S])|[{}]|[\r\n]+/y;

/** @param bytes hold `{\rtf` */
export const addRtf = (bytes: Uint8Array, reading: TextReading): void => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const rtf: Rtf = {
    ...{ reading, fonts: new Map(), outer: [], group: { ...PLAIN }, page: ANSI, bytes: '', text: '', between: '' },
    ...{ toSkip: 0, isStarred: false, author: '', field: { code: '', words: '' } },
  };
  for (let at = file.indexOf('{\\rtf'); at < file.length; ) {
    TOKEN.lastIndex = at;
    const [token, word, value, hex, sign] = TOKEN.exec(file) ?? [];
    if (token === undefined) break;
    at += token.length;
    if (word !== undefined) at += readWord(rtf, word, value === undefined ? undefined : Number(value));
    else if (hex !== undefined) readBytes(rtf, String.fromCharCode(Number.parseInt(hex, 16)));
    else if (sign !== undefined) readSign(rtf, sign);
    else if (token === '{') openGroup(rtf);
    else if (token === '}') {
      if (closeGroup(rtf)) return;
    } else if (!/^[\r\n]/.test(token)) readBytes(rtf, token);
  }
  flush(rtf);
  reading.add('\n[the end of the file is missing]');
};
