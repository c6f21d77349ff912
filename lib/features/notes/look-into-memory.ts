import { NotFoundError, ProtocolError } from '../../core/base/errors.ts';
import { MEMORY_QUERY_CHARS_MAX, MEMORY_RESULTS_MAX } from '../../core/base/limits.ts';
import { isoMinute } from '../../core/base/utc-minute.ts';
import { loadHead } from '../../core/ledger/session-controls.ts';
import { loadLogHead } from '../../core/log/read-log.ts';
import type { LiveObject, MemoryObject } from '../../core/memory/object.ts';
import { childrenOf } from '../../core/memory/outline.ts';
import type { MemoryView } from '../../core/memory/read.ts';
import { buildInScope } from '../../core/memory/scope.ts';
import type { LookContext } from '../../core/operations/operation.ts';
import type { SeenObject } from '../../core/signal/decision.ts';
import { findObject, visibleIn } from './find-object.ts';
import { differenceLine, fitLines, foundLines, objectLines, shortId, titleLine, versionLine } from './memory-lines.ts';
import { type NoteTexts, noteTexts } from './texts.ts';

/** One chat message, with no more lines than a person reads. */
const MEMORY_CHAT_CHARS_MAX = 3_400;
const MEMORY_CHAT_LINES_MAX = 40;
/** Text shown of each found object. */
const MEMORY_FOUND_CHARS_MAX = 240;

const seenOf = (objects: readonly MemoryObject[]): readonly SeenObject[] =>
  objects.map(({ id, version }) => ({ id, version }));

/** As many as one message shows. */
export const boundedLines = (lines: readonly string[], say: NoteTexts): readonly string[] =>
  fitLines(lines, MEMORY_CHAT_CHARS_MAX, MEMORY_CHAT_LINES_MAX, say);

/** An object as a script gets it, without nonce and hashes of the content. */
export const objectData = (object: MemoryObject) => {
  const { id, type, scope, origin, version, state, hash, updatedAt, bySignal } = object;
  const about = { id, type, scope, origin, version, state, hash, updatedAt, bySignal };
  if (object.state !== 'live') return about;
  return { ...about, attributes: object.attributes, content: object.content };
};

export const lookForWords = async (context: LookContext, words: string) => {
  const { table, space, session, asker } = context;
  const say = await noteTexts.in(context.language);
  const query = words.slice(0, MEMORY_QUERY_CHARS_MAX);
  const memory = await context.loadMemory();
  // Over HTTP only what is found everywhere.
  const viewpoint = asker === undefined ? {} : { session, focus: (await loadHead(table, { space, session }))?.focus };
  const inScope = buildInScope((await memory.view()).objects, viewpoint);
  const isHidden = (object: LiveObject): boolean => !inScope(object) || context.isHidden(object);
  const found = await memory.recall({ query, limit: MEMORY_RESULTS_MAX, isHidden });
  const lines = found.flatMap((object) => foundLines(object, MEMORY_FOUND_CHARS_MAX, say));
  return {
    lines: found.length === 0 ? [say.nothingFound] : boundedLines(lines, say),
    seen: seenOf(found),
    data: { objects: found.map(objectData) },
  };
};

const LEVELS_SHOWN = 3;

interface OutlineEntry {
  readonly object: LiveObject;
  readonly level: number;
}

const outlineOf = (view: MemoryView, roots: readonly LiveObject[], visible: ReadonlyMap<string, MemoryObject>) => {
  const entries: OutlineEntry[] = [];
  const walk = (object: LiveObject, level: number): void => {
    entries.push({ object, level });
    if (level + 1 >= LEVELS_SHOWN) return;
    for (const child of childrenOf(view.objects, object))
      if (child.state === 'live' && visible.has(child.id)) walk(child, level + 1);
  };
  for (const root of roots) walk(root, 0);
  return entries;
};

const entryData = ({ object, level }: OutlineEntry) => ({ level, ...objectData(object) });

const outlineLines = (entries: readonly OutlineEntry[], say: NoteTexts): readonly string[] =>
  entries.map(({ object, level }) => `${'  '.repeat(level)}${titleLine(object, say)}`);

const rootsFirst = (a: LiveObject, b: LiveObject): number => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1);

export const lookAtMemory = async ({ loadMemory, isHidden, language }: LookContext) => {
  const say = await noteTexts.in(language);
  const view = await (await loadMemory()).view();
  const visible = visibleIn(view.objects, isHidden);
  const live = [...visible.values()].filter((object): object is LiveObject => object.state === 'live');
  const entries = outlineOf(view, live.filter(({ parentId }) => parentId === undefined).sort(rootsFirst), visible);
  const shown = entries.slice(0, MEMORY_CHAT_LINES_MAX).map(({ object }) => object);
  const about = say.objects(live.length, view.number, view.isPartial);
  return {
    lines: live.length === 0 ? [say.empty] : [about, ...boundedLines(outlineLines(entries, say), say)],
    seen: seenOf(shown),
    data: { commit: view.number, objects: entries.map(entryData) },
  };
};

export const lookAtNote = async ({ loadMemory, isHidden, language }: LookContext, id: string) => {
  const say = await noteTexts.in(language);
  const view = await (await loadMemory()).view();
  const object = findObject(view.objects, isHidden, id, say);
  const visible = visibleIn(view.objects, isHidden);
  const below = object.state === 'live' ? outlineOf(view, [object], visible).slice(1) : [];
  return {
    lines: boundedLines([...objectLines(object, MEMORY_CHAT_CHARS_MAX / 2, say), ...outlineLines(below, say)], say),
    seen: seenOf([object, ...below.map((entry) => entry.object)]),
    data: { object: objectData(object), below: below.map(entryData) },
  };
};

export const lookAtSnapshots = async ({ loadMemory, language }: LookContext) => {
  const say = await noteTexts.in(language);
  const reads = await loadMemory();
  const all = [...(await reads.snapshots())].sort((a, b) => b.number - a.number || (a.name < b.name ? -1 : 1));
  const { number } = await reads.head();
  const lines = all.map((one) => say.snapshot(one.name, one.number, isoMinute(one.at)));
  return {
    lines: [...(lines.length === 0 ? [say.noSnapshots] : boundedLines(lines, say)), say.atCommit(number)],
    data: { commit: number, snapshots: all.map(({ name, number: commit, hash, at }) => ({ name, commit, hash, at })) },
  };
};

/** `a b`, or `a .. b` if a name has spaces. */
const parseEnds = (from: string, to: string, say: NoteTexts): readonly [string, string] => {
  const text = `${from} ${to}`;
  const parts = (text.includes('..') ? text.split('..') : [from, to]).map((part) => part.trim());
  const [a = '', b = ''] = parts;
  if (parts.length !== 2 || a === '' || b === '') throw new ProtocolError(say.twoEnds);
  return [a, b];
};

export const lookAtChanges = async (
  { loadMemory, isHidden, language }: LookContext,
  ends: { readonly from: string; readonly to?: string | undefined },
) => {
  const say = await noteTexts.in(language);
  const memory = await loadMemory();
  const [a, b] = parseEnds(ends.from, ends.to ?? '', say);
  const from = await memory.resolve(a);
  const to = await memory.resolve(b);
  const visible = visibleIn((await memory.view()).objects, isHidden);
  const isShown = ({
    id,
    before,
    after,
  }: {
    id: string;
    before?: MemoryObject | undefined;
    after?: MemoryObject | undefined;
  }) => visible.has(id) || [before, after].every((one) => one?.state !== 'live' || !isHidden(one));
  const found = (await memory.diff(from, to)).filter(isShown);
  const head = say.changed(from, to, found.length);
  return {
    lines: [
      head,
      ...boundedLines(
        found.map((one) => differenceLine(one, say)),
        say,
      ),
    ],
    seen: seenOf(found.flatMap(({ before, after }) => [before, after].filter((one) => one !== undefined))),
    data: {
      from,
      to,
      differences: found.map(({ id, before, after }) => ({
        id,
        before: before === undefined ? null : objectData(before),
        after: after === undefined ? null : objectData(after),
      })),
    },
  };
};

/** The whole id of a note that a rollback, a file or a mend took away, and that may be shown. */
const findRemoved = async ({ loadMemory, isHidden }: LookContext, typed: string): Promise<string | undefined> => {
  const memory = await loadMemory();
  const id = typed.toLowerCase();
  const found = /^[0-9a-f]{32}$/.test(id) ? await memory.audit(id) : undefined;
  const commit = found?.versions.at(-1)?.commit;
  if (found?.state !== 'removed' || commit === undefined) return undefined;
  const { before } = (await memory.diff(commit - 1, commit)).find((one) => one.id === id) ?? {};
  return before?.state === 'live' && !isHidden(before) ? id : undefined;
};

export const lookAtVersions = async (context: LookContext, typed: string) => {
  const { loadMemory, isHidden, table, space } = context;
  const say = await noteTexts.in(context.language);
  const memory = await loadMemory();
  const { objects } = await memory.view();
  const id = (await findRemoved(context, typed)) ?? findObject(objects, isHidden, typed, say).id;
  const found = await memory.audit(id);
  if (found === undefined) throw new NotFoundError(say.noObject(shortId(id)));
  const about = [
    `${found.id}  ${say.type(found.type)}, ${say.scope(found.scope)}, ${say.state(found.state)}`,
    say.hash(found.hash),
    ...(found.parentId === undefined ? [] : [say.below(found.parentId)]),
  ];
  const { size = 0, checkpointSize = 0, lastCommit = 0 } = (await loadLogHead(table, space)) ?? {};
  const versions = found.versions.map((version) => ({ ...version, isLogged: version.commit <= lastCommit }));
  const lines = versions.map((one) => `${versionLine(one, say)}  ${say.isLogged(one.isLogged)}`);
  return {
    lines: [...about, ...boundedLines(lines, say), say.log(size, checkpointSize)],
    data: { ...found, versions, log: { size, checkpointSize, lastCommit } },
  };
};
