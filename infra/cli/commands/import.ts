/**
 * `import <folder>`: takes Markdown and Org files into memory, one tree a file. Bad files are named
 * with their lines and the rest goes in; a run that was cut off goes on where it was; an unchanged
 * folder sends nothing. `--dry-run` needs no stack.
 */
import { resolve } from 'node:path';
import type { Command, CommandContext } from '../command.ts';
import { countOf } from '../count-of.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { findNotes, loadNote } from '../notes/load-folder.ts';
import type { NoteNode, NoteProblem } from '../notes/note.ts';
import { parseNote } from '../notes/parse-note.ts';
import { type Gone, type ImportPlan, planImport, renderProgress } from '../notes/plan-import.ts';
import type { FindNotesStore, NotesStore } from '../notes-store.ts';
import { printable } from '../printable.ts';
import { dataFolderOf, readVariables } from '../stack-address.ts';

/** Titles of notes that are gone which one listing names; the rest are counted. */
const NOTE_GONE_SHOWN_MAX = 20;

interface ReadFolder {
  readonly documents: readonly NoteNode[];
  readonly problems: readonly NoteProblem[];
  /** Files that are there and did not go in. */
  readonly bad: ReadonlySet<string>;
}

/** @throws CliError (exit 2) when the folder cannot be read */
const readFolder = async ({ args, folder, env, terminal }: CommandContext): Promise<ReadFolder> => {
  const path = resolve(folder, args[0] ?? '');
  const notes = await findNotes(path, [dataFolderOf(readVariables(env, folder), folder)]).catch(() => {
    throw new CliError(EXIT.usage, `${printable(path)} is no folder that can be read`);
  });
  const documents: NoteNode[] = [];
  const problems: NoteProblem[] = [...notes.problems];
  const bad = new Set(notes.problems.map(({ file }) => file));
  for (const [n, found] of notes.found.entries()) {
    terminal.progress(`reading  ${renderProgress(n, notes.found.length, printable(found.file))}`);
    const loaded = await loadNote(path, found);
    const parsed =
      'problem' in loaded
        ? { kind: 'bad' as const, problems: [loaded] }
        : parseNote(loaded.text, loaded.file, loaded.format);
    problems.push(...parsed.problems);
    if (parsed.kind === 'bad') bad.add(found.file);
    else documents.push(parsed.node);
  }
  terminal.progress('');
  return { documents, problems, bad };
};

/** @returns files that did not go in, and why. */
const send = async (
  store: NotesStore,
  { steps }: ImportPlan,
  { terminal, flag }: CommandContext,
): Promise<readonly NoteProblem[]> => {
  const refused: NoteProblem[] = [];
  for (const [n, step] of steps.entries()) {
    terminal.progress(`importing  ${renderProgress(n, steps.length, printable(step.file))}`);
    const problem = await store.sendTree(step, flag('trust'));
    if (problem !== undefined) refused.push({ file: step.file, line: 1, problem });
  }
  terminal.progress('');
  return refused;
};

const describeGone = ({ file, titles }: Gone): string => {
  const shown = titles.slice(0, NOTE_GONE_SHOWN_MAX).map((title) => printable(title === '' ? 'Untitled' : title));
  const rest = titles.length - shown.length;
  return `  ${printable(file)}: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
};

const report = ({ terminal, flag }: CommandContext, { problems, bad }: ReadFolder, plan: ImportPlan): void => {
  for (const { file, line, problem } of [...problems, ...plan.problems])
    terminal.remark(`${printable(file)}:${line}: ${printable(problem)}`);
  const notes = plan.steps.reduce((sum, { noteCount }) => sum + noteCount, 0);
  const verb = flag('dry-run') ? 'would go in' : 'went in';
  terminal.line(
    `${countOf(plan.steps.length, 'file')} with ${countOf(notes, 'note')} ${verb}, ${countOf(plan.unchangedCount, 'file')} unchanged, ${bad.size} left out.`,
  );
  if (plan.heldBack.length > 0) {
    terminal.line('Held back, because these notes are gone from their files (--remove takes them out of memory too):');
    for (const one of plan.heldBack) terminal.line(describeGone(one));
  }
  if (plan.leftOut.length > 0) {
    terminal.line(
      'Left out, because notes of these files were forgotten and these may be them (--again takes them in):',
    );
    for (const one of plan.leftOut) terminal.line(describeGone(one));
  }
  if (plan.gone.length > 0) {
    terminal.line('In memory, though their files are gone (nothing was changed):');
    for (const one of plan.gone) terminal.line(describeGone(one));
  }
};

const run = async (context: CommandContext, findStore: FindNotesStore): Promise<ExitCode> => {
  const isDry = context.flag('dry-run');
  const store = isDry ? undefined : await findStore(context);
  const read = await readFolder(context);
  const known = store === undefined ? [] : await store.loadKnown();
  const may = { mayRemove: context.flag('remove'), mayReturn: context.flag('again') };
  const plan = planImport({ documents: read.documents, known, unread: read.bad, ...may });
  const refused = store === undefined ? [] : await send(store, plan, context);
  const out = new Set(refused.map(({ file }) => file));
  const steps = plan.steps.filter(({ file }) => !out.has(file));
  const taken = { ...plan, steps };
  const found = { ...read, problems: [...read.problems, ...refused], bad: new Set([...read.bad, ...out]) };
  if (context.terminal.isJson)
    context.terminal.json({
      sent: steps.map(({ file, noteCount }) => ({ file, noteCount })),
      unchangedCount: plan.unchangedCount,
      problems: [...found.problems, ...plan.problems],
      leftOut: [...found.bad],
      heldBack: plan.heldBack,
      notesLeftOut: plan.leftOut,
      gone: plan.gone,
    });
  else report(context, found, taken);
  return found.bad.size > 0 || plan.heldBack.length > 0 ? EXIT.failed : EXIT.ok;
};

export const buildImport = (findStore: FindNotesStore): Command => ({
  name: 'import',
  usage: '<folder>',
  summary: 'take Markdown and Org files into memory; again for what is new',
  options: {
    trust: { type: 'boolean', help: 'they are your own words; else they count as outside text' },
    remove: { type: 'boolean', help: 'notes that are gone from a file go from memory too' },
    again: { type: 'boolean', help: 'notes memory does not have go in, though others of their file were forgotten' },
    'dry-run': { type: 'boolean', help: 'only say what would go in; needs no stack' },
  },
  argCount: [1, 1],
  run: (context) => run(context, findStore),
});
