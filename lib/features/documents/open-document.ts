/**
 * The text of an OpenDocument file: texts, tables and slides. Notes and comments stand in their
 * places; headers and footers, which are in the styles, come first and last. Pure.
 */
import { ProtocolError } from '../../core/base/errors.ts';
import { collectText, DOCUMENT_CHARS_MAX, type TextReading } from './collect-text.ts';
import { tellBroken } from './relations.ts';
import { type Attributes, attributeOf, walkXml } from './walk-xml.ts';
import { LOCKED, type Zip } from './zip.ts';

const CONTENT = 'content.xml';
/** Spaces, or equal cells, that one element stands for. */
const REPEATED_MAX = 50;

/** Elements whose text is none, and how they are named if they have some. */
const SKIPPED: Readonly<Record<string, string>> = {
  'tracked-changes': '',
  'note-citation': '',
  'ruby-text': 'phonetic guide',
  'page-number': '',
};
const LEFT_OUT: Readonly<Record<string, string>> = {
  image: 'picture',
  object: 'embedded file',
  'object-ole': 'embedded file',
  plugin: 'recording',
};
/** Members of a cell that has no words. */
const VALUES = ['string-value', 'date-value', 'time-value', 'boolean-value', 'value', 'formula'];

interface Cell {
  text: string;
  readonly repeated: number;
  readonly value: string;
}

interface Row {
  text: string;
  /** Empty cells since the last one with words. */
  gap: number;
  readonly repeated: number;
}

interface Flow {
  readonly reading: TextReading;
  readonly rows: Row[];
  readonly cells: Cell[];
  /** Elements that stand within a line: their paragraphs do not end it. */
  inline: number;
  words: number;
  /** In a frame, the first form of a thing counts. */
  isShown: boolean;
  isSheet: boolean;
  slides: number;
  readonly links: string[];
  readonly hidden: boolean[];
  /** Of a comment whose words have not begun. */
  author: string | undefined;
  /** Names of the elements under way. */
  readonly path: string[];
}

const buildFlow = (reading: TextReading): Flow => ({
  reading,
  rows: [],
  cells: [],
  inline: 0,
  words: 0,
  isShown: false,
  isSheet: false,
  slides: 0,
  links: [],
  hidden: [],
  author: undefined,
  path: [],
});

const emit = (flow: Flow, text: string): void => {
  const cell = flow.cells.at(-1);
  if (cell === undefined) flow.reading.add(text);
  else if (cell.text.length <= DOCUMENT_CHARS_MAX) cell.text += text;
};

const count = (attributes: Attributes, name: string): number =>
  Math.max(1, Math.trunc(Number(attributeOf(attributes, name) ?? 1)) || 1);

const openCell = (flow: Flow, attributes: Attributes): void => {
  const value = VALUES.map((name) => attributeOf(attributes, name)).find((one) => one !== undefined) ?? '';
  flow.cells.push({ text: '', repeated: count(attributes, 'number-columns-repeated'), value });
};

const closeCell = (flow: Flow): void => {
  const cell = flow.cells.pop();
  const row = flow.rows.at(-1);
  if (cell === undefined || row === undefined) return;
  const text = (cell.text.trim() || cell.value).replace(/\s*\n\s*/g, ' ');
  const repeated = Math.min(cell.repeated, REPEATED_MAX);
  if (text === '') {
    row.gap += repeated;
    return;
  }
  if (row.text.length > DOCUMENT_CHARS_MAX) return;
  const gap = '\t'.repeat(Math.min(row.gap, REPEATED_MAX));
  row.text += `${gap}${`${text}\t`.repeat(repeated)}`;
  row.gap = 0;
};

const closeRow = (flow: Flow): void => {
  const row = flow.rows.pop();
  const text = row?.text.replace(/\t$/, '') ?? '';
  if (text !== '') emit(flow, `${text}${(row?.repeated ?? 1) > 1 ? `\t[${row?.repeated} such rows]` : ''}\n`);
};

const endLine = (flow: Flow): void => {
  flow.words -= 1;
  emit(flow, flow.inline > 0 || flow.cells.length > 0 ? ' ' : '\n');
};

const openInline = (flow: Flow, text: string): void => {
  emit(flow, text);
  flow.inline += 1;
};
const closeInline = (flow: Flow): void => {
  flow.inline -= 1;
  if (flow.author === undefined) emit(flow, ']');
  flow.author = undefined;
};

const leaveOut = (flow: Flow, what: string): void => {
  if (!flow.isShown) flow.reading.leaveOut(what);
  flow.isShown = true;
};

/** A field may have the name of a description, but stands in a paragraph. */
const SHAPES = ['frame', 'g', 'custom-shape', 'rect', 'line', 'circle', 'ellipse', 'path', 'polygon', 'connector'];
const isDescription = ({ path }: Flow): boolean => SHAPES.includes(path.at(-1) ?? '');
const openDrawing = (flow: Flow): void => {
  if (!isDescription(flow)) return;
  flow.words += 1;
  emit(flow, '[drawing: ');
};
const closeDrawing = (flow: Flow): void => {
  if (!isDescription(flow)) return;
  flow.words -= 1;
  emit(flow, '] ');
};

type Open = (flow: Flow, attributes: Attributes) => void;
const paragraph: Open = (flow) => {
  if (flow.author !== undefined) emit(flow, `[comment${flow.author === '' ? '' : ` by ${flow.author}`}: `);
  flow.author = undefined;
  flow.words += 1;
};
const OPENS: Readonly<Record<string, Open>> = {
  p: paragraph,
  h: paragraph,
  s: (flow, attributes) => emit(flow, ' '.repeat(Math.min(count(attributes, 'c'), REPEATED_MAX))),
  tab: (flow) => emit(flow, '\t'),
  'line-break': (flow) => emit(flow, flow.cells.length > 0 ? ' ' : '\n'),
  'note-body': (flow) => openInline(flow, ' [note: '),
  annotation: (flow) => {
    flow.inline += 1;
    flow.author = '';
  },
  a: (flow, attributes) => void flow.links.push(attributeOf(attributes, 'href') ?? ''),
  frame: (flow) => {
    flow.isShown = false;
  },
  title: openDrawing,
  desc: openDrawing,
  spreadsheet: (flow) => {
    flow.isSheet = true;
  },
  table: (flow, attributes) => {
    if (flow.isSheet && flow.rows.length === 0) emit(flow, `[sheet ${attributeOf(attributes, 'name') ?? ''}]\n`);
  },
  'table-row': (flow, attributes) =>
    void flow.rows.push({ text: '', gap: 0, repeated: count(attributes, 'number-rows-repeated') }),
  'table-cell': openCell,
  'covered-table-cell': openCell,
  page: (flow) => {
    flow.slides += 1;
    emit(flow, `[slide ${flow.slides}]\n`);
  },
  notes: (flow) => emit(flow, '[notes]\n'),
  section: (flow, attributes) => {
    const isHidden = attributeOf(attributes, 'display') === 'none';
    flow.hidden.push(isHidden);
    if (isHidden) emit(flow, '[hidden: ');
  },
};

const CLOSES: Readonly<Record<string, (flow: Flow) => void>> = {
  p: endLine,
  h: endLine,
  'note-body': closeInline,
  annotation: closeInline,
  title: closeDrawing,
  desc: closeDrawing,
  a: (flow) => {
    const address = flow.links.pop() ?? '';
    if (/^[a-z][a-z0-9+.-]+:/i.test(address)) emit(flow, ` [${address}]`);
  },
  'table-cell': closeCell,
  'covered-table-cell': closeCell,
  'table-row': closeRow,
  table: (flow) => {
    if (flow.isSheet && flow.rows.length === 0) emit(flow, '\n');
  },
  section: (flow) => {
    if (flow.hidden.pop() === true) emit(flow, ']\n');
  },
};

const open = (flow: Flow, name: string, attributes: Attributes): void => {
  if (Object.hasOwn(LEFT_OUT, name)) leaveOut(flow, LEFT_OUT[name] ?? '');
  if (Object.hasOwn(OPENS, name)) OPENS[name]?.(flow, attributes);
};

/** Whether text at this place counts. @returns false for text of a comment before its words */
const takeText = (flow: Flow, text: string): boolean => {
  if (flow.author === undefined) return flow.words > 0;
  if (flow.path.at(-1) === 'creator') flow.author += text;
  return false;
};

/**
 * @param within elements in whose contents the text is; all if absent
 * @returns false if the end is missing
 */
const addFlow = (xml: string, reading: TextReading, within?: readonly string[]): boolean => {
  const flow = buildFlow(reading);
  /** Levels below what is skipped; and below what counts. */
  let [skipped, inside, noun, hasWords] = [0, within === undefined ? 1 : 0, '', false];
  return walkXml(xml, {
    open: (name, attributes) => {
      if (within?.includes(name) === true) inside += 1;
      if (skipped > 0 || Object.hasOwn(SKIPPED, name)) {
        if (skipped === 0) [noun, hasWords] = [SKIPPED[name] ?? '', false];
        if (name === 'deletion') reading.leaveOut('deleted text');
        skipped += 1;
        return;
      }
      if (inside > 0) open(flow, name, attributes);
      flow.path.push(name);
    },
    close: (name) => {
      if (skipped > 0) {
        skipped -= 1;
        if (skipped === 0 && noun !== '' && hasWords) reading.leaveOut(noun);
        return;
      }
      flow.path.pop();
      if (inside > 0 && Object.hasOwn(CLOSES, name)) CLOSES[name]?.(flow);
      if (within?.includes(name) === true) inside -= 1;
    },
    text: (text) => {
      if (skipped > 0) hasWords ||= text.trim() !== '';
      else if (inside > 0 && takeText(flow, text)) emit(flow, text);
    },
  });
};

const addMargins = (zip: Zip, word: string, reading: TextReading): void => {
  const within = ['', '-left', '-first'].map((end) => `${word}${end}`);
  const { text } = collectText(({ add }) => addFlow(zip.read('styles.xml') ?? '', { ...reading, add }, within));
  if (text.trim() !== '') reading.add(`[${word}]\n${text.trim()}\n\n`);
};

/** A file with a password has its list of parts in the clear, and else one part alone. */
const isLocked = (zip: Zip): boolean => {
  let [part, isEncrypted] = ['', zip.has('encrypted-package')];
  walkXml(zip.read('META-INF/manifest.xml') ?? '', {
    open: (name, attributes) => {
      if (name === 'file-entry') part = attributeOf(attributes, 'full-path') ?? '';
      if (name === 'encryption-data' && part === CONTENT) isEncrypted = true;
    },
  });
  return isEncrypted;
};

export const isOpenDocument = (zip: Zip): boolean => zip.has(CONTENT) || zip.has('encrypted-package');

export const addOpenDocument = (zip: Zip, reading: TextReading): void => {
  if (isLocked(zip)) throw new ProtocolError(LOCKED);
  const xml = zip.read(CONTENT) ?? '';
  // Of sheets and slides the styles have headers that nobody wrote.
  const isText = /<(?:\w+:)?text[\s>]/.test(xml);
  if (isText) addMargins(zip, 'header', reading);
  tellBroken(addFlow(xml, reading), CONTENT, reading);
  if (isText) addMargins(zip, 'footer', reading);
};
