/**
 * Moments as code writes them in a line, `2026-11-27 16:51 UTC`, and the same on the clock of the
 * person who reads the line. A quotation keeps its words. Files and exports keep UTC.
 */

/** A moment, or a quotation. */
export const MOMENT = /“[^”]*”|"[^"\n]*"|(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/g;

/** A time of day alone. */
const TIME_OF_DAY = /“[^”]*”|"[^"\n]*"|(?<![\d-] |[\d:])(\d\d:\d\d) UTC/g;

const pad = (value: number): string => String(value).padStart(2, '0');

/** @param hasDay the day stands before the time */
const localWords = (at: Date, hasDay: boolean): string => {
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  return `${hasDay ? `${day} ` : ''}${pad(at.getHours())}:${pad(at.getMinutes())}`;
};

/** @param now the day of a time that stands alone */
export const onReadersClock = (line: string, now: number): string =>
  line
    .replaceAll(MOMENT, (words, day, minute) => {
      const at = new Date(`${day}T${minute}Z`);
      return Number.isNaN(at.getTime()) ? words : localWords(at, true);
    })
    .replaceAll(TIME_OF_DAY, (words, minute) => {
      const at = new Date(`${new Date(now).toISOString().slice(0, 10)}T${minute}Z`);
      return minute === undefined || Number.isNaN(at.getTime()) ? words : localWords(at, false);
    });
