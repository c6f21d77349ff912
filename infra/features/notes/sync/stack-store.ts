/** The stack's memory for a folder that is kept in step, over the console's API. */
import { configGet } from '../../../../lib/core/verbs/settings/operations.ts';
import { audit, diff, notesAsk, snapshots } from '../../../../lib/features/notes/operations.ts';
import { performChange, performLook, type StackAccess } from '../../../cli/client.ts';
import type { CommandContext } from '../../../cli/command.ts';
import { loadMemory, sendTree } from '../../../cli/notes/stack-notes.ts';
import { CliError } from '../../../cli/terminal.ts';
import type { Leaving, OpenQuestion, SyncStore } from './round.ts';

/** Questions of one round that a chat hears of; the terminal lists all. */
const QUESTIONS_TOLD_MAX = 5;
const TOLD_CHARS_MAX = 200;
/** Notes whose end is looked up in one round: each is a request. */
const MISSING_ASKED_MAX = 100;

export const openSyncStore = (context: Pick<CommandContext, 'now' | 'sleep'>, access: StackAccess): SyncStore => ({
  load: () => loadMemory(access),
  send: (step, isTrusted) => sendTree(context, access, step, isTrusted),
  leftSince: async (commit, ids) => {
    const to = await loadCommit(access);
    const { differences } = await performLook(access, diff, { from: String(Math.min(commit, to)), to: String(to) });
    const gone = new Set(
      differences.flatMap(({ id, after }) => (after === null || after.state === 'removed' ? [id] : [])),
    );
    const left = new Map<string, Leaving>();
    // A forgotten note is in no difference: its erasure holds for all times.
    let asked = 0;
    for (const id of ids) {
      if (gone.has(id)) left.set(id, 'removed');
      else if (asked < MISSING_ASKED_MAX) {
        asked += 1;
        const found = await performLook(access, audit, { id }).catch((error: unknown) => {
          if (error instanceof CliError) return undefined;
          throw error;
        });
        if (found?.state === 'forgotten') left.set(id, 'forgotten');
      }
    }
    return left;
  },
  privateTags: async () => {
    const { settings } = await performLook(access, configGet, { name: 'PRIVACY_FILTER_TAGS' });
    return (settings[0]?.value ?? '').split(',').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()]));
  },
});

/** Number of memory's newest commit. */
export const loadCommit = async (access: StackAccess): Promise<number> =>
  (await performLook(access, snapshots, {})).commit;

/** Says new questions in the home chat. */
export const tellQuestions = async (access: StackAccess, open: readonly OpenQuestion[]): Promise<void> => {
  for (const { kind: why, file, title, code, object } of open
    .filter(({ isNew }) => isNew)
    .slice(0, QUESTIONS_TOLD_MAX)) {
    const cut = (text: string): string => text.slice(0, TOLD_CHARS_MAX).toWellFormed();
    const note = object === undefined ? {} : { note: object };
    await performChange(access, notesAsk, { why, file: cut(file), title: cut(title), code, ...note }, 'memory');
  }
};
