/**
 * Server-sent events (WHATWG), as far as model providers use them: gives the `data` of each event as text comes in, in whatever
 * pieces it comes. Comments and other fields count for nothing; an event that its blank line never ended is none. Pure but for
 * the rest it keeps; linear, since a line is looked at once; whoever feeds it bounds the bytes.
 */

/** @returns the data of every event that this piece of text ended. */
export type ReadEvents = (piece: string) => readonly string[];

const LINE_END = /\r\n|\n|\r/g;

export const buildReadEvents = (): ReadEvents => {
  let line = '';
  let data: string[] = [];
  let isAfterReturn = false;

  /** A line without its end. */
  const takeLine = (whole: string): string | undefined => {
    if (whole === '') {
      const event = data.length === 0 ? undefined : data.join('\n');
      data = [];
      return event;
    }
    const colon = whole.indexOf(':');
    if ((colon < 0 ? whole : whole.slice(0, colon)) !== 'data') return undefined;
    const value = colon < 0 ? '' : whole.slice(colon + 1);
    data.push(value.startsWith(' ') ? value.slice(1) : value);
    return undefined;
  };

  return (piece) => {
    const events: string[] = [];
    // A line break of two characters may come in two pieces.
    const text = isAfterReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    if (piece !== '') isAfterReturn = piece.endsWith('\r');
    let from = 0;
    for (const end of text.matchAll(LINE_END)) {
      const event = takeLine(line + text.slice(from, end.index));
      if (event !== undefined) events.push(event);
      line = '';
      from = end.index + end[0].length;
    }
    line += text.slice(from);
    return events;
  };
};
