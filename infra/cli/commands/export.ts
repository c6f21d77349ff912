/**
 * `export <folder>`: memory as Markdown and Org files. Other content stays unless `--overwrite`.
 */
import { resolve } from 'node:path';
import type { Command, CommandContext } from '../command.ts';
import { saveNotes } from '../notes/folder.ts';
import type { StoredNote } from '../notes/memory-tree.ts';
import { planExport } from '../notes/plan-export.ts';
import { loadRoots } from '../notes/stack-notes.ts';
import { CliError, countOf, EXIT, type ExitCode, printable, show } from '../terminal.ts';

/** @param roots documents of memory, and notes that stand alone */
export const exportNotes = async (context: CommandContext, roots: readonly StoredNote[]): Promise<ExitCode> => {
  const { terminal, folder, args, flag } = context;
  const path = resolve(folder, args[0] ?? '');
  const results = await saveNotes(path, planExport(roots), flag('overwrite')).catch(() => {
    throw new CliError(EXIT.failed, `${printable(path)} cannot be written`);
  });
  const left = results.filter(({ saved }) => saved === 'differs' || saved === 'refused');
  const count = (saved: string): number => results.filter((one) => one.saved === saved).length;
  for (const { file, saved } of terminal.isJson ? [] : left)
    terminal.remark(`${printable(file)}: ${saved === 'differs' ? 'is there with other content' : 'cannot be written'}`);
  show(terminal, { files: results }, [
    `${countOf(count('written'), 'file')} written, ${count('unchanged')} unchanged, ${left.length} left alone.`,
  ]);
  return left.length > 0 ? EXIT.failed : EXIT.ok;
};

export const exportCommand: Command = {
  name: 'export',
  usage: '<folder>',
  summary: 'write memory as Markdown and Org files',
  options: { overwrite: { type: 'boolean', help: 'files that are there with other content are replaced' } },
  argCount: [1, 1],
  run: async (context) => exportNotes(context, await loadRoots(await context.access())),
};
