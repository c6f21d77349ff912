/**
 * A change of one file of an added skill: a piece of text that stands there once is replaced. The
 * result is a whole new version, which must load and pass the skill's own examples. Pure.
 */
import { problemWords } from '../../core/base/file-problem.ts';
import type { Sandbox } from '../../core/sandbox/sandbox.ts';
import { parseSkill, readTargets } from './parse-skill.ts';
import type { SkillFile } from './skill-change.ts';
import type { SkillDefinition } from './skill-definition.ts';
import { describeExamples, runExamples } from './skill-examples.ts';
import { describeFile, type SkillText, versionOf } from './skill-files.ts';

export { parseSkill, readTargets };

export interface SkillEdit {
  readonly skill: string;
  readonly file: string;
  /** Stands in the file once. */
  readonly replace: string;
  readonly with: string;
}

interface EditedSkill {
  readonly kind: 'edited';
  readonly files: readonly SkillText[];
  /** Its version. */
  readonly hash: string;
}

interface Fault {
  readonly kind: 'problem';
  readonly problem: string;
}

type AppliedEdit = EditedSkill | Fault;
/** `examples`: how its examples came out. */
type DraftedEdit = (EditedSkill & { readonly examples: string; readonly definition: SkillDefinition }) | Fault;

const fault = (problem: string): Fault => ({ kind: 'problem', problem });

/**
 * The files after the change, without a look at what they say.
 * @param machineFiles those without a text, which stay as they are
 */
export const applyEdit = (
  files: readonly SkillText[],
  edit: SkillEdit,
  machineFiles: readonly SkillFile[] = [],
): AppliedEdit => {
  const before = files.find(({ path }) => path === edit.file)?.text;
  if (before === undefined)
    return fault(`the skill has no such file; it has ${files.map(({ path }) => path).join(', ')}`);
  const at = before.indexOf(edit.replace);
  if (at < 0) return fault(`the text to replace does not stand in ${edit.file}`);
  if (before.includes(edit.replace, at + 1))
    return fault(`the text to replace stands in ${edit.file} more than once: give more of the text around it`);
  if (edit.replace === edit.with) return fault('it changes nothing');
  const text = before.slice(0, at) + edit.with + before.slice(at + edit.replace.length);
  const edited = files.map((one) => (one.path === edit.file ? { path: one.path, text } : one));
  return { kind: 'edited', files: edited, hash: versionOf([...edited.map(describeFile), ...machineFiles]) };
};

/** The change as a draft: it must load, and pass the skill's own examples. */
export const draftEdit = (
  files: readonly SkillText[],
  edit: SkillEdit,
  sandbox: Sandbox,
  machineFiles: readonly SkillFile[] = [],
): DraftedEdit => {
  const applied = applyEdit(files, edit, machineFiles);
  if (applied.kind === 'problem') return applied;
  const parsed = parseSkill(applied.files, sandbox, machineFiles);
  if (parsed.kind === 'problems')
    return fault(`the new version does not load: ${parsed.problems.map(problemWords).join('; ')}`);
  if (parsed.definition.name !== edit.skill) return fault('a change cannot give the skill another name');
  const results = runExamples(sandbox, parsed.definition, applied.files);
  const examples = describeExamples(results);
  const isBad = results.some(({ problem }) => problem !== undefined);
  return isBad
    ? fault(`the new version fails its own examples: ${examples}`)
    : { ...applied, examples, definition: parsed.definition };
};

const CONTEXT_LINES = 2;

/** The lines that go and those that come, with the lines around them, each with its number. */
export const diffLines = (before: string, after: string): readonly string[] => {
  const old = before.split('\n');
  const fresh = after.split('\n');
  let same = 0;
  while (same < old.length && same < fresh.length && old[same] === fresh[same]) same += 1;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - same && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  const numbered = (lines: readonly string[], from: number, to: number, sign: string): readonly string[] =>
    lines.slice(from, to).map((line, index) => `${sign} ${String(from + index + 1).padStart(4)} | ${line}`);
  return [
    ...numbered(old, Math.max(0, same - CONTEXT_LINES), same, ' '),
    ...numbered(old, same, old.length - end, '-'),
    ...numbered(fresh, same, fresh.length - end, '+'),
    ...numbered(fresh, fresh.length - end, Math.min(fresh.length, fresh.length - end + CONTEXT_LINES), ' '),
  ];
};
