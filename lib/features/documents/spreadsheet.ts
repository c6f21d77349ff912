/**
 * The text of an XLSX file: sheets, rows, cells separated by tabs, as their readers see them.
 * Formulas have their last value. What stands beside the cells follows each sheet.
 */
import type { TextReading } from './collect-text.ts';
import { addFlowingText } from './flowing-text.ts';
import { formatOf, type NumberFormat, showNumber } from './number-format.ts';
import { findParts, partsOf, type Relation, readPart, relationsOf, tellBroken } from './relations.ts';
import { type Attributes, relationOf, walkXml } from './walk-xml.ts';
import type { Zip } from './zip.ts';

const MAIN = 'xl/workbook.xml';
/** Empty cells between two others that are shown. */
const GAP_MAX = 50;
/** Excel has no more. */
const COLUMNS_MAX = 16_384;

export const isSpreadsheet = ({ has }: Zip): boolean => has(MAIN);

/** By the number of a cell's style: what its numbers are. */
const readFormats = (xml: string): readonly NumberFormat[] => {
  const codes = new Map<number, string>();
  const styles: NumberFormat[] = [];
  let isInCells = false;
  walkXml(xml, {
    open: (name, { numFmtId, formatCode = '' }) => {
      if (name === 'numFmt') codes.set(Number(numFmtId), formatCode);
      if (name === 'cellXfs') isInCells = true;
      if (name === 'xf' && isInCells) styles.push(formatOf(Number(numFmtId ?? 0), codes.get(Number(numFmtId))));
    },
    close: (name) => {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return styles;
};

/** Characters that XML cannot hold are `_x000D_` in a text, and `_` before such is `_x005F_`. */
const unescapeText = (text: string): string =>
  text.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const readSharedTexts = (xml: string, { leaveOut }: TextReading): readonly string[] => {
  const texts: string[] = [];
  let [words, phonetic] = [0, 0];
  walkXml(xml, {
    open: (name) => {
      if (name === 'si') texts.push('');
      if (name === 't') words += 1;
      if (name === 'rPh') {
        phonetic += 1;
        leaveOut('phonetic guide');
      }
    },
    close: (name) => {
      if (name === 't') words -= 1;
      if (name === 'rPh') phonetic -= 1;
    },
    text: (text) => {
      if (words > 0 && phonetic === 0 && texts.length > 0) texts[texts.length - 1] += text;
    },
  });
  return texts.map(unescapeText);
};

interface Workbook {
  readonly sheets: readonly { readonly name: string; readonly id: string; readonly isHidden: boolean }[];
  readonly is1904: boolean;
}

const readWorkbook = (xml: string): Workbook => {
  const sheets: Workbook['sheets'][number][] = [];
  let is1904 = false;
  walkXml(xml, {
    open: (name, attributes) => {
      const { name: title = '', state = 'visible' } = attributes;
      if (name === 'sheet') sheets.push({ name: title, id: relationOf(attributes), isHidden: state !== 'visible' });
      if (name === 'workbookPr' && /^(?:1|true)$/.test(attributes.date1904 ?? '')) is1904 = true;
    },
  });
  return { sheets, is1904 };
};

const columnOf = (place: string): number =>
  [...(/^[A-Z]{1,3}/.exec(place)?.[0] ?? '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

interface Surroundings extends Pick<Workbook, 'is1904'> {
  readonly texts: readonly string[];
  readonly formats: readonly NumberFormat[];
  readonly relations: ReadonlyMap<string, Relation>;
}

const showValue = ({ t: type = 'n', s: style = '' }: Attributes, raw: string, around: Surroundings): string => {
  if (type === 's') return around.texts[Number(raw)] ?? '';
  if (type === 'b') return raw === '1' || raw === 'true' ? 'TRUE' : 'FALSE';
  if (type === 'd') return raw.replace(/T00:00(?::00(?:\.0+)?)?Z?$/, '').replace('T', ' ');
  if (type === 'n') return showNumber(raw, around.formats[Number(style)] ?? 'plain', around.is1904);
  return type === 'e' ? raw : unescapeText(raw);
};

/** Signs of a print header: places, fonts, sizes, and fields such as the page. */
const HEADER_SIGNS = /&(?:"[^"]*"|\d+|[A-Z])/gi;

/** A walk through one sheet. */
interface Sheet {
  readonly around: Surroundings;
  readonly reading: TextReading;
  /** Behind the rows: links and headers. */
  readonly notes: string[];
  /** Places of formulas that others share, by their number. */
  readonly shared: Map<string, string>;
  cell: Attributes;
  /** Of this cell, and of the last one that says something. */
  at: number;
  column: number;
  row: number;
  raw: string;
  formula: string;
  words: number;
  phonetic: number;
  isFormula: boolean;
  isHeader: boolean;
}

const openRow = (sheet: Sheet, { r, hidden }: Attributes): void => {
  const row = r === undefined ? sheet.row + 1 : Number(r);
  // One empty line says that a table ends.
  if (sheet.row > 0 && row > sheet.row + 1) sheet.reading.add('\n');
  Object.assign(sheet, { row, at: 0, column: 0 });
  if (hidden === '1' || hidden === 'true') sheet.reading.add('[hidden row] ');
};

const openCell = (sheet: Sheet, attributes: Attributes): void => {
  const at = columnOf(attributes.r ?? '') || sheet.at + 1;
  Object.assign(sheet, { cell: attributes, at, raw: '', formula: '' });
};

const addLink = ({ around, notes }: Sheet, attributes: Attributes): void => {
  const target = around.relations.get(relationOf(attributes));
  if (target?.isOutside === true) notes.push(`[link in ${attributes.ref ?? 'a cell'}] ${target.target}`);
};

/** A formula that others share stands in its first cell alone. */
const openFormula = (sheet: Sheet, { t: type, si = '' }: Attributes): void => {
  sheet.isFormula = true;
  if (type !== 'shared') return;
  const first = sheet.shared.get(si);
  if (first === undefined) sheet.shared.set(si, sheet.cell.r ?? '');
  else sheet.formula = `(as in ${first})`;
};

const nameColumn = (column: number): string =>
  column > 26
    ? `${nameColumn(Math.floor((column - 1) / 26))}${nameColumn(((column - 1) % 26) + 1)}`
    : String.fromCharCode(64 + column);

const addHiddenColumns = ({ reading }: Sheet, { min = '1', max = min, hidden }: Attributes): void => {
  const [first, last] = [min, max].map((column) => nameColumn(Math.min(Number(column) || 1, COLUMNS_MAX)));
  if (hidden === '1' || hidden === 'true') reading.add(`[hidden: columns ${first} to ${last}]\n`);
};

const closeCell = (sheet: Sheet): void => {
  const { cell, at, raw, formula, reading } = sheet;
  if (raw + formula === '') return;
  reading.add('\t'.repeat(Math.min(Math.max(at - Math.max(sheet.column, 1), 0), GAP_MAX)));
  sheet.column = at;
  reading.add((raw === '' ? `=${formula}` : showValue(cell, raw, sheet.around)).replace(/\r?\n|\r/g, ' '));
};

const addSheet = (xml: string, around: Surroundings, reading: TextReading): boolean => {
  const sheet: Sheet = {
    ...{ around, reading, notes: [], shared: new Map(), cell: {}, at: 0, column: 0, row: 0, raw: '', formula: '' },
    ...{ words: 0, phonetic: 0, isFormula: false, isHeader: false },
  };
  const isWhole = walkXml(xml, {
    open: (name, attributes) => {
      if (name === 'row') openRow(sheet, attributes);
      if (name === 'c') openCell(sheet, attributes);
      if (name === 'hyperlink') addLink(sheet, attributes);
      if (name === 'f') openFormula(sheet, attributes);
      if (name === 'col') addHiddenColumns(sheet, attributes);
      if (name === 'rPh') sheet.phonetic += 1;
      if (name === 'v' || name === 't') sheet.words += 1;
      if (/^(?:odd|even|first)(?:Header|Footer)$/.test(name)) Object.assign(sheet, { isHeader: true, raw: '' });
    },
    close: (name) => {
      if (name === 'v' || name === 't') sheet.words -= 1;
      if (name === 'f') sheet.isFormula = false;
      if (name === 'rPh') sheet.phonetic -= 1;
      if (name === 'row') reading.add('\n');
      if (name === 'c') closeCell(sheet);
      if (!sheet.isHeader || !/Header$|Footer$/.test(name)) return;
      sheet.isHeader = false;
      const text = sheet.raw.replace(HEADER_SIGNS, ' ').replace(/\s+/g, ' ').trim();
      if (text !== '') sheet.notes.push(`[${name.endsWith('Header') ? 'header' : 'footer'}] ${text}`);
    },
    text: (text) => {
      if (sheet.isHeader || (sheet.words > 0 && sheet.phonetic === 0)) sheet.raw += text;
      if (sheet.isFormula) sheet.formula += text;
    },
  });
  for (const note of sheet.notes) reading.add(`${note}\n`);
  return isWhole;
};

const addComments = (zip: Zip, part: string, reading: TextReading): void => {
  const authors: string[] = [];
  const isThread = /threaded/i.test(part);
  let [words, isAuthor] = [0, false];
  walkXml(readPart(zip, part, reading) ?? '', {
    open: (name, { ref = '', authorId = '' }) => {
      const author = authors[Number(authorId)] ?? '';
      if (name === 'comment' || name === 'threadedComment')
        reading.add(`[comment in ${ref}${authorId === '' || author === '' ? '' : ` by ${author}`}] `);
      if (name === 'author') authors.push('');
      isAuthor = name === 'author';
      if (name === 't' || (name === 'text' && isThread)) words += 1;
    },
    close: (name) => {
      isAuthor = false;
      if (name === 't' || (name === 'text' && isThread)) words -= 1;
      if (name === 'comment' || name === 'threadedComment') reading.add('\n');
    },
    text: (text) => {
      if (isAuthor) authors.push(`${authors.pop() ?? ''}${text}`);
      else if (words > 0) reading.add(unescapeText(text).replace(/\s+/g, ' '));
    },
  });
};

const addBeside = (zip: Zip, part: string, relations: ReadonlyMap<string, Relation>, reading: TextReading): void => {
  // The older comments repeat those of a thread in other words.
  const threads = partsOf(relations, 'threadedComment');
  for (const comments of threads.length > 0 ? threads : partsOf(relations, 'comments'))
    addComments(zip, comments, reading);
  for (const drawing of partsOf(relations, 'drawing'))
    addFlowingText(readPart(zip, drawing, reading) ?? '', reading, { relations: relationsOf(zip, drawing) });
  if (part.includes('/chartsheets/')) reading.leaveOut('chart');
};

/** Parts beside the cells to which no relation leads. */
const THREADS = /^xl\/threadedComments\/[^/]+\.xml$/i;
const COMMENTS = /^xl\/comments\d*\.xml$/i;
const DRAWINGS = /^xl\/drawings\/drawing\d*\.xml$/i;

export const addSpreadsheet = (zip: Zip, reading: TextReading): void => {
  const [main = MAIN] = partsOf(relationsOf(zip), 'officeDocument');
  const { sheets, is1904 } = readWorkbook(zip.read(main) ?? '');
  const targets = relationsOf(zip, main);
  const [texts = ''] = findParts(zip, targets, 'sharedStrings', /^xl\/sharedStrings\.xml$/i);
  const [styles = ''] = findParts(zip, targets, 'styles', /^xl\/styles\.xml$/i);
  const common = {
    is1904,
    texts: readSharedTexts(readPart(zip, texts, reading) ?? '', reading),
    formats: readFormats(readPart(zip, styles, reading) ?? ''),
  };
  for (const { name, id, isHidden } of sheets) {
    const part = targets.get(id)?.target ?? '';
    reading.add(`[sheet ${name}${isHidden ? ', hidden' : ''}]\n`);
    const xml = readPart(zip, part, reading);
    if (xml === undefined && !zip.has(part)) reading.add('[its cells are not in the file]\n');
    const relations = relationsOf(zip, part);
    if (xml !== undefined) tellBroken(addSheet(xml, { ...common, relations }, reading), part, reading);
    addBeside(zip, part, relations, reading);
    reading.add('\n');
  }
  const hasThreads = zip.names.some((name) => THREADS.test(name));
  for (const part of zip.unread(hasThreads ? THREADS : COMMENTS)) addComments(zip, part, reading);
  for (const part of zip.unread(DRAWINGS)) addFlowingText(readPart(zip, part, reading) ?? '', reading);
};
