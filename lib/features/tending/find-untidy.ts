/**
 * Finds everything in memory that wants tidying: links that lead nowhere, duplicates, notes that
 * stand alone, tasks and projects without movement. Takes the notes that may be shown; memory's
 * summaries are code's own and are left out. Pure.
 */
import { DAY_MS } from '../../core/base/limits.ts';
import type { LiveObject } from '../../core/memory/object.ts';
import { ancestorsOf, childrenOf } from '../../core/memory/outline.ts';
import type { Objects } from '../../core/memory/read.ts';
import type { VectorSegment } from '../../core/memory/search/vector-segment.ts';
import { type Duplicates, findDuplicates, findNearDuplicates, type NearDuplicate } from './find-duplicates.ts';
import { type BrokenLink, findBrokenLinks, hasLinks, isLinked, linkedNames } from './find-links.ts';

export interface Untidy {
  readonly brokenLinks: readonly BrokenLink[];
  readonly duplicates: readonly Duplicates[];
  readonly nearDuplicates: readonly NearDuplicate[];
  /** The note above it was forgotten. */
  readonly orphans: readonly LiveObject[];
  /** Without a tag, a link, a note above or below. */
  readonly alone: readonly LiveObject[];
  readonly staleTasks: readonly LiveObject[];
  readonly stillProjects: readonly LiveObject[];
}

/** A task nobody touched for a month is forgotten, or wants to be dropped. */
const TASK_STALE_MS = 30 * DAY_MS;
/** A project in which nothing moved for three weeks. */
const PROJECT_STILL_MS = 21 * DAY_MS;
/** A note may find its place within a month. */
const ALONE_AFTER_MS = 30 * DAY_MS;
/** Notes that changed since then are compared with all by their vectors. */
const NEAR_SINCE_MS = DAY_MS;

const ENDED: ReadonlySet<string> = new Set(['DONE', 'CANCELLED', 'CANCELED', 'CLOSED']);

const isOpenTask = ({ attributes: { todo } }: LiveObject): boolean =>
  todo !== undefined && todo.trim() !== '' && !ENDED.has(todo.toUpperCase());

const isProject = ({ attributes: { tags, todo = '' } }: LiveObject): boolean =>
  tags.some((tag) => tag.replace(/^:+|:+$/g, '').toLowerCase() === 'project') && !ENDED.has(todo.toUpperCase());

/** When anything of it changed last, epoch milliseconds. */
const lastMove = (objects: Objects, project: LiveObject): number => {
  let last = project.updatedAt;
  let level: readonly LiveObject[] = [project];
  while (level.length > 0) {
    level = level
      .flatMap((object) => childrenOf(objects, object))
      .filter((one): one is LiveObject => one.state === 'live');
    for (const { updatedAt } of level) last = Math.max(last, updatedAt);
  }
  return last;
};

const isOrphan = (objects: Objects, { parentId }: LiveObject): boolean =>
  parentId !== undefined && objects.get(parentId)?.state !== 'live';

const FILE = 'passepartout:file';

/** It came from a file and is mended there, or the next import brings the fault back. */
export const isFromFile = (objects: Objects, object: LiveObject): boolean =>
  [object, ...ancestorsOf(objects, object)].some(
    (one) =>
      one.state === 'live' && (one.attributes.properties?.[FILE] !== undefined || one.attributes.key !== undefined),
  );

const oldestFirst = (notes: readonly LiveObject[]): readonly LiveObject[] =>
  notes.toSorted((a, b) => a.updatedAt - b.updatedAt || (a.id < b.id ? -1 : 1));

/**
 * @param objects all of memory @param shown those that may be shown
 * @param now epoch milliseconds
 */
export const findUntidy = (
  objects: Objects,
  shown: readonly LiveObject[],
  segments: readonly VectorSegment[],
  now: number,
): Untidy => {
  const notes = shown.filter(({ type, scope }) => type !== 'summary' && scope !== 'session');
  const linked = linkedNames(notes);
  const isAlone = (note: LiveObject): boolean =>
    note.parentId === undefined &&
    note.children.length === 0 &&
    note.attributes.tags.length === 0 &&
    note.createdAt < now - ALONE_AFTER_MS &&
    !hasLinks(note) &&
    !isLinked(note, linked);
  return {
    brokenLinks: findBrokenLinks(objects, notes),
    duplicates: findDuplicates(notes),
    nearDuplicates: findNearDuplicates(notes, segments, now - NEAR_SINCE_MS),
    orphans: oldestFirst(notes.filter((note) => isOrphan(objects, note))),
    alone: oldestFirst(notes.filter(isAlone)),
    staleTasks: oldestFirst(notes.filter((note) => isOpenTask(note) && note.updatedAt < now - TASK_STALE_MS)),
    stillProjects: oldestFirst(
      notes.filter((note) => isProject(note) && lastMove(objects, note) < now - PROJECT_STILL_MS),
    ),
  };
};
