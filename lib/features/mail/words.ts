/**
 * The words of a mail that its sender typed, apart from those he passes on: quoted lines, the mail
 * that he answers or forwards, and a signature. Mail programs mark these in many ways and
 * languages, so what looks like the head of a mail begins such a part. Pure.
 */
export interface MailWords {
  readonly own: string;
  /** Everything else, in its order. */
  readonly others: string;
}

const HEADER = /^[>\s*]*\p{L}[\p{L} .-]{0,24}\s?:[*\s]/u;
const RULE = /^\s*[-_=*]{3,}/;
/** RFC 3676, 4.3. */
const SIGNATURE = /^-- $/;
const QUOTED = /^\s*[>|]/;

/** Two lines with names such as From or Gesendet, one of them with an address. */
const isHead = (lines: readonly string[], at: number): boolean => {
  const near = lines.slice(at, at + 6);
  const count = near.findIndex((line) => !HEADER.test(line));
  const head = near.slice(0, count === -1 ? near.length : count);
  return head.length >= 3 && head.some((line) => line.includes('@') || /\d{4}|\d:\d\d/.test(line));
};

/** “On Monday Anna wrote:” above quoted lines, in any language, in up to three lines. */
const introduces = (lines: readonly string[], at: number): boolean => {
  const next = lines.findIndex((line, n) => n >= at && QUOTED.test(line));
  const between = next === -1 ? '' : lines.slice(at, next).join('\n').trimEnd();
  return !/\n\s*\n/.test(between) && between.split('\n').length <= 3 && /[\d@][\s\S]*:$/.test(between);
};

export const splitWords = (text: string): MailWords => {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const end = lines.findIndex((line, at) => SIGNATURE.test(line) || RULE.test(line) || isHead(lines, at));
  const own: string[] = [];
  const others: string[] = [];
  for (const [at, line] of lines.entries())
    (at >= end && end !== -1) || QUOTED.test(line) || introduces(lines, at) ? others.push(line) : own.push(line);
  return { own: own.join('\n').trim(), others: others.join('\n').trim() };
};

/** A subject that says that the mail is passed on, in any language; “Re”, “AW”, “SV” answer. */
export const isForward = (subject: string): boolean =>
  /^\s*(?!(?:re|aw|sv|antw|odp|ynt|res|rif|r|vá|bls)\s*[:：])\p{L}{1,4}\s*[:：]/iu.test(subject);
