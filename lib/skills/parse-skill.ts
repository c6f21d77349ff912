/**
 * Reads a skill's files: `SKILL.md` as agentskills.io specifies it, and `passepartout.yaml` beside
 * it. Names every problem at once, with its file and line. The YAML is read without aliases and
 * tags, so that nothing in it grows or becomes code. Pure; needs the package `yaml`.
 */
import { isMap, LineCounter, type Node, parseDocument } from 'yaml';
import type * as z from 'zod/mini';
import { describeIssues } from '../base/json.ts';
import { factProblems } from './mandates.ts';
import { Extension, Frontmatter, type SkillDefinition } from './skill-definition.ts';
import {
  EXTENSION_FILE,
  fileProblems,
  SKILL_FILE,
  type SkillProblem,
  type SkillText,
  splitFrontmatter,
} from './skill-files.ts';
import { jobProblem } from './skill-jobs.ts';

export type ParsedSkill =
  | { readonly kind: 'skill'; readonly definition: SkillDefinition; readonly body: string }
  | { readonly kind: 'problems'; readonly problems: readonly SkillProblem[] };

interface Yaml {
  readonly file: string;
  readonly text: string;
  /** Lines of the file before the text. */
  readonly linesBefore: number;
}

type Read<T> =
  | { readonly kind: 'value'; readonly value: T; readonly lineOf: (path: readonly PropertyKey[]) => number }
  | { readonly kind: 'problems'; readonly problems: readonly SkillProblem[] };

/** Faults of a YAML text that are told: the first ones are enough to mend it. */
const FAULTS_MAX = 8;

/** Brackets within brackets: the parser calls itself for each, and a flood ends its stack. */
const NESTING_MAX = 32;

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
const compose = ({ file, text, linesBefore }: Yaml): Read<unknown> => {
  const lines = new LineCounter();
  const lineAt = (offset: number): number => lines.linePos(offset).line + linesBefore;
  const fault = (line: number, problem: string) => ({ file, line, problem });
  if (isTooDeep(text)) return { kind: 'problems', problems: [fault(linesBefore + 1, 'it is nested too deeply')] };
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
    const faults = [...document.errors, ...document.warnings].slice(0, FAULTS_MAX);
    const problems = faults.map(({ code, pos }) => fault(lineAt(pos[0]), YAML_WORDS[code] ?? 'it is not plain YAML'));
    if (problems.length > 0) return { kind: 'problems', problems };
    const lineOf = (path: readonly PropertyKey[]): number => lineAt(offsetOf(document.contents, path));
    return { kind: 'value', value: document.toJS({ maxAliasCount: 0 }) ?? {}, lineOf };
  } catch (error) {
    const problem = error instanceof RangeError ? 'it is nested too deeply' : 'aliases (&, *) are not allowed';
    return { kind: 'problems', problems: [fault(linesBefore + 1, problem)] };
  }
};

const readYaml = <T>(yaml: Yaml, schema: z.ZodMiniType<T>): Read<T> => {
  const composed = compose(yaml);
  if (composed.kind === 'problems') return composed;
  const { value, lineOf } = composed;
  const parsed = schema.safeParse(value);
  if (parsed.success) return { kind: 'value', value: parsed.data, lineOf };
  const problems = parsed.error.issues.map((issue) => ({
    file: yaml.file,
    line: lineOf(issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path),
    problem: describeIssues([issue]),
  }));
  return { kind: 'problems', problems };
};

const YAML_WORDS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'a key is given twice',
  TAB_AS_INDENT: 'it is indented with tabs',
  BAD_INDENT: 'its indentation does not fit',
  MULTIPLE_DOCS: 'it is more than one document',
  TAG_RESOLVE_FAILED: 'tags (!) are not allowed',
  BAD_ALIAS: 'aliases (&, *) are not allowed',
};

/** Where the value at a path stands; of its nearest parent if it is missing. */
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

/** `Read Bash(git add:*)`: words, each with what follows it in brackets. */
const splitTools = (text: string): string[] => text.match(/[^\s,()]+(?:\([^)]*\))?/g) ?? [];

/** What files the extension names that are not there, and names that are used twice. */
const partProblems = (
  { gates, handlers, jobs }: z.infer<typeof Extension>,
  files: readonly SkillText[],
  lineOf: (path: readonly PropertyKey[]) => number,
): readonly SkillProblem[] => {
  const lists = { gates, handlers, jobs };
  return Object.entries(lists).flatMap(([list, parts]) =>
    parts.flatMap((part, index) => [
      ...('file' in part && !files.some(({ path }) => path === part.file)
        ? [{ file: EXTENSION_FILE, line: lineOf([list, index]), problem: `there is no file ${part.file}` }]
        : []),
      ...(parts.findIndex(({ name }) => name === part.name) === index
        ? []
        : [{ file: EXTENSION_FILE, line: lineOf([list, index]), problem: `${part.name} is named twice in ${list}` }]),
    ]),
  );
};

const readExtension = (files: readonly SkillText[]): Read<z.infer<typeof Extension>> => {
  const text = files.find(({ path }) => path === EXTENSION_FILE)?.text ?? '';
  const read = readYaml({ file: EXTENSION_FILE, text, linesBefore: 0 }, Extension);
  if (read.kind === 'problems') return read;
  const { mandates, settings } = read.value;
  const problems = [
    ...partProblems(read.value, files, read.lineOf),
    ...factProblems(mandates, Object.keys(settings)).map(({ index, problem }) => ({
      file: EXTENSION_FILE,
      line: read.lineOf(['mandates', index]),
      problem,
    })),
  ];
  return problems.length > 0 ? { kind: 'problems', problems } : read;
};

/** @param folder name of the folder, which the skill's name must equal; absent if there is none */
export const parseSkill = (files: readonly SkillText[], folder?: string): ParsedSkill => {
  const wrong = fileProblems(files);
  const text = files.find(({ path }) => path === SKILL_FILE)?.text;
  if (text === undefined) return { kind: 'problems', problems: wrong };
  const split = splitFrontmatter(text);
  const front: Read<z.infer<typeof Frontmatter>> =
    split === undefined
      ? NO_FRONTMATTER
      : readYaml({ file: SKILL_FILE, text: split.yaml, linesBefore: 1 }, Frontmatter);
  const extension = readExtension(files);
  const misnamed =
    front.kind === 'value' && folder !== undefined && folder !== front.value.name
      ? [
          {
            file: SKILL_FILE,
            line: front.lineOf(['name']),
            problem: `name must be that of its folder, ${folder}`,
          },
        ]
      : [];
  const problems = [...wrong, ...[front, extension].flatMap(problemsOf), ...misnamed];
  if (problems.length > 0 || front.kind === 'problems' || extension.kind === 'problems')
    return { kind: 'problems', problems };
  const definition = join(front.value, extension.value);
  const problem = jobProblem(definition);
  if (problem !== undefined)
    return { kind: 'problems', problems: [{ file: EXTENSION_FILE, line: extension.lineOf(['jobs']), problem }] };
  return { kind: 'skill', definition, body: split?.body ?? '' };
};

const NO_FRONTMATTER = {
  kind: 'problems',
  problems: [{ file: SKILL_FILE, line: 1, problem: 'it must begin with a block of YAML between two lines "---"' }],
} as const;

const problemsOf = (read: Read<unknown>): readonly SkillProblem[] => (read.kind === 'problems' ? read.problems : []);

const join = (front: z.infer<typeof Frontmatter>, extension: z.infer<typeof Extension>): SkillDefinition => {
  const { 'allowed-tools': allowed, metadata, ...rest } = front;
  return {
    ...rest,
    ...(metadata === undefined
      ? {}
      : { metadata: Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, String(value)])) }),
    ...(allowed === undefined ? {} : { allowedTools: splitTools(allowed) }),
    ...extension,
  };
};
