/**
 * `export <folder>`: writes memory back as Markdown and Org files. What is there with other content
 * stays, unless `--overwrite`.
 */
import { resolve } from 'node:path';
import type { Command } from '../command.ts';
import { countOf } from '../count-of.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { planExport } from '../notes/plan-export.ts';
import { saveNotes } from '../notes/save-folder.ts';
import type { FindNotesStore } from '../notes-store.ts';
import { printable } from '../printable.ts';

export const buildExport = (findStore: FindNotesStore): Command => ({
  name: 'export',
  usage: '<folder>',
  summary: 'write memory as Markdown and Org files',
  options: { overwrite: { type: 'boolean', help: 'files that are there with other content are replaced' } },
  argCount: [1, 1],
  run: async (context) => {
    const { terminal, folder, args } = context;
    const store = await findStore(context);
    const path = resolve(folder, args[0] ?? '');
    const results = await saveNotes(path, planExport(await store.loadRoots()), context.flag('overwrite')).catch(() => {
      throw new CliError(EXIT.failed, `${printable(path)} cannot be written`);
    });
    const count = (saved: string): number => results.filter((one) => one.saved === saved).length;
    const left = results.filter(({ saved }) => saved === 'differs' || saved === 'refused');
    if (terminal.isJson) terminal.json({ files: results });
    else {
      for (const { file, saved } of left)
        terminal.remark(
          `${printable(file)}: ${saved === 'differs' ? 'is there with other content' : 'cannot be written'}`,
        );
      terminal.line(
        `${countOf(count('written'), 'file')} written, ${count('unchanged')} unchanged, ${left.length} left alone.`,
      );
    }
    return left.length > 0 ? EXIT.failed : EXIT.ok;
  },
});
