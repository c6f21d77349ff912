/**
 * Summaries of conversations as memory objects: one for each conversation, below one fixed root,
 * with a new version each time. Code names the summarised turns and the objects they were shown in
 * its properties. After a summary was forgotten or rolled back, a new object follows.
 */
import { ProtocolError } from '../base/errors.ts';
import type { Origin } from '../signal/signal.ts';
import type { Maker } from './children.ts';
import type { By } from './commit.ts';
import type { ObjectChange } from './commit-writes.ts';
import type { Edit } from './edit.ts';
import { buildObject, type LiveObject, type MemoryObject, memoryIdOf, SESSION_PROPERTY } from './object.ts';
import { sessionOf } from './scope.ts';
import type { Commit, PlanBase } from './write.ts';

/** Objects that a summary names as shown to its turns: as many as a property lists. */
const SUMMARY_SOURCES_MAX = 256;

/** Properties with the sources of a version. */
export const TURNS_PROPERTY = 'turns';
const SHOWN_PROPERTY = 'shown';
const ROOT_TITLE = 'Conversations';

interface NewSummary {
  readonly by: By;
  readonly session: string;
  readonly text: string;
  readonly turns: readonly string[];
  /** Objects those turns were shown, each as `<id> v<n>`. */
  readonly shown: readonly string[];
  readonly origin: Origin;
  readonly previous?: string | undefined;
  /** Epoch milliseconds. A text made from words that were forgotten since would say them again. */
  readonly askedAt: number;
}

/** Gives the object's id. */
export type KeepSummary = (summary: NewSummary) => Promise<string>;

/** The object under which all summaries of a space hang. */
export const summaryRootId = (space: string): string => memoryIdOf(`${space}/session-summaries`);

/** Sources of a version. */
export const summarySources = ({
  attributes: { properties = {} },
}: LiveObject): { readonly turns: readonly string[]; readonly shownIds: readonly string[] } => {
  const list = (name: string): readonly string[] => {
    const value = properties[name];
    return Array.isArray(value) ? value : [];
  };
  return { turns: list(TURNS_PROPERTY), shownIds: list(SHOWN_PROPERTY).map((line) => line.split(' ')[0] ?? '') };
};

/** True for the summary of that conversation. */
export const isSummaryOf = (object: MemoryObject | undefined, session: string): object is LiveObject =>
  object?.state === 'live' && object.type === 'summary' && object.scope === 'session' && sessionOf(object) === session;

const buildEdits = (
  summary: NewSummary,
  rootId: string,
  found: ReadonlyMap<string, MemoryObject>,
  { newNonce }: Maker,
): readonly Edit[] => {
  const { by, session, text, turns, shown, origin, previous } = summary;
  const own = { effectId: by.effectId, signalId: by.signalId, now: by.now };
  const properties = {
    [SESSION_PROPERTY]: session,
    [TURNS_PROPERTY]: [...turns],
    [SHOWN_PROPERTY]: shown.slice(0, SUMMARY_SOURCES_MAX),
  };
  const attributes = { title: `Conversation ${session}`, tags: [], properties };
  const known = previous === undefined ? undefined : found.get(previous);
  if (isSummaryOf(known, session)) return [{ kind: 'update', id: known.id, content: text, attributes, origin }];
  if (known?.state === 'forgotten' && known.tombstone.forgottenAt >= summary.askedAt)
    throw new ProtocolError('the summary it was made from has been forgotten since');
  const root = found.get(rootId);
  const isRootNew = root === undefined || root.state === 'removed';
  const place = isRootNew || root.state === 'live' ? { parentId: rootId } : {};
  const id = memoryIdOf(by.effectId);
  const object = { ...own, id, type: 'summary', scope: 'session', attributes, content: text, origin } as const;
  const rootObject = { ...own, id: rootId, type: 'summary', scope: 'memex', content: '', origin: 'agent' } as const;
  return [
    ...(isRootNew
      ? [
          {
            kind: 'create',
            object: buildObject({ ...rootObject, attributes: { title: ROOT_TITLE, tags: [] }, nonce: newNonce() }),
            place: {},
          } as const,
        ]
      : []),
    { kind: 'create', object: buildObject({ ...object, nonce: newNonce() }), place },
  ];
};

export const buildKeepSummary = (deps: {
  readonly space: string;
  readonly commit: Commit;
  readonly planEdits: (
    base: PlanBase,
    by: By,
    edits: (maker: Maker) => readonly Edit[],
  ) => Promise<readonly ObjectChange[]>;
}): KeepSummary => {
  const rootId = summaryRootId(deps.space);
  return async (summary) => {
    const { by, previous } = summary;
    const ids = [rootId, memoryIdOf(by.effectId), ...(previous === undefined ? [] : [previous])];
    const result = await deps.commit({
      by,
      ids,
      plan: async (base) => {
        const found = await base.read(ids);
        return {
          kind: 'write',
          changes: await deps.planEdits(base, by, (maker) => buildEdits(summary, rootId, found, maker)),
        };
      },
    });
    const changes = result.state === 'unchanged' ? [] : result.record.changes;
    const own = changes.find(({ id }) => id !== rootId && ids.includes(id));
    if (own === undefined) throw new ProtocolError('the summary was not kept');
    return own.id;
  };
};
