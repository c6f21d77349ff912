/**
 * Says stored sentences in another language, by a list of them with holes for their values. Each
 * line is looked up by itself, and a part of one that `; ` joins. One that no list has stays. Pure.
 */

/**
 * A stored sentence, and how it is said: `{1}` is a value, `[1]` a part that is said too, `<1>` a
 * part without which it is another sentence: it must be known.
 */
export type SentencePair = readonly [stored: string, said: string];

interface Pattern {
  /** The text around the holes. */
  readonly pieces: readonly string[];
  readonly holes: readonly string[];
  readonly said: string;
}

/** A longer line is the output of a program, or the words of somebody else. */
const SENTENCE_CHARS_MAX = 2_000;
/** Why a rule refused a proposal: the tool, the reason and the gate. Several are joined by `; `. */
const REFUSAL = /^(the reply|[a-z][\w-]*): (.+) \(([a-z-]+)\)$/;
const BETWEEN_REFUSALS = /(?<=\)); (?=the reply: |[a-z][\w-]*: )/;
/** Parts within parts that are said: what nests deeper is no sentence of ours. */
const DEPTH_MAX = 5;
const HOLE = /[{[<]\d[}\]>]/g;

const ownChars = ({ pieces }: Pattern): number => pieces.join('').length;
const hasKnownPart = ({ holes }: Pattern): boolean => holes.some((hole) => hole.startsWith('<'));
/** A name, a number and a part that must be known: it fits nothing by chance. */
const isPlace = (pattern: Pattern): boolean => pattern.holes.length > 2 && hasKnownPart(pattern);

const buildPatterns = (pairs: readonly SentencePair[]): readonly Pattern[] =>
  pairs
    .map(([stored, said]) => ({ pieces: stored.split(HOLE), holes: stored.match(HOLE) ?? [], said }))
    .filter(({ holes }) => holes.length > 0)
    .sort((a, b) => Number(isPlace(b)) - Number(isPlace(a)) || ownChars(b) - ownChars(a));

/** The values in the holes; undefined for another sentence. Each piece counts where it is first. */
const readValues = (pattern: Pattern, sentence: string): readonly string[] | undefined => {
  const { pieces, holes } = pattern;
  const [first = '', ...rest] = pieces;
  const last = rest.at(-1) ?? '';
  if (!sentence.startsWith(first) || !sentence.endsWith(last)) return undefined;
  const values: string[] = [];
  let at = first.length;
  for (const [n, piece] of rest.entries()) {
    const end = n === rest.length - 1 ? sentence.length - last.length : sentence.indexOf(piece, at + 1);
    const value = sentence.slice(at, Math.max(at, end));
    if (value.trim() === '') return undefined;
    values.push(value);
    at = end + piece.length;
  }
  // Before a part that must be known stands a name, such as that of a file.
  const isName = first !== '' || holes[0]?.startsWith('{') !== true || /^\S+$/.test(values[0] ?? '');
  return isName || !hasKnownPart(pattern) ? values : undefined;
};

type Speak = (text: string) => string;

/**
 * @param parts are known within other sentences alone
 * @returns says a text line by line; parts of a line that `; ` joins are said one by one
 */
export const buildSpeaker = (pairs: readonly SentencePair[], parts: readonly SentencePair[] = []): Speak => {
  const sayKnownPart: Speak = parts.length === 0 ? (text) => text : buildSpeaker(parts);
  const whole = new Map(pairs);
  const patterns = buildPatterns(pairs);
  const sayPart = (value: string, depth: number): string => {
    if (depth >= DEPTH_MAX) return value;
    const listed = value.split(', ');
    const saidParts = listed.length > 1 ? listed.map((one) => sayPart(one, depth)) : listed;
    if (saidParts.every((one, n) => one !== listed[n])) return saidParts.join(', ');
    const part = sayKnownPart(value);
    return part === value ? say(value, depth + 1) : part;
  };
  /** Undefined if a part that must be known is not. */
  const fill = ({ holes, said }: Pattern, values: readonly string[], depth: number): string | undefined => {
    const parts = values.map((value, n) => (holes[n]?.startsWith('{') === true ? value : sayPart(value, depth)));
    const isOther = holes.some((hole, n) => hole.startsWith('<') && parts[n] === values[n]);
    return isOther ? undefined : said.replaceAll(HOLE, (hole) => parts[holes.indexOf(hole)] ?? '');
  };
  const findOne = (sentence: string, depth: number): string | undefined => {
    for (const pattern of whole.has(sentence) ? [] : patterns) {
      const values = readValues(pattern, sentence);
      const said = values && fill(pattern, values, depth);
      if (said !== undefined) return said;
    }
    return whole.get(sentence);
  };
  /** The parts that `; ` joins if each is known, or the whole. */
  const find = (sentence: string, depth: number): string | undefined => {
    const given = sentence.split('; ');
    const parts = given.length === 1 ? [] : given.map((one) => findOne(one, depth));
    const isKnown = parts.length > 0 && parts.every((one) => one !== undefined);
    return isKnown ? parts.join('; ') : findOne(sentence, depth);
  };
  const sayOne = (sentence: string, depth: number): string => {
    const [, tool = '', reason = '', gate] = REFUSAL.exec(sentence) ?? [];
    const said = gate === undefined || whole.has(sentence) ? undefined : find(reason, depth);
    if (said !== undefined) return `${findOne(tool, depth) ?? tool}: ${said} (${gate})`;
    return find(sentence, depth) ?? sentence;
  };
  const sayLine = (line: string, depth: number): string =>
    line
      .split(BETWEEN_REFUSALS)
      .map((one) => sayOne(one, depth))
      .join('; ');
  const say = (line: string, depth: number): string => {
    if (line.length > SENTENCE_CHARS_MAX) return line;
    const said = sayLine(line, depth);
    const indent = /^ */.exec(line)?.[0] ?? '';
    return said === line && indent !== '' ? indent + sayLine(line.slice(indent.length), depth) : said;
  };
  return (text) =>
    text
      .split('\n')
      .map((line) => say(line, 0))
      .join('\n');
};
