/**
 * A thread that parses one file's content before and after a change, by the kind its name says. A
 * file that did not parse before may be changed: it becomes no worse.
 */

import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod/mini';
import { findCodeProblem } from '../../lib/core/judge/code/find-code-problem.ts';
import { proposedCode } from '../../lib/core/judge/code/proposed-code.ts';
import { FILE_BYTES_MAX } from './check-content.ts';

const Input = z.object({ path: z.string(), content: z.string(), before: z.optional(z.string()) });

const codeProblem = async (path: string, content: string): Promise<string | undefined> => {
  const action = { target: 'tool', args: { path, content }, explanation: '', author: 'model' } as const;
  const code = proposedCode(action, { writesFiles: ['path'] });
  if (code === undefined) return undefined;
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

const { path, content, before } = Input.parse(workerData);
const problem = await problemOf(path, content);
const isNoWorse = problem === undefined || (before !== undefined && (await problemOf(path, before)) !== undefined);
parentPort?.postMessage(isNoWorse ? '' : `the file would not parse: ${problem}`);
