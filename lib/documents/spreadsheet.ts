/**
 * The text of an XLSX file: sheets, rows, cells separated by tabs. Formulas have their last value.
 */
import { DAY_MS } from '../base/limits.ts';
import { walkXml } from './walk-xml.ts';
import type { Zip } from './zip.ts';

/** Empty cells between two others that are shown. */
const GAP_MAX = 50;
/** Days of the year 9999, the last that spreadsheets know. */
const DATE_MAX = 2_958_465;
/** Number formats of dates that no file declares. */
const BUILT_IN_DATES = [14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47];
/** Letters of a date in a format, outside of quoted text and of colours. */
const isDateFormat = (code: string): boolean => /[dmyhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''));

/** By the number of a cell's style: whether it shows a date. */
const readDateStyles = (xml: string): readonly boolean[] => {
  const dates = new Set(BUILT_IN_DATES);
  const styles: boolean[] = [];
  let isInCells = false;
  walkXml(xml, {
    open: (name, { numFmtId, formatCode = '' }) => {
      if (name === 'numFmt' && isDateFormat(formatCode)) dates.add(Number(numFmtId));
      if (name === 'cellXfs') isInCells = true;
      if (name === 'xf' && isInCells) styles.push(dates.has(Number(numFmtId)));
    },
    close: (name) => {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return styles;
};

const readSharedTexts = (xml: string): readonly string[] => {
  const texts: string[] = [];
  let [words, phonetic] = [0, 0];
  walkXml(xml, {
    open: (name) => {
      if (name === 'si') texts.push('');
      if (name === 't') words += 1;
      if (name === 'rPh') phonetic += 1;
    },
    close: (name) => {
      if (name === 't') words -= 1;
      if (name === 'rPh') phonetic -= 1;
    },
    text: (text) => {
      if (words > 0 && phonetic === 0 && texts.length > 0) texts[texts.length - 1] += text;
    },
  });
  return texts;
};

interface Workbook {
  readonly sheets: readonly { readonly name: string; readonly id: string }[];
  /** Days between the first day of this file and of others. */
  readonly firstDay: number;
}

const readWorkbook = (xml: string): Workbook => {
  const sheets: { readonly name: string; readonly id: string }[] = [];
  let firstDay = 0;
  walkXml(xml, {
    open: (name, attributes) => {
      if (name === 'sheet') sheets.push({ name: attributes.name ?? '', id: attributes['r:id'] ?? '' });
      if (name === 'workbookPr' && /^(?:1|true)$/.test(attributes.date1904 ?? '')) firstDay = 1_462;
    },
  });
  return { sheets, firstDay };
};

const readTargets = (xml: string): ReadonlyMap<string, string> => {
  const targets = new Map<string, string>();
  walkXml(xml, {
    open: (name, { Id = '', Target = '' }) => {
      if (name === 'Relationship') targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
    },
  });
  return targets;
};

const showDate = (days: number): string => {
  const text = new Date(Date.UTC(1899, 11, 30) + Math.round(days * 24 * 60) * (DAY_MS / (24 * 60))).toISOString();
  if (days < 1) return text.slice(11, 16);
  return Number.isInteger(days) ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ');
};

const columnOf = (place: string): number =>
  [...(/^[A-Z]{1,3}/.exec(place)?.[0] ?? '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

interface Surroundings extends Pick<Workbook, 'firstDay'> {
  readonly texts: readonly string[];
  readonly isDate: readonly boolean[];
}

const showValue = (
  { t: type = 'n', s: style = '' }: Readonly<Record<string, string>>,
  raw: string,
  { texts, isDate, firstDay }: Surroundings,
): string => {
  if (type === 's') return texts[Number(raw)] ?? '';
  if (type === 'b') return raw === '1' ? 'TRUE' : 'FALSE';
  const days = Number(raw) + firstDay;
  const isShownAsDate = type === 'n' && raw !== '' && isDate[Number(style)] === true;
  return isShownAsDate && days >= 0 && days <= DATE_MAX ? showDate(days) : raw;
};

const addSheet = (xml: string, surroundings: Surroundings, add: (text: string) => void): void => {
  let [column, words, raw, isFormula, formula] = [0, 0, '', false, ''];
  let cell: Readonly<Record<string, string>> = {};
  walkXml(xml, {
    open: (name, attributes) => {
      if (name === 'row') column = 0;
      if (name === 'c') [cell, raw, formula] = [attributes, '', ''];
      if (name === 'f') isFormula = true;
      if (name === 'v' || name === 't') words += 1;
    },
    close: (name) => {
      if (name === 'v' || name === 't') words -= 1;
      if (name === 'f') isFormula = false;
      if (name === 'row') add('\n');
      if (name !== 'c' || raw + formula === '') return;
      const next = columnOf(cell.r ?? '') || column + 1;
      add('\t'.repeat(Math.min(Math.max(next - Math.max(column, 1), 0), GAP_MAX)));
      column = next;
      add((raw === '' ? `=${formula}` : showValue(cell, raw, surroundings)).replaceAll('\n', ' '));
    },
    text: (text) => {
      if (words > 0) raw += text;
      if (isFormula) formula += text;
    },
  });
};

export const addSpreadsheet = (zip: Zip, add: (text: string) => void): void => {
  const { sheets, firstDay } = readWorkbook(zip.read('xl/workbook.xml') ?? '');
  const targets = readTargets(zip.read('xl/_rels/workbook.xml.rels') ?? '');
  const texts = readSharedTexts(zip.read('xl/sharedStrings.xml') ?? '');
  const isDate = readDateStyles(zip.read('xl/styles.xml') ?? '');
  for (const { name, id } of sheets) {
    const xml = zip.read(targets.get(id) ?? '');
    if (xml === undefined) continue;
    add(`[sheet ${name}]\n`);
    addSheet(xml, { texts, isDate, firstDay }, add);
    add('\n');
  }
};
