/**
 * Shows a number of a spreadsheet by the format of its cell (ISO 29500-1, 18.8.30), as far as it
 * changes what the number says: dates, times, spans of time and percentages. Pure.
 */
import { DAY_MS } from '../../core/base/limits.ts';

export type NumberFormat = 'date' | 'span' | 'percent' | 'plain';

/** Days of the year 9999, the last that spreadsheets know. */
const DATE_MAX = 2_958_465;
/** 1900 has a 29 February there, as Lotus had it: before it the days are one off. */
const LEAP_DAY = 60;
/** Digits that a cell shows. The file has 17, the last ones of a sum's binary form. */
const DIGITS = 15;
const SECONDS_A_DAY = DAY_MS / 1000;

/** Formats that no file declares; 27 to 36 and 50 to 58 are dates in East Asia. */
const BUILT_IN_DATES: readonly (readonly [first: number, last: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];
const builtIn = (id: number): NumberFormat => {
  if (id === 9 || id === 10) return 'percent';
  if (id === 46) return 'span';
  return BUILT_IN_DATES.some(([first, last]) => id >= first && id <= last) ? 'date' : 'plain';
};

/** Looks at the letters outside of quoted text, colours, widths and fill characters. */
const declared = (code: string): NumberFormat => {
  const plain = code.split(';')[0]?.replace(/"[^"]*"|\\.|[_*]./g, '') ?? '';
  if (/\[(?:h+|m+|s+)\]/i.test(plain)) return 'span';
  const letters = plain.replace(/\[[^\]]*\]/g, '').replace(/general/i, '');
  if (/[dmyhs]/i.test(letters)) return 'date';
  return letters.includes('%') ? 'percent' : 'plain';
};

export const formatOf = (id: number, code: string | undefined): NumberFormat =>
  code === undefined ? builtIn(id) : declared(code);

const clock = (seconds: number): string => {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours = '', minutes = '', rest = ''] = parts.map((part) => String(part).padStart(2, '0'));
  return rest === '00' ? `${hours}:${minutes}` : `${hours}:${minutes}:${rest}`;
};

/** Rounds to a second: a time is a fraction that is never exact. */
const showDate = (days: number, is1904: boolean): string => {
  const isOff = !is1904 && days < LEAP_DAY;
  const seconds = Math.round((days + (is1904 ? 1_462 : 0)) * SECONDS_A_DAY);
  const [whole, time] = [Math.floor(seconds / SECONDS_A_DAY), seconds % SECONDS_A_DAY];
  if (days < 1 && (time > 0 || !is1904)) return clock(time);
  const date = new Date(Date.UTC(1899, 11, 30) + (whole + (isOff ? 1 : 0)) * DAY_MS).toISOString().slice(0, 10);
  return time === 0 ? date : `${date} ${clock(time)}`;
};

/** @param raw as the file has it */
export const showNumber = (raw: string, format: NumberFormat, is1904: boolean): string => {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  const shown = /^-?\d+$/.test(raw) ? raw : String(Number(value.toPrecision(DIGITS)));
  switch (format) {
    case 'plain':
      return shown;
    case 'percent':
      return `${Number((value * 100).toPrecision(DIGITS))} %`;
    case 'date':
      return value >= 0 && value <= DATE_MAX ? showDate(value, is1904) : shown;
    case 'span':
      return value >= 0 && value <= DATE_MAX ? clock(Math.round(value * SECONDS_A_DAY)) : shown;
    default:
      throw new Error(format satisfies never);
  }
};
