/**
 * Prints of secrets: with them a function finds a whole secret that it must not hold itself. A
 * print says how many letters and digits the secret has, and gives a salted hash of them without
 * case. 16 further bits, of the first 12, let one pass over a text find the places to hash. A
 * secret with fewer than 12 letters and digits has no print.
 */
import * as z from 'zod/mini';
import { hashOf } from '../base/canonical.ts';
import { readJson } from '../base/json.ts';
import { bare } from './secret-pieces.ts';

/** The setting that holds the prints of all secrets of a space. */
export const SECRET_PRINTS = 'SECRET_PRINTS';

const Prints = z.object({
  salt: z.string(),
  prints: z.array(z.object({ name: z.string(), chars: z.int(), mark: z.int(), hash: z.string() })),
});
type Prints = z.infer<typeof Prints>;

/** So many letters and digits are of a secret, and no word. */
const MARKED_CHARS = 12;
const MARK_BITS = 16;
/** An odd number whose bits are well mixed: a small one would give near texts near marks. */
const FACTOR = 0x9e37_79b1;
/** The count of the character that leaves the window. */
const LEAVING = Array.from({ length: MARKED_CHARS }, () => FACTOR).reduce(
  (power, factor) => Math.imul(power, factor),
  1,
);

const markOf = (sum: number): number => sum >>> (32 - MARK_BITS);
const add = (sum: number, code: number): number => (Math.imul(sum, FACTOR) + code) | 0;
const sumOf = (text: string): number => [...text].reduce((sum, char) => add(sum, char.charCodeAt(0)), 0);
const printOf = (salt: string, text: string): string => hashOf('secret-print', [salt, text]);

/** @param salt random */
export const buildSecretPrints = (values: ReadonlyMap<string, string>, salt: string): string => {
  const texts = [...values].map(([name, value]) => ({ name, text: bare(value) }));
  const prints: Prints['prints'] = texts
    .filter(({ text }) => text.length >= MARKED_CHARS)
    .map(({ name, text }) => ({
      name,
      chars: text.length,
      mark: markOf(sumOf(text.slice(0, MARKED_CHARS))),
      hash: printOf(salt, text),
    }));
  return JSON.stringify({ salt, prints });
};

export interface FindPrints {
  readonly names: readonly string[];
  /** Gives the names of the secrets that stand whole in one of these bare texts. */
  readonly find: (texts: readonly string[]) => ReadonlySet<string>;
}

const buildFindPrints = ({ salt, prints }: Prints): FindPrints => {
  const byMark = Map.groupBy(prints, ({ mark }) => mark);
  const isMark = new Uint8Array(2 ** MARK_BITS);
  for (const mark of byMark.keys()) isMark[mark] = 1;
  const search = (text: string, found: Set<string>): void => {
    let sum = 0;
    for (let end = 0; end < text.length; end += 1) {
      sum = add(sum, text.charCodeAt(end));
      const at = end - MARKED_CHARS + 1;
      if (at > 0) sum = (sum - Math.imul(LEAVING, text.charCodeAt(at - 1))) | 0;
      if (at < 0 || isMark[markOf(sum)] !== 1) continue;
      for (const { name, chars, hash } of byMark.get(markOf(sum)) ?? [])
        if (!found.has(name) && printOf(salt, text.slice(at, at + chars)) === hash) found.add(name);
    }
  };
  return {
    names: prints.map(({ name }) => name),
    find: (texts) => {
      const found = new Set<string>();
      for (const text of texts) search(text, found);
      return found;
    },
  };
};

/** Kept, because parsing the same prints for each text would take longer than the search. */
const newest: { readonly text: string; readonly found: FindPrints }[] = [];

/** @param text of the setting; what cannot be read finds nothing */
export const findPrintsOf = (text: string | undefined): FindPrints | undefined => {
  if (text === undefined) return undefined;
  const [known] = newest;
  if (known?.text === text) return known.found;
  const parsed = Prints.safeParse(readJson(text));
  const found = buildFindPrints(parsed.success ? parsed.data : { salt: '', prints: [] });
  newest[0] = { text, found };
  return found;
};

/** Base64 and hex in a text, also over several lines. */
const BASE64_RUN = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}(?:\s{1,4}[A-Za-z0-9+/_-]{16,})*/g;
const HEX_RUN = /(?<![0-9a-f])(?:[0-9a-f]{2}[\s:,-]?){12,}/gi;
/** A run of base64 may begin inside a word: one of these four cuts is the right one. */
const BASE64_CUTS = [0, 1, 2, 3] as const;

/** Bits of a character: it may stand in a run of base64, or of hex. */
const [IN_BASE64, IN_HEX] = [1, 2];
const BITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return (/[A-Za-z0-9+/_-]/.test(char) ? IN_BASE64 : 0) | (/[0-9A-Fa-f\s:,-]/.test(char) ? IN_HEX : 0);
});

/** Characters of the shortest runs that the patterns find. */
const [BASE64_CHARS_MIN, HEX_CHARS_MIN] = [16, 24];

/**
 * Whether a run of so many characters may be there: most texts have none, and patterns are far
 * slower. Each run is read from its end, so that most characters of a text without one are skipped.
 */
const mayHoldRun = (text: string, bit: number, chars: number): boolean => {
  for (let start = 0; start + chars <= text.length; ) {
    let at = start + chars;
    // White space beyond ASCII separates too.
    while (at > start && (BITS[text.charCodeAt(at - 1)] ?? IN_HEX) & bit) at -= 1;
    if (at === start) return true;
    start = at;
  }
  return false;
};

/** The encoded parts of a text, each run by itself. */
export const decodedRuns = (text: string): readonly string[] => {
  const decoded: string[] = [];
  if (mayHoldRun(text, IN_BASE64, BASE64_CHARS_MIN))
    for (const [run] of text.matchAll(BASE64_RUN)) {
      const packed = run.replace(/\s+/g, '');
      for (const cut of BASE64_CUTS) decoded.push(Buffer.from(packed.slice(cut), 'base64').toString('latin1'));
    }
  if (mayHoldRun(text, IN_HEX, HEX_CHARS_MIN))
    for (const [run] of text.matchAll(HEX_RUN))
      decoded.push(Buffer.from(run.replace(/[^0-9a-f]/gi, ''), 'hex').toString('latin1'));
  return decoded;
};
