/** Reads the file of a runbook, and checks all that can be checked without a stack. */
import { basename } from 'node:path';
import type { FileProblem } from '../../../lib/core/base/file-problem.ts';
import { loadSandbox } from '../../../lib/core/sandbox/sandbox.ts';
import { type ParsedRunbook, parseRunbook } from '../../../lib/features/runbooks/parse-runbook.ts';
import type { Runbook } from '../../../lib/features/runbooks/runbook.ts';
import { RUNBOOK_CHARS_MAX } from '../../../lib/features/runbooks/runbook-file.ts';
import { runbookToolProblems } from '../../../lib/features/runbooks/runbook-tools.ts';
import { EXTENSION_FILE, SKILL_FILE, type SkillText } from '../../../lib/features/skills/skill-files.ts';
import { readText } from '../../cli/terminal.ts';

/** Name of a runbook in the skill that `runbook add` makes of it. */
const FILE_IN_SKILL = 'runbook.yaml';

export type ReadRunbook =
  | { readonly kind: 'runbook'; readonly runbook: Runbook; readonly text: string }
  | { readonly kind: 'problems'; readonly problems: readonly FileProblem[] };

/** A word with a slash or an ending names a file; else it is the name of a runbook. */
export const isFile = (word: string): boolean => /[/\\]|\.ya?ml$/i.test(word);

/** @throws CliError (exit 2) if the file cannot be read */
export const readRunbookFile = async (folder: string, given: string): Promise<ReadRunbook> => {
  const text = readText(folder, given);
  const file = basename(given);
  // A far too long text is not shown whole to the parser.
  const parsed: ParsedRunbook = parseRunbook(file, text.slice(0, RUNBOOK_CHARS_MAX + 1), await loadSandbox());
  if (parsed.kind === 'problems') return parsed;
  const unknown = runbookToolProblems(parsed.runbook).map((problem) => ({ file, problem }));
  return unknown.length > 0 ? { kind: 'problems', problems: unknown } : { ...parsed, text };
};

/** Files of a skill that brings this runbook and nothing else. */
export const skillOfRunbook = ({ name, description }: Runbook, text: string): readonly SkillText[] => [
  {
    path: SKILL_FILE,
    text: `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\nStart this runbook with \`/runbook run ${name}\`.\n`,
  },
  { path: EXTENSION_FILE, text: `runbooks: [${FILE_IN_SKILL}]\n` },
  { path: FILE_IN_SKILL, text },
];
