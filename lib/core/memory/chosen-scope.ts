/** The scope of what a conversation keeps next, as its head holds it (`/scope`). Pure. */
import type { MemoryScope } from './object-parts.ts';

/** Scope of the notes that a conversation keeps next; absent for `memex`. */
export type ChosenScope =
  | { readonly scope: 'session' }
  | {
      readonly scope: 'project';
      /** New notes hang below it. */
      readonly project: string;
    };

/** @param head of the conversation */
export const chosenScopeOf = (
  head: { readonly scope?: MemoryScope | undefined; readonly scopeProject?: string | undefined } | undefined,
): ChosenScope | undefined => {
  if (head?.scope === 'session') return { scope: 'session' };
  const project = head?.scopeProject;
  return head?.scope === 'project' && project !== undefined ? { scope: 'project', project } : undefined;
};
