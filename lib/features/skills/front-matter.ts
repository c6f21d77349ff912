/**
 * Reads the front matter of a `SKILL.md` as people publish it. Every scalar is its text. A member
 * that is no plain YAML, such as prose with a colon, is read as one text, as other programs do, and
 * a remark says so with its line. Pure; needs the package `yaml`.
 */
import type * as z from 'zod/mini';
import type { FileProblem } from '../../core/base/file-problem.ts';
import { MENDED_MAX, quoteMember } from '../../core/base/mend-yaml.ts';
import { type Read, readYaml } from '../../core/base/read-yaml.ts';
import { COMPATIBILITY_CHARS_MAX, DESCRIPTION_CHARS_MAX, Frontmatter, plainName } from './skill-definition.ts';
import { type FrontmatterText, SKILL_FILE } from './skill-files.ts';

/** Of metadata as it is kept: some lines about the skill, for programs. */
const METADATA_CHARS_MAX = 4_000;

interface Mended {
  readonly read: Read<z.infer<typeof Frontmatter>>;
  readonly remarks: readonly FileProblem[];
}

const readMended = ({ yaml, linesBefore }: FrontmatterText): Mended => {
  const read = (text: string) => readYaml({ file: SKILL_FILE, text, linesBefore, isText: true }, Frontmatter);
  const first = read(yaml);
  const remarks: FileProblem[] = [];
  let now = first;
  let lines = yaml.split(/\r?\n/);
  while (now.kind === 'problems' && now.isSyntax === true && remarks.length < MENDED_MAX) {
    const [{ line = 1 } = {}] = now.problems;
    const mended = quoteMember(lines, line - linesBefore - 1);
    if (mended === undefined) break;
    const problem = `${mended.key} is no plain YAML and is read as one text: put it in quotes`;
    remarks.push({ file: SKILL_FILE, line: mended.line + linesBefore + 1, problem });
    lines = [...mended.lines];
    now = read(lines.join('\n'));
  }
  return now.kind === 'problems' && now.isSyntax === true ? { read: first, remarks: [] } : { read: now, remarks };
};

/** `Read Bash(git add:*)`: words, each with what follows it in brackets, also in nested ones. */
export const splitTools = (text: string): readonly string[] => {
  const tools = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (depth === 0 && /[\s,[\]"']/.test(character)) tools.push('');
    else tools.push(`${tools.pop() ?? ''}${character}`);
    if (character === ')') depth = Math.max(0, depth - 1);
  }
  return tools.filter((tool) => tool !== '');
};

const wordsOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(wordsOf).join(', ') : JSON.stringify(value ?? '');
};

const readMetadata = (metadata: unknown): Record<string, string> | string | undefined => {
  if (metadata === undefined || metadata === '') return undefined;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    return 'metadata is no list of names and values: left out';
  const entries = Object.entries(metadata).map(([key, value]): [string, string] => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const chars = entries.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  return chars > METADATA_CHARS_MAX
    ? `metadata has ${chars} characters, and ${METADATA_CHARS_MAX} are allowed: left out`
    : Object.fromEntries(entries);
};

export interface SkillFront {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly metadata?: Record<string, string>;
  readonly allowedTools?: string[];
}

export type ReadFront =
  | { readonly kind: 'front'; readonly front: SkillFront; readonly remarks: readonly FileProblem[] }
  | { readonly kind: 'problems'; readonly problems: readonly FileProblem[] };

/** The members of the text; remarks name those that are read otherwise than they are written. */
export const readFrontmatter = (text: FrontmatterText): ReadFront => {
  const { read, remarks: mended } = readMended(text);
  if (read.kind === 'problems') return read;
  const { value, lineOf } = read;
  const at = (key: string, problem: string): FileProblem => ({ file: SKILL_FILE, line: lineOf([key]), problem });
  const name = plainName(value.name);
  const remarks = [...mended];
  if (name !== value.name) remarks.push(at('name', `name is taken as ${name}: names are lower-case words joined by -`));
  const cut = (key: string, whole: string, charsMax: number): string => {
    const trimmed = whole.trim();
    if (trimmed.length <= charsMax) return trimmed;
    const sizes = `has ${trimmed.length} characters, and ${charsMax} are allowed`;
    remarks.push(at(key, `${key} ${sizes}: lists show its beginning`));
    return trimmed.slice(0, charsMax).toWellFormed();
  };
  const { 'allowed-tools': allowed = '' } = value;
  const [license, compatibility] = [wordsOf(value.license ?? ''), wordsOf(value.compatibility ?? '')];
  const metadata = readMetadata(value.metadata);
  const tools = typeof allowed === 'string' ? splitTools(allowed) : allowed.flatMap(splitTools);
  const front: SkillFront = {
    name,
    description: cut('description', value.description, DESCRIPTION_CHARS_MAX),
    ...(license === '' ? {} : { license }),
    ...(compatibility === '' ? {} : { compatibility: cut('compatibility', compatibility, COMPATIBILITY_CHARS_MAX) }),
    ...(typeof metadata === 'object' ? { metadata } : {}),
    ...(allowed === '' ? {} : { allowedTools: [...tools] }),
  };
  if (typeof metadata === 'string') remarks.push(at('metadata', metadata));
  return { kind: 'front', front, remarks };
};
