/** The stack's memory for a folder that is kept in step, over the console's API. */
import { configGet } from '../../../../lib/core/verbs/settings/operations.ts';
import { diff, notesAsk, snapshots } from '../../../../lib/features/notes/operations.ts';
import { performChange, performLook, type StackAccess } from '../../../cli/client.ts';
import type { CommandContext } from '../../../cli/command.ts';
import { loadMemory, sendTree } from '../../../cli/notes/stack-notes.ts';
import type { Leaving, OpenQuestion, SyncStore } from './round.ts';

/** Questions of one round that a chat hears of; the terminal lists all. */
const QUESTIONS_TOLD_MAX = 5;
const TOLD_CHARS_MAX = 200;

export const openSyncStore = (context: Pick<CommandContext, 'now' | 'sleep'>, access: StackAccess): SyncStore => ({
  load: () => loadMemory(access),
  send: (step, isTrusted) => sendTree(context, access, step, isTrusted),
  leftSince: async (commit) => {
    const to = await loadCommit(access);
    const { differences } = await performLook(access, diff, { from: String(commit), to: String(to) });
    return new Map(
      differences.flatMap(({ id, after }): readonly (readonly [string, Leaving])[] => {
        if (after === null || after.state === 'removed') return [[id, 'removed']];
        return after.state === 'forgotten' ? [[id, 'forgotten']] : [];
      }),
    );
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
