/**
 * A note and all below it in reading order, and what becomes of it: another order under new
 * headings, a summary more, links more. Nothing is dropped and no text changed: an order names ids
 * alone. A fault is a sentence for whoever proposed it. Pure.
 */
import { defined } from '../../core/base/defined.ts';
import { MEMORY_ID_SHOWN_CHARS } from '../../core/base/limits.ts';
import { makeVisible } from '../../core/base/make-visible.ts';
import type { Maker } from '../../core/memory/children.ts';
import type { Edit } from '../../core/memory/edit.ts';
import { MEMORY_LINKS_MAX } from '../../core/memory/limits.ts';
import { NOTES_PROPERTY } from '../../core/memory/made-notes.ts';
import { buildObject, type LiveObject, SESSION_PROPERTY } from '../../core/memory/object.ts';
import { childrenOf } from '../../core/memory/outline.ts';
import type { Objects } from '../../core/memory/read.ts';
import { titleOf } from '../../core/memory/rollback.ts';
import { joinOrigins, type Origin } from '../../core/signal/signal.ts';
import { defang } from '../../core/text/tappable.ts';
import type { ArrangeArgs, Entry } from './arrange-args.ts';

export interface Line {
  readonly object: LiveObject;
  /** 1 directly below the note. */
  readonly level: number;
  readonly parentId: string;
}

/** The shown notes below one, without those that are hidden and all below these. */
export const linesBelow = (
  objects: Objects,
  node: LiveObject,
  isHidden: (object: LiveObject) => boolean,
  level = 1,
): readonly Line[] =>
  childrenOf(objects, node).flatMap((object) =>
    object.state !== 'live' || isHidden(object)
      ? []
      : [{ object, level, parentId: node.id }, ...linesBelow(objects, object, isHidden, level + 1)],
  );

/** A note as a card or a fault names it. */
export const nameOf = (object: LiveObject): string => {
  const title = titleOf(object);
  const shown = makeVisible(object.origin === 'outside' ? defang(title) : title);
  return `“${shown}” (${object.id.slice(0, MEMORY_ID_SHOWN_CHARS)})`;
};

const short = (id: string): string => id.slice(0, MEMORY_ID_SHOWN_CHARS);

const levelProblems = (outline: readonly Entry[]): readonly string[] =>
  outline.flatMap(({ id, title, level }, n) => [
    ...((id === undefined) === (title === undefined) ? [`outline[${n}] must have either an id or a title`] : []),
    ...(level > (outline[n - 1]?.level ?? 0) + 1
      ? [`outline[${n}] has level ${level}, which is more than one below the line before`]
      : []),
  ]);

/** An order is of these very notes: each once, none left out, none from elsewhere. */
const orderProblems = (outline: readonly Entry[], lines: readonly Line[], mustHave: readonly Line[]) => {
  const ids = outline.flatMap(({ id }) => id ?? []);
  const known = new Set(lines.map(({ object }) => object.id));
  const twice = [...new Set(ids.filter((id, n) => ids.indexOf(id) < n))];
  const lost = mustHave.filter(({ object }) => !ids.includes(object.id));
  const strange = [...new Set(ids.filter((id) => !known.has(id)))];
  return [
    ...levelProblems(outline),
    ...(twice.length > 0 ? [`the outline has a note twice: ${twice.map(short).join(', ')}`] : []),
    ...(lost.length > 0
      ? [`the outline leaves out ${lost.map(({ object }) => object.id).join(', ')}; every note must stay`]
      : []),
    ...(strange.length > 0 ? [`these are no notes below it: ${strange.map(short).join(', ')}`] : []),
  ];
};

const linkProblems = (
  links: NonNullable<ArrangeArgs['links']>,
  root: LiveObject,
  lines: readonly Line[],
  all: Objects,
) =>
  links.flatMap(({ from, to }, n) => {
    const source = [root, ...lines.map(({ object }) => object)].find(({ id }) => id === from);
    const count = source?.attributes.links?.length ?? 0;
    return [
      ...(source === undefined ? [`links[${n}].from is no note of this subtree`] : []),
      ...(all.get(to)?.state === 'live' ? [] : [`links[${n}].to is no note that there is`]),
      ...(from === to ? [`links[${n}] links a note to itself`] : []),
      ...(count + links.filter((one) => one.from === from).length > MEMORY_LINKS_MAX
        ? [`a note has at most ${MEMORY_LINKS_MAX} links`]
        : []),
    ];
  });

/**
 * Faults of what is proposed; empty if there are none.
 * @param all the subtree, and the notes that links lead to
 * @param mustHave lines that no order may leave out
 */
export const arrangeProblems = (
  { outline, summary, links }: ArrangeArgs,
  root: LiveObject,
  lines: readonly Line[],
  all: Objects,
  mustHave = lines,
): readonly string[] => {
  if ([outline, summary, links].filter((one) => one !== undefined).length !== 1)
    return ['give one of outline, summary and links'];
  if (outline !== undefined) return [...new Set(orderProblems(outline, lines, mustHave))];
  return links === undefined ? [] : [...new Set(linkProblems(links, root, lines, all))];
};

interface Placed {
  readonly entry: Entry;
  readonly id: string;
  readonly parentId: string;
}

/** Each entry with the node above it. @param idOf the id of a new heading, by its index */
const placeAll = (outline: readonly Entry[], rootId: string, idOf: (n: number) => string): readonly Placed[] => {
  const above = [rootId];
  return outline.map((entry, n) => {
    const id = entry.id ?? idOf(n);
    const parentId = above[entry.level - 1] ?? rootId;
    above.splice(entry.level, above.length, id);
    return { entry, id, parentId };
  });
};

interface Made {
  readonly maker: Maker;
  readonly origin: Origin;
}

/** A new note of the subtree, found where its root is found. */
const buildMade = (
  { scope, attributes }: LiveObject,
  id: string,
  { maker, origin }: Made,
  { title, content = '', notes }: { readonly title: string; readonly content?: string; readonly notes?: string[] },
): LiveObject => {
  const session = attributes.properties?.[SESSION_PROPERTY];
  const properties = {
    ...(session === undefined ? {} : { [SESSION_PROPERTY]: session }),
    ...(notes === undefined ? {} : { [NOTES_PROPERTY]: notes }),
  };
  const { signalId, effectId, now } = maker;
  return buildObject({
    ...{ id, type: 'headline', scope, content, effectId, signalId, now },
    attributes: {
      title,
      tags: [],
      ...defined({ properties: Object.keys(properties).length > 0 ? properties : undefined }),
    },
    origin: joinOrigins(['agent', origin]),
    nonce: maker.newNonce(),
  });
};

/** Parents whose shown children are others, or in another order. */
const changedParents = (lines: readonly Line[], placed: readonly Placed[]): ReadonlySet<string> => {
  const listOf = (list: readonly { readonly id: string; readonly parentId: string }[], parent: string): string =>
    list.flatMap(({ id, parentId }) => (parentId === parent ? [id] : [])).join();
  const before = lines.map(({ object: { id }, parentId }) => ({ id, parentId }));
  const parents = new Set([...before, ...placed].map(({ parentId }) => parentId));
  return new Set([...parents].filter((parent) => listOf(before, parent) !== listOf(placed, parent)));
};

/**
 * Notes that get another parent first go directly below the root: so no move is below itself. What
 * is hidden, and so in no outline, stays below its own parent.
 */
const orderEdits = (
  outline: readonly Entry[],
  root: LiveObject,
  lines: readonly Line[],
  made: Made,
): readonly Edit[] => {
  const ids = outline.map(({ title }) => (title === undefined ? '' : made.maker.newId()));
  const placed = placeAll(outline, root.id, (n) => ids[n] ?? '');
  const listed = new Set(outline.map(({ id }) => id));
  const shown = lines.filter(({ object }) => listed.has(object.id));
  const parentOf = new Map(shown.map(({ object, parentId }) => [object.id, parentId]));
  const changed = changedParents(shown, placed);
  return [
    ...placed.flatMap(({ id, parentId }): readonly Edit[] =>
      parentOf.has(id) && parentOf.get(id) !== parentId ? [{ kind: 'move', id, place: { parentId: root.id } }] : [],
    ),
    ...placed.flatMap(({ entry: { title }, id, parentId }): readonly Edit[] => {
      if (title !== undefined)
        return [{ kind: 'create', object: buildMade(root, id, made, { title }), place: { parentId } }];
      return changed.has(parentId) ? [{ kind: 'move', id, place: { parentId } }] : [];
    }),
  ];
};

const linkEdits = (links: NonNullable<ArrangeArgs['links']>, objects: readonly LiveObject[]): readonly Edit[] =>
  objects.flatMap((object): readonly Edit[] => {
    const { id, attributes, version, origin } = object;
    const before = attributes.links ?? [];
    const after = [...new Set([...before, ...links.flatMap(({ from, to }) => (from === id ? [to] : []))])];
    // A link holds an id and nobody's words, so the note keeps its origin.
    return after.length === before.length
      ? []
      : [{ kind: 'update', id, attributes: { ...attributes, links: after }, origin, expectedVersion: version }];
  });

/** The edits of one commit. Arguments with problems give none that may be made. */
export const arrangeEdits = (
  { outline, summary, links = [] }: ArrangeArgs,
  root: LiveObject,
  lines: readonly Line[],
  made: Made,
): readonly Edit[] => {
  if (outline !== undefined) return orderEdits(outline, root, lines, made);
  const objects = [root, ...lines.map(({ object }) => object)];
  if (summary === undefined) return linkEdits(links, objects);
  const { title, text } = summary;
  const notes = objects.map(({ id }) => id);
  const object = buildMade(root, made.maker.newId(), made, { title, content: text, notes });
  return [{ kind: 'create', object, place: { parentId: root.id, before: root.children[0]?.id } }];
};

/** `added`, `moved` and `removed` lines of the difference, every line of the result among them. */
const orderLines = (outline: readonly Entry[], root: LiveObject, lines: readonly Line[]): readonly string[] => {
  const known = new Map(lines.map((one) => [one.object.id, one]));
  const placed = placeAll(outline, root.id, (n) => `new ${n}`);
  const nameOfId = (id: string): string => {
    const object = id === root.id ? root : known.get(id)?.object;
    return object === undefined ? '' : nameOf(object);
  };
  const counts: number[] = [];
  const said = placed.map(({ entry: { title, level }, id, parentId }) => {
    counts.splice(level - 1, counts.length, (counts[level - 1] ?? 0) + 1);
    const place = `${counts.join('.')}.`;
    const before = known.get(id);
    if (title !== undefined) return `${place} new heading: ${makeVisible(title)}`;
    const from = before !== undefined && before.parentId !== parentId ? nameOfId(before.parentId) : '';
    return from === '' ? `${place} ${nameOfId(id)}` : `${place} ${nameOfId(id)}, moved from below ${from}`;
  });
  const moved = placed.filter(({ id, parentId }) => known.has(id) && known.get(id)?.parentId !== parentId).length;
  const added = outline.filter(({ title }) => title !== undefined).length;
  // Of those that stay below their parent.
  const stays = placed.filter(({ id, parentId }) => known.get(id)?.parentId === parentId);
  const stayed = lines.filter(({ object }) => stays.some(({ id }) => id === object.id));
  const others = [...changedParents(stayed, stays)].map(nameOfId);
  return [
    `Added: ${added}, moved: ${moved}, changed: 0, removed: 0`,
    ...(others.length > 0 ? [`In another order: the notes below ${others.join(', ')}`] : []),
    'The notes then, in this order:',
    ...said,
  ];
};

/** The difference for the card, whole. @param all the subtree, and the notes that links lead to */
export const describeArrange = (
  { outline, summary, links = [] }: ArrangeArgs,
  root: LiveObject,
  lines: readonly Line[],
  all: Objects,
): readonly string[] => {
  const head = `Below: ${nameOf(root)}`;
  if (outline !== undefined) return [head, ...orderLines(outline, root, lines)];
  if (summary !== undefined)
    return [
      head,
      'Added: 1, moved: 0, changed: 0, removed: 0',
      `New first note: ${makeVisible(summary.title)}`,
      ...summary.text.split('\n').map((one) => `  ${makeVisible(one)}`),
    ];
  const named = (id: string): string => {
    const object = all.get(id);
    return object?.state === 'live' ? nameOf(object) : short(id);
  };
  const changed = new Set(links.map(({ from }) => from)).size;
  return [
    head,
    `Added: 0, moved: 0, changed: ${changed}, removed: 0`,
    ...links.map(({ from, to }) => `New link: ${named(from)} → ${named(to)}`),
  ];
};
