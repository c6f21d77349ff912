/** Reads YAML that a person wrote, with the place of each fault; no tags. Pure. */
import { isMap, LineCounter, type Node, parseDocument } from 'yaml';
import type * as z from 'zod/mini';
import { distance, sayMeant } from './distance.ts';
import { type FileProblem, inLineOrder } from './file-problem.ts';
import { describeIssues } from './json.ts';

/** The faults of what was read; none if it was. */
export const problemsOf = (read: Read<unknown>): readonly FileProblem[] =>
  read.kind === 'problems' ? read.problems : [];

/** A YAML text, and the file that holds it. */
export interface Yaml {
  readonly file: string;
  readonly text: string;
  /** Lines of the file before the text. */
  readonly linesBefore: number;
  /** Every scalar is its text, and aliases may stand: other programs' files are of this kind. */
  readonly isText?: true;
}

export type Read<T> =
  | { readonly kind: 'value'; readonly value: T; readonly lineOf: (path: readonly PropertyKey[]) => number }
  | {
      readonly kind: 'problems';
      readonly problems: readonly FileProblem[];
      /** It is no YAML. */
      readonly isSyntax?: true;
    };

/** Faults of a YAML text that are told: the first ones are enough to mend it. */
const FAULTS_MAX = 8;

/** Brackets within brackets: the parser calls itself for each, and a flood ends its stack. */
const NESTING_MAX = 32;
/** Aliases of a file that may have some: a bomb of them has thousands. */
const ALIASES_MAX = 100;

const isTooDeep = (text: string): boolean => {
  let depth = 0;
  for (const character of text) {
    if (character === '[' || character === '{') depth += 1;
    if (character === ']' || character === '}') depth -= 1;
    if (depth > NESTING_MAX) return true;
  }
  return false;
};

/** The value of a YAML text and where its parts stand, or its faults. */
const compose = ({ file, text, linesBefore, isText }: Yaml): Read<unknown> => {
  const lines = new LineCounter();
  const lineAt = (offset: number): number => lines.linePos(offset).line + linesBefore;
  const fault = (line: number, problem: string) => ({ file, line, problem });
  if (isTooDeep(text)) return { kind: 'problems', problems: [fault(linesBefore + 1, 'it is nested too deeply')] };
  try {
    const schema = isText ? 'failsafe' : 'core';
    const document = parseDocument(text, { schema, lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
    const faults = [...document.errors, ...document.warnings].slice(0, FAULTS_MAX);
    const problems = faults.map(({ code, pos }) => fault(lineAt(pos[0]), YAML_WORDS[code] ?? NOT_PLAIN));
    if (problems.length > 0) return { kind: 'problems', problems, isSyntax: true };
    const lineOf = (path: readonly PropertyKey[]): number => lineAt(offsetOf(document.contents, path));
    const value: unknown = document.toJS({ maxAliasCount: isText ? ALIASES_MAX : 0 }) ?? {};
    return { kind: 'value', value: value === '' ? {} : value, lineOf };
  } catch (error) {
    const problem = error instanceof RangeError ? 'it is nested too deeply' : 'aliases (&, *) are not allowed';
    return { kind: 'problems', problems: [fault(linesBefore + 1, problem)] };
  }
};

/**
 * The value in its schema, or all that is wrong with it, each with its line.
 * @param members of the schema, among which an unknown one is looked for
 */
export const readYaml = <T>(yaml: Yaml, schema: z.ZodMiniType<T>, members: readonly string[] = []): Read<T> => {
  const composed = compose(yaml);
  if (composed.kind === 'problems') return composed;
  const { value, lineOf } = composed;
  // With the input of each issue, a part that is missing can be told from a wrong one.
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return { kind: 'value', value: parsed.data, lineOf };
  const { issues } = parsed.error;
  const problems = issues.flatMap((issue): readonly FileProblem[] => {
    const tell = (path: readonly PropertyKey[], problem: string) => ({ file: yaml.file, line: lineOf(path), problem });
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => {
        const words = describeIssues([{ ...issue, keys: [key] }]);
        const missing = missingLike(key, issue.path, issues);
        return tell([...issue.path, key], `${words}${sayMeant(key, missing.length > 0 ? missing : members)}`);
      });
    return [tell(issue.path, isMissing(issue) ? `${issue.path.join('.')} is missing` : describeIssues([issue]))];
  });
  return { kind: 'problems', problems: inLineOrder(problems) };
};

const isMissing = (issue: z.core.$ZodIssue): boolean => issue.path.length > 0 && issue.input === undefined;

/** Letters by which a name may differ from the one it means. */
const AWAY_MAX = 2;

/** The missing members beside an unknown one that its name resembles. */
const missingLike = (key: string, path: readonly PropertyKey[], issues: readonly z.core.$ZodIssue[]) =>
  issues
    .filter((issue) => isMissing(issue) && issue.path.slice(0, -1).join('.') === path.join('.'))
    .map((issue) => String(issue.path.at(-1)))
    .filter((name) => distance(key, name) <= AWAY_MAX);

const NOT_PLAIN = 'it is not plain YAML: put a text with special characters in quotes';

const YAML_WORDS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'a key is given twice',
  TAB_AS_INDENT: 'it is indented with tabs',
  BAD_INDENT: 'its indentation does not fit',
  MULTIPLE_DOCS: 'it is more than one document',
  TAG_RESOLVE_FAILED: 'tags (!) are not allowed',
  BAD_ALIAS: 'aliases (&, *) are not allowed',
};

/** The line of the value at a path; of its nearest parent if it is missing. */
const offsetOf = (contents: Node | null, path: readonly PropertyKey[]): number => {
  let node: unknown = contents;
  let offset = contents?.range?.[0] ?? 0;
  for (const step of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => String(key) === String(step)) : undefined;
    const key: unknown = pair?.key;
    node = pair === undefined ? childOf(node, step) : pair.value;
    const range = rangeOf(key) ?? rangeOf(node);
    if (range === undefined) return offset;
    offset = range;
  }
  return offset;
};

const childOf = (node: unknown, step: PropertyKey): unknown =>
  typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items)
    ? node.items[Number(step)]
    : undefined;

const rangeOf = (node: unknown): number | undefined =>
  typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)
    ? Number(node.range[0])
    : undefined;
