/**
 * Says stored sentences in another language, by a list of them with holes for their values. Each
 * line is looked up by itself, and a part of one that `; ` joins. One that no list has stays. Pure.
 */

/** A stored sentence, and how it is said: `{1}` is a value, `[1]` a part that is said too. */
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
const HOLE = /[{[]\d[}\]]/g;

const ownChars = ({ pieces }: Pattern): number => pieces.join('').length;

const buildPatterns = (pairs: readonly SentencePair[]): readonly Pattern[] =>
  pairs
    .map(([stored, said]) => ({ pieces: stored.split(HOLE), holes: stored.match(HOLE) ?? [], said }))
    .filter(({ holes }) => holes.length > 0)
    .sort((a, b) => ownChars(b) - ownChars(a));

/** The values in the holes; undefined for another sentence. Each piece counts where it is first. */
const readValues = ({ pieces }: Pattern, sentence: string): readonly string[] | undefined => {
  const [first = '', ...rest] = pieces;
  const last = rest.at(-1) ?? '';
  if (!sentence.startsWith(first) || !sentence.endsWith(last)) return undefined;
  const values: string[] = [];
  let at = first.length;
  for (const [n, piece] of rest.entries()) {
    const end = n === rest.length - 1 ? sentence.length - last.length : sentence.indexOf(piece, at + 1);
    if (end <= at) return undefined;
    values.push(sentence.slice(at, end));
    at = end + piece.length;
  }
  return values;
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
  const fill = ({ holes, said }: Pattern, values: readonly string[]): string =>
    said.replaceAll(HOLE, (hole) => {
      const value = values[holes.indexOf(hole)] ?? '';
      if (hole.startsWith('{')) return value;
      const part = sayKnownPart(value);
      return part === value ? say(value) : part;
    });
  const findOne = (sentence: string): string | undefined => {
    for (const pattern of whole.has(sentence) ? [] : patterns) {
      const values = readValues(pattern, sentence);
      if (values !== undefined) return fill(pattern, values);
    }
    return whole.get(sentence);
  };
  const findParts = (sentence: string): string | undefined => {
    const parts = sentence.split('; ').map(findOne);
    return parts.every((one) => one !== undefined) ? parts.join('; ') : undefined;
  };
  const sayOne = (sentence: string): string => {
    const [, tool = '', reason = '', gate] = REFUSAL.exec(sentence) ?? [];
    const said = gate === undefined || whole.has(sentence) ? undefined : (findParts(reason) ?? findOne(reason));
    if (said !== undefined) return `${findOne(tool) ?? tool}: ${said} (${gate})`;
    return findParts(sentence) ?? findOne(sentence) ?? sentence;
  };
  const sayLine = (line: string): string => line.split(BETWEEN_REFUSALS).map(sayOne).join('; ');
  const say = (line: string): string => {
    if (line.length > SENTENCE_CHARS_MAX) return line;
    const said = sayLine(line);
    const indent = /^ */.exec(line)?.[0] ?? '';
    return said === line ? indent + sayLine(line.slice(indent.length)) : said;
  };
  return (text) => text.split('\n').map(say).join('\n');
};
