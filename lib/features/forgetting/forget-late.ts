/**
 * Erases a turn that a forgetting overtook: the turn had a note in its prompt, or a tool showed it
 * one, and its words were stored after the forgetting had looked for them. Act finds this out when
 * it takes the decision, from memory's commits since then, and after a tool has shown objects. Uses
 * the tool that forgets, as if a person had named the turn, so that another tombstone covers it.
 * Repeating it changes nothing. @throws UnavailableError (retryable).
 */
import type { MemoryStore } from '../../core/memory/memory.ts';
import type { ActWork, ShownToTurn } from '../../core/operations/act-feature.ts';
import { rootOf } from '../../core/signal/ids.ts';
import type { Signal } from '../../core/signal/signal.ts';
import { shownInResults } from '../../core/tools/show-objects.ts';
import { forget } from './tools.ts';

/** Commits that are looked through; if there are more, the view of all memory is read instead. */
const LATE_COMMITS_MAX = 50;

const findForgotten = async (memory: MemoryStore, ids: readonly string[], since: number | undefined) => {
  const commits = since === undefined ? [] : await memory.commitsAfter(since, LATE_COMMITS_MAX);
  if (since === undefined || commits.length === LATE_COMMITS_MAX) {
    const { objects } = await memory.view();
    return ids.filter((id) => objects.get(id)?.state === 'forgotten');
  }
  const changes = commits.flatMap((commit) => (commit.kind === 'forget' ? commit.changes : []));
  const forgotten = new Set(changes.filter(({ oldHash, newHash }) => newHash === oldHash).map(({ id }) => id));
  return ids.filter((id) => forgotten.has(id));
};

export const forgetLate = async (
  { memory, records, powers, newId, now }: ActWork,
  signal: Signal,
  { seen = [], since, results = [] }: ShownToTurn,
): Promise<boolean> => {
  const ids = new Set([...seen, ...shownInResults(results)].map(({ id }) => id));
  if (ids.size === 0) return false;
  const forgotten = await findForgotten(memory, [...ids], since);
  for (const id of forgotten) {
    const by = { signalId: `late-${signal.id}`, effectId: `late-${signal.id}/${id}`, actor: 'system', now: now() };
    const context = { ...by, memory, records, powers, zone: 'UTC', origin: 'owner', newNonce: newId } as const;
    await forget.run({ id, signals: [rootOf(signal.id)] }, context);
  }
  return forgotten.length > 0;
};
