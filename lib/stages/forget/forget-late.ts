/**
 * A forgetting that overtook a turn: the turn had a note in its prompt, or a tool showed it one, and what it said was stored after
 * that had been looked for. Act finds out when it takes the decision, by the commit memory stood at then and now, and when a
 * tool has shown objects; what the turn said is erased by the tool that forgets, as if a person had named it, and another
 * tombstone covers it. Repeating it changes nothing.
 * @throws UnavailableError (retryable).
 */
import type { MemoryStore } from '../../memory/memory.ts';
import type { Decision } from '../../signal/decision.ts';
import { rootOf } from '../../signal/ids.ts';
import type { Signal } from '../../signal/signal.ts';
import { forget } from '../../tools/forget.ts';
import { shownInResults } from '../../tools/show-objects.ts';
import type { ToolRecords } from '../../tools/tool.ts';

/** Commits looked through for what was forgotten while a turn ran; where there were more, all of memory is. */
const LATE_COMMITS_MAX = 50;

export interface ForgetLateDeps {
  readonly memory: MemoryStore;
  readonly records: ToolRecords;
  readonly newId: () => string;
  readonly now: () => number;
}

/** What a turn was shown: by its prompt, and by outputs of tools. */
export interface ShownTo {
  readonly seen?: Decision['seen'];
  /** Commit its prompt was made at. */
  readonly since?: number;
  readonly results?: Parameters<typeof shownInResults>[0];
}

/** @returns whether some of it is forgotten by now, and with it what the turn says */
export type ForgetLate = (signal: Signal, shown: ShownTo) => Promise<boolean>;

/** Of those, the forgotten ones; by the commits since where it is known since when, which costs less than a view of all. */
const forgottenOf = async (memory: MemoryStore, ids: readonly string[], since: number | undefined) => {
  const commits = since === undefined ? [] : await memory.commitsAfter(since, LATE_COMMITS_MAX);
  if (since === undefined || commits.length === LATE_COMMITS_MAX) {
    const { objects } = await memory.view();
    return ids.filter((id) => objects.get(id)?.state === 'forgotten');
  }
  const changes = commits.flatMap((commit) => (commit.kind === 'forget' ? commit.changes : []));
  const gone = new Set(changes.filter(({ oldHash, newHash }) => newHash === oldHash).map(({ id }) => id));
  return ids.filter((id) => gone.has(id));
};

export const buildForgetLate =
  ({ memory, records, newId, now }: ForgetLateDeps): ForgetLate =>
  async (signal, { seen = [], since, results = [] }) => {
    const ids = new Set([...seen, ...shownInResults(results)].map((one) => one.id));
    if (ids.size === 0) return false;
    const gone = await forgottenOf(memory, [...ids], since);
    for (const id of gone) {
      const by = { signalId: `late-${signal.id}`, effectId: `late-${signal.id}/${id}`, actor: 'system', now: now() };
      const context = { ...by, memory, ...records, zone: 'UTC', origin: 'owner', newNonce: newId } as const;
      await forget.run({ id, signals: [rootOf(signal.id)] }, context);
    }
    return gone.length > 0;
  };
