import { NotFoundError, ProtocolError } from '../../base/errors.ts';
import { MEMORY_QUERY_CHARS_MAX, MEMORY_RESULTS_MAX } from '../../base/limits.ts';
import { loadHead } from '../../ledger/session-controls.ts';
import { loadLogHead } from '../../log/read-log.ts';
import type { LiveObject, MemoryObject } from '../../memory/object.ts';
import { childrenOf } from '../../memory/outline.ts';
import type { MemoryView } from '../../memory/read.ts';
import { buildInScope } from '../../memory/scope.ts';
import type { LookContext } from '../../operations/operation.ts';
import type { SeenObject } from '../../signal/decision.ts';
import { findObject, visibleIn } from './find-object.ts';
import {
  differenceLine,
  fitLines,
  foundLines,
  objectLines,
  shortId,
  shownTime,
  titleLine,
  versionLine,
} from './memory-lines.ts';

const objectsWord = (count: number): string => `${count} ${count === 1 ? 'object' : 'objects'}`;

/** One chat message, with no more lines than a person reads. */
const MEMORY_CHAT_CHARS_MAX = 3_400;
const MEMORY_CHAT_LINES_MAX = 40;
/** Text shown of each found object. */
const MEMORY_FOUND_CHARS_MAX = 240;

const seenOf = (objects: readonly MemoryObject[]): readonly SeenObject[] =>
  objects.map(({ id, version }) => ({ id, version }));

/** As many as one message shows. */
export const boundedLines = (lines: readonly string[]): readonly string[] =>
  fitLines(lines, MEMORY_CHAT_CHARS_MAX, MEMORY_CHAT_LINES_MAX);

/** An object as a script gets it, without nonce and hashes of the content. */
export const objectData = (object: MemoryObject) => {
  const { id, type, scope, origin, version, state, hash, updatedAt, bySignal } = object;
  const about = { id, type, scope, origin, version, state, hash, updatedAt, bySignal };
  if (object.state !== 'live') return about;
  return { ...about, attributes: object.attributes, content: object.content };
};

export const lookForWords = async (context: LookContext, words: string) => {
  const { table, space, session, asker } = context;
  const query = words.slice(0, MEMORY_QUERY_CHARS_MAX);
  const memory = await context.loadMemory();
  // Over HTTP only what is found everywhere.
  const viewpoint = asker === undefined ? {} : { session, focus: (await loadHead(table, { space, session }))?.focus };
  const inScope = buildInScope((await memory.view()).objects, viewpoint);
  const isHidden = (object: LiveObject): boolean => !inScope(object) || context.isHidden(object);
  const found = await memory.recall({ query, limit: MEMORY_RESULTS_MAX, isHidden });
  const lines = found.flatMap((object) => foundLines(object, MEMORY_FOUND_CHARS_MAX));
  return {
    lines: found.length === 0 ? ['Nothing in memory has any of these words.'] : boundedLines(lines),
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

const outlineLine = ({ object, level }: OutlineEntry): string => `${'  '.repeat(level)}${titleLine(object)}`;

const rootsFirst = (a: LiveObject, b: LiveObject): number => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1);

export const lookAtMemory = async ({ loadMemory, isHidden }: LookContext) => {
  const view = await (await loadMemory()).view();
  const visible = visibleIn(view.objects, isHidden);
  const live = [...visible.values()].filter((object): object is LiveObject => object.state === 'live');
  const entries = outlineOf(view, live.filter(({ parentId }) => parentId === undefined).sort(rootsFirst), visible);
  const shown = entries.slice(0, MEMORY_CHAT_LINES_MAX).map(({ object }) => object);
  const about = `${objectsWord(live.length)}, commit ${view.number}${view.isPartial ? ' (memory is larger than can be shown)' : ''}`;
  return {
    lines: live.length === 0 ? ['Nothing is remembered yet.'] : [about, ...boundedLines(entries.map(outlineLine))],
    seen: seenOf(shown),
    data: { commit: view.number, objects: entries.map(entryData) },
  };
};

export const lookAtNote = async ({ loadMemory, isHidden }: LookContext, id: string) => {
  const view = await (await loadMemory()).view();
  const object = findObject(view.objects, isHidden, id);
  const visible = visibleIn(view.objects, isHidden);
  const below = object.state === 'live' ? outlineOf(view, [object], visible).slice(1) : [];
  return {
    lines: boundedLines([...objectLines(object, MEMORY_CHAT_CHARS_MAX / 2), ...below.map(outlineLine)]),
    seen: seenOf([object, ...below.map((entry) => entry.object)]),
    data: { object: objectData(object), below: below.map(entryData) },
  };
};

export const lookAtSnapshots = async ({ loadMemory }: LookContext) => {
  const reads = await loadMemory();
  const all = [...(await reads.snapshots())].sort((a, b) => b.number - a.number || (a.name < b.name ? -1 : 1));
  const { number } = await reads.head();
  const lines = all.map((one) => `${one.name}  commit ${one.number}  ${shownTime(one.at)} UTC`);
  return {
    lines: [
      ...(lines.length === 0 ? ['There are no snapshots.'] : boundedLines(lines)),
      `Memory is at commit ${number}.`,
    ],
    data: { commit: number, snapshots: all.map(({ name, number: commit, hash, at }) => ({ name, commit, hash, at })) },
  };
};

/** `a b`, or `a .. b` if a name has spaces. */
const parseEnds = (from: string, to = ''): readonly [string, string] => {
  const text = `${from} ${to}`;
  const parts = (text.includes('..') ? text.split('..') : [from, to]).map((part) => part.trim());
  const [a = '', b = ''] = parts;
  if (parts.length !== 2 || a === '' || b === '') throw new ProtocolError('give two snapshots or commit numbers');
  return [a, b];
};

export const lookAtChanges = async (
  { loadMemory, isHidden }: LookContext,
  ends: { readonly from: string; readonly to?: string | undefined },
) => {
  const memory = await loadMemory();
  const [a, b] = parseEnds(ends.from, ends.to);
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
  const head = `From commit ${from} to ${to}: ${objectsWord(found.length)} changed.`;
  return {
    lines: [head, ...boundedLines(found.map(differenceLine))],
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

const logLine = (size: number, checkpointSize: number): string =>
  `evidence log: ${size} leaves, the newest checkpoint signs ${checkpointSize}; the proof: npx passepartout evidence export --out evidence.jsonl`;

export const lookAtVersions = async ({ loadMemory, isHidden, table, space }: LookContext, typed: string) => {
  const memory = await loadMemory();
  const { id } = findObject((await memory.view()).objects, isHidden, typed);
  const found = await memory.audit(id);
  if (found === undefined) throw new NotFoundError(`memory has no object ${shortId(id)}`);
  const about = [
    `${found.id}  ${found.type}, ${found.scope}, ${found.state}`,
    `hash ${found.hash}`,
    ...(found.parentId === undefined ? [] : [`below ${found.parentId}`]),
  ];
  const { size = 0, checkpointSize = 0, lastCommit = 0 } = (await loadLogHead(table, space)) ?? {};
  const versions = found.versions.map((version) => ({ ...version, isLogged: version.commit <= lastCommit }));
  const lines = versions.map((one) => `${versionLine(one)}  ${one.isLogged ? 'in the log' : 'not in the log yet'}`);
  return {
    lines: [...about, ...boundedLines(lines), logLine(size, checkpointSize)],
    data: { ...found, versions, log: { size, checkpointSize, lastCommit } },
  };
};
