/**
 * Whether a file's new content parses, by the kind its name says: JSON, YAML, JavaScript,
 * TypeScript and Cedar by the parsers of code, Org and Markdown by those of notes. A file that did
 * not parse before may be changed: it becomes no worse.
 */
import { proposedCode } from '../../lib/judge/code/proposed-code.ts';

/** Larger files are not edited: they are data. */
export const FILE_BYTES_MAX = 4 * 1024 * 1024;

const codeProblem = async (path: string, content: string): Promise<string | undefined> => {
  const action = { target: 'tool', args: { path, content }, explanation: '', author: 'model' } as const;
  const code = proposedCode(action, { writesFiles: ['path'] });
  if (code === undefined) return undefined;
  const { findCodeProblem } = await import('../../lib/judge/code/find-code-problem.ts');
  const found = await findCodeProblem(code, FILE_BYTES_MAX);
  return found && `line ${found.line}: ${found.problem} (${found.language})`;
};

const noteProblem = async (path: string, content: string): Promise<string | undefined> => {
  const [, extension] = /\.(org|md|markdown)$/i.exec(path) ?? [];
  if (extension === undefined) return undefined;
  const { parseNote } = await import('../cli/notes/parse-note.ts');
  const parsed = parseNote(content, path, extension.toLowerCase() === 'org' ? 'org' : 'markdown');
  const [first] = parsed.kind === 'bad' ? parsed.problems : [];
  return first && `line ${first.line}: ${first.problem}`;
};

const problemOf = async (path: string, content: string): Promise<string | undefined> =>
  (await codeProblem(path, content)) ?? (await noteProblem(path, content));

/** @param before the content now; undefined if there is no file */
export const checkContent = async (path: string, content: string, before: string | undefined) => {
  const problem = await problemOf(path, content);
  if (problem === undefined || (before !== undefined && (await problemOf(path, before)) !== undefined))
    return undefined;
  return `the file would not parse: ${problem}`;
};
