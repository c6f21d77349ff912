/**
 * The one spelling of a path that gates judge and tools get. Folds compatibility and invisible
 * characters, percent escapes, backslashes, `.` and `..`, doubled slashes, trailing dots and
 * blanks, `file:` URLs and `$HOME`. Undefined if there is none: empty or too long paths, control
 * characters, endless escapes. Pure, idempotent.
 */

/** Honest paths need one round of decoding. */
const PATH_DECODE_ROUNDS_MAX = 8;
/** Linux takes no longer path. */
const PATH_CHARS_MAX = 4_096;

const BEYOND_ASCII = /[\u0080-\uffff]/;
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const CONTROL = /[\u0000-\u001f\u007f]/;
const ESCAPE = /%([0-9a-f]{2})/gi;

const decodeOnce = (path: string): string => {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
};

const fold = (path: string): string =>
  BEYOND_ASCII.test(path) ? path.toWellFormed().normalize('NFKC').replace(INVISIBLE, '') : path;

/** An escape of an escape is a spelling too. */
const decode = (path: string): string | undefined => {
  let current = fold(path);
  for (let round = 0; round < PATH_DECODE_ROUNDS_MAX; round += 1) {
    const next = fold(decodeOnce(current));
    if (next === current) return current;
    current = next;
  }
  return undefined;
};

const withoutScheme = (path: string): string =>
  path.replace(/^file:(?:\/\/(?:localhost)?(?=\/))?\/*(?=\/)/i, '').replace(/^file:(?:\/\/)?/i, '');

const withHome = (path: string): string => path.replace(/^(?:\$home\b|\$\{home\})/i, '~');

/** Some file systems ignore dots and blanks at the end of a part. */
const trimPart = (part: string): string => {
  if (part === '.' || part === '..') return part;
  // A pattern for the end of a run would try every start of the run.
  let end = part.length;
  while (end > 0 && (part[end - 1] === '.' || part[end - 1] === ' ')) end -= 1;
  return part.slice(0, end);
};

/** Resolves `.` and `..` as far as possible without a file system. */
const joinParts = (path: string): string => {
  const isAbsolute = path.startsWith('/');
  const parts: string[] = [];
  for (const raw of path.split('/')) {
    const part = trimPart(raw);
    if (part === '' || part === '.') continue;
    const last = parts.at(-1);
    if (part !== '..') parts.push(part);
    else if (last !== undefined && last !== '..' && !(parts.length === 1 && last.startsWith('~'))) parts.pop();
    else if (!isAbsolute) parts.push('..');
  }
  const joined = parts.join('/');
  return isAbsolute ? `/${joined}` : joined === '' ? '.' : joined;
};

/** Keeps case, as most file systems do. */
export const canonicalPath = (path: string): string | undefined => {
  if (path.length > PATH_CHARS_MAX) return undefined;
  const decoded = decode(path);
  if (decoded === undefined || decoded.length > PATH_CHARS_MAX || decoded.trim() === '' || CONTROL.test(decoded))
    return undefined;
  let current = decoded;
  for (let round = 0; round < PATH_DECODE_ROUNDS_MAX; round += 1) {
    const next = joinParts(withHome(withoutScheme(current.replaceAll('\\', '/').trim())));
    if (next === current) return current;
    current = next;
  }
  return undefined;
};
