/**
 * `import <folder>`: Markdown and Org files, one tree a file. A bad file is named and the rest goes
 * in; a run that was cut off goes on where it ended; an unchanged folder sends nothing.
 */
import { resolve } from 'node:path';
import type { Command, CommandContext } from '../command.ts';
import { findNotes, loadNote } from '../notes/folder.ts';
import type { NoteNode, NoteProblem } from '../notes/note.ts';
import { parseNote } from '../notes/parse-note.ts';
import { type Gone, type ImportPlan, planImport } from '../notes/plan-import.ts';
import { type NotesStore, openStackNotes } from '../notes/stack-notes.ts';
import { findDataFolder, readVariables } from '../stack.ts';
import { CliError, countOf, EXIT, type ExitCode, printable } from '../terminal.ts';

/** Titles that one listing names; it counts the others. */
const NOTE_GONE_SHOWN_MAX = 20;

interface ReadFolder {
  readonly documents: readonly NoteNode[];
  readonly problems: readonly NoteProblem[];
  /** Files that did not go in. */
  readonly bad: ReadonlySet<string>;
}

export const renderProgress = (done: number, total: number, file: string): string =>
  `${total === 0 ? 100 : Math.floor((100 * done) / total)} %  ${done} of ${total}  ${printable(file)}`;

/** @throws CliError (exit 2) if the folder cannot be read */
const readFolder = async ({ args, folder, env, terminal }: CommandContext): Promise<ReadFolder> => {
  const path = resolve(folder, args[0] ?? '');
  const dataFolder = findDataFolder(readVariables(env, folder), folder);
  const { found, problems: unread } = await findNotes(path, [dataFolder]).catch(() => {
    throw new CliError(EXIT.usage, `${printable(path)} is no folder that can be read`);
  });
  const documents: NoteNode[] = [];
  const problems: NoteProblem[] = [...unread];
  const bad = new Set(unread.map(({ file }) => file));
  for (const [n, one] of found.entries()) {
    terminal.progress(`reading  ${renderProgress(n, found.length, one.file)}`);
    const loaded = await loadNote(path, one);
    const parsed =
      'problem' in loaded
        ? { kind: 'bad' as const, problems: [loaded] }
        : parseNote(loaded.text, loaded.file, loaded.format);
    problems.push(...('problem' in loaded ? [] : loaded.remarks), ...parsed.problems);
    if (parsed.kind === 'bad') bad.add(one.file);
    else documents.push(parsed.node);
  }
  terminal.progress('');
  return { documents, problems, bad };
};

/** @returns files that were refused, and why */
const sendTrees = async (
  store: NotesStore,
  { steps }: ImportPlan,
  { terminal, flag }: CommandContext,
): Promise<readonly NoteProblem[]> => {
  const refused: NoteProblem[] = [];
  for (const [n, step] of steps.entries()) {
    terminal.progress(`importing  ${renderProgress(n, steps.length, step.file)}`);
    const problem = await store.sendTree(step, flag('trust'));
    if (problem !== undefined) refused.push({ file: step.file, line: 1, problem });
  }
  terminal.progress('');
  return refused;
};

const goneLines = (heading: string, gone: readonly Gone[]): readonly string[] =>
  gone.length === 0
    ? []
    : [
        heading,
        ...gone.map(({ file, titles }) => {
          const shown = titles
            .slice(0, NOTE_GONE_SHOWN_MAX)
            .map((title) => printable(title === '' ? 'Untitled' : title));
          const rest = titles.length - shown.length;
          return `  ${printable(file)}: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
        }),
      ];

const report = ({ terminal, flag }: CommandContext, { problems, bad }: ReadFolder, plan: ImportPlan): void => {
  for (const { file, line, problem } of problems) terminal.remark(`${printable(file)}:${line}: ${printable(problem)}`);
  const notes = plan.steps.reduce((sum, { noteCount }) => sum + noteCount, 0);
  const verb = flag('dry-run') ? 'would go in' : 'went in';
  const lines = [
    `${countOf(plan.steps.length, 'file')} with ${countOf(notes, 'note')} ${verb}, ${countOf(plan.unchangedCount, 'file')} unchanged, ${bad.size} left out.`,
    ...goneLines(
      'Held back, because these notes are gone from their files (--remove takes them out of memory too):',
      plan.heldBack,
    ),
    ...goneLines(
      'Left out, because notes of these files were forgotten and these may be them (--again takes them in):',
      plan.leftOut,
    ),
    ...goneLines(
      'In memory, though their files are gone (nothing was changed; npx passepartout forget <id> erases one):',
      plan.gone,
    ),
  ];
  for (const line of lines) terminal.line(line);
};

/** @param store of the stack; absent for a dry run */
export const importNotes = async (context: CommandContext, store: NotesStore | undefined): Promise<ExitCode> => {
  const { terminal, flag } = context;
  const read = await readFolder(context);
  const known = store === undefined ? [] : await store.loadKnown();
  const may = { mayRemove: flag('remove'), mayReturn: flag('again') };
  const plan = planImport({ documents: read.documents, known, unread: read.bad, ...may });
  const refused = store === undefined ? [] : await sendTrees(store, plan, context);
  const bad = new Set([...read.bad, ...refused.map(({ file }) => file)]);
  const steps = plan.steps.filter(({ file }) => !refused.some((one) => one.file === file));
  const problems = [...read.problems, ...refused, ...plan.problems];
  if (terminal.isJson)
    terminal.json({
      sent: steps.map(({ file, noteCount }) => ({ file, noteCount })),
      unchangedCount: plan.unchangedCount,
      problems,
      leftOut: [...bad],
      heldBack: plan.heldBack,
      notesLeftOut: plan.leftOut,
      gone: plan.gone,
    });
  else report(context, { ...read, problems, bad }, { ...plan, steps });
  return bad.size > 0 || plan.heldBack.length > 0 ? EXIT.failed : EXIT.ok;
};

export const importCommand: Command = {
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
  run: async (context) =>
    importNotes(context, context.flag('dry-run') ? undefined : openStackNotes(context, await context.access())),
};
