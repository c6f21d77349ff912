/**
 * The numbers of paragraphs in a DOCX file, such as `3.2` and `(a)`: they stand in no text, but are
 * counted by rules of two other parts (ISO 29500-1, 17.9). Pure but for its counters.
 */
import { type Attributes, attributeOf, walkXml } from './walk-xml.ts';

interface Level {
  format: string;
  /** With `%1` for the number of the first level. */
  text: string;
  start: number;
}

interface List {
  readonly rules: string;
  /** The first numbers of its own, by level. */
  readonly starts: Map<number, number>;
}

/** The list and level of a paragraph or a style. */
export interface ListPlace {
  list?: string | undefined;
  level?: number | undefined;
}

/** The label of the next paragraph of a style and a place, or ''. */
export type NumberParagraph = (style: string, place: ListPlace) => string;

/** Levels of a list, as many as Word has. */
const LEVELS_MAX = 9;
/** Longer letters and Roman numbers are written by nobody. */
const WRITTEN_MAX = 3_999;
const ROMAN: readonly (readonly [value: number, letters: string])[] = [
  ...([
    [1000, 'm'],
    [900, 'cm'],
    [500, 'd'],
    [400, 'cd'],
    [100, 'c'],
    [90, 'xc'],
  ] as const),
  ...([
    [50, 'l'],
    [40, 'xl'],
    [10, 'x'],
    [9, 'ix'],
    [5, 'v'],
    [4, 'iv'],
    [1, 'i'],
  ] as const),
];

const roman = (number: number): string => {
  let [left, text] = [number, ''];
  for (const [value, letters] of ROMAN) for (; left >= value; left -= value) text += letters;
  return text;
};

/** After z comes aa, then bb. */
const letter = (number: number): string => String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26));

const write = (number: number, format: string): string => {
  if (number < 1 || number > WRITTEN_MAX) return String(number);
  switch (format) {
    case 'lowerLetter':
      return letter(number);
    case 'upperLetter':
      return letter(number).toUpperCase();
    case 'lowerRoman':
      return roman(number);
    case 'upperRoman':
      return roman(number).toUpperCase();
    case 'decimalZero':
      return String(number).padStart(2, '0');
    default:
      return String(number);
  }
};

const textValue = (attributes: Attributes): string => attributeOf(attributes, 'val') ?? '';
const levelOf = (attributes: Attributes, name: string): number =>
  Math.min(Math.max(Math.trunc(Number(attributeOf(attributes, name) ?? 0)) || 0, 0), LEVELS_MAX - 1);

const readLists = (xml: string) => {
  const rules = new Map<string, Level[]>();
  const lists = new Map<string, List>();
  const now: { list: string; at: number; levels: Level[]; level?: Level } = { list: '', at: 0, levels: [] };
  const opens: Readonly<Record<string, (attributes: Attributes) => void>> = {
    abstractNum: (attributes) => {
      now.levels = [];
      rules.set(attributeOf(attributes, 'abstractNumId') ?? '', now.levels);
    },
    num: (attributes) => {
      // Levels in it are those of one list alone, and are read as of none.
      now.levels = [];
      now.list = attributeOf(attributes, 'numId') ?? '';
    },
    abstractNumId: (attributes) => void lists.set(now.list, { rules: textValue(attributes), starts: new Map() }),
    lvl: (attributes) => {
      now.level = { format: 'decimal', text: '', start: 1 };
      now.levels[levelOf(attributes, 'ilvl')] = now.level;
    },
    lvlOverride: (attributes) => {
      now.at = levelOf(attributes, 'ilvl');
    },
    startOverride: (attributes) => void lists.get(now.list)?.starts.set(now.at, Number(textValue(attributes))),
    start: (attributes) => Object.assign(now.level ?? {}, { start: Number(textValue(attributes)) }),
    numFmt: (attributes) => Object.assign(now.level ?? {}, { format: textValue(attributes) }),
    lvlText: (attributes) => Object.assign(now.level ?? {}, { text: textValue(attributes) }),
  };
  walkXml(xml, {
    open: (name, attributes) => {
      if (Object.hasOwn(opens, name)) opens[name]?.(attributes);
    },
  });
  return { rules, lists };
};

/** Places of styles, with what they take from the styles they are based on. */
const readStyles = (xml: string): ReadonlyMap<string, ListPlace> => {
  const styles = new Map<string, ListPlace & { base?: string }>();
  let style: ListPlace & { base?: string } = {};
  walkXml(xml, {
    open: (name, attributes) => {
      if (name === 'style') {
        style = {};
        styles.set(attributeOf(attributes, 'styleId') ?? '', style);
      }
      if (name === 'basedOn') style.base = textValue(attributes);
      if (name === 'numId') style.list = textValue(attributes);
      if (name === 'ilvl') style.level = levelOf(attributes, 'val');
    },
  });
  // A style may be based on itself, in a file that is made to do harm.
  for (let round = 0; round < LEVELS_MAX; round += 1)
    for (const one of styles.values()) {
      const base = styles.get(one.base ?? '');
      one.list ??= base?.list;
      one.level ??= base?.level;
    }
  return styles;
};

export const buildNumbering = (numbering: string, styleSheet: string): NumberParagraph => {
  const { rules, lists } = readLists(numbering);
  const styles = readStyles(styleSheet);
  const counters = new Map<string, number[]>();
  const begun = new Set<string>();
  return (style, place) => {
    const own = styles.get(style);
    const id = place.list ?? own?.list ?? '';
    const level = place.level ?? own?.level ?? 0;
    const list = lists.get(id);
    const levels = rules.get(list?.rules ?? '');
    const rule = levels?.[level];
    if (list === undefined || levels === undefined || rule === undefined) return '';
    const counts = counters.get(list.rules) ?? [];
    counters.set(list.rules, counts);
    const start = begun.has(`${id} ${level}`) ? undefined : list.starts.get(level);
    begun.add(`${id} ${level}`);
    counts[level] = start ?? (counts[level] ?? rule.start - 1) + 1;
    counts.length = level + 1;
    if (rule.format === 'bullet') return '•';
    if (rule.format === 'none') return '';
    return rule.text.replace(/%(\d)/g, (_, digit: string) => {
      const n = Number(digit) - 1;
      return write(counts[n] ?? levels[n]?.start ?? 1, levels[n]?.format ?? 'decimal');
    });
  };
};
