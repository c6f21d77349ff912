/**
 * The runbooks that a skill brings: `passepartout.yaml` lists their files, and each is known by the
 * name that stands in it. Pure.
 */
import type { FileProblem } from '../base/file-problem.ts';
import { parseRunbook } from '../runbooks/parse-runbook.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SkillRunbook } from './skill-definition.ts';
import { EXTENSION_FILE, type SkillText } from './skill-files.ts';

export interface ReadRunbooks {
  readonly runbooks: readonly SkillRunbook[];
  readonly problems: readonly FileProblem[];
}

/** @param lineOf line of the file's name in `passepartout.yaml` */
export const readRunbooks = (
  paths: readonly string[],
  files: readonly SkillText[],
  lineOf: (index: number) => number,
  sandbox?: Sandbox,
): ReadRunbooks => {
  const runbooks: SkillRunbook[] = [];
  const problems: FileProblem[] = [];
  for (const [index, path] of paths.entries()) {
    const tell = (problem: string) => problems.push({ file: EXTENSION_FILE, line: lineOf(index), problem });
    const text = files.find((file) => file.path === path)?.text;
    const parsed = text === undefined ? undefined : parseRunbook(path, text, sandbox);
    if (parsed === undefined) tell(`there is no file ${path}`);
    else if (parsed.kind === 'problems') problems.push(...parsed.problems);
    else {
      const { name, description } = parsed.runbook;
      if (runbooks.some((one) => one.name === name)) tell(`there are two runbooks ${name}`);
      runbooks.push({ name, description, file: path });
    }
  }
  return { runbooks, problems };
};
