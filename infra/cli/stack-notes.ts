/**
 * The stack's memory as import and export need it, over the console's API. A tree goes in as one
 * signal, a large one with its parts in others before it, and is followed until Act has taken it
 * in; everything there is comes page by page.
 */

import { defined } from '../../lib/base/defined.ts';
import { BODY_BYTES_MAX } from '../../lib/base/limits.ts';
import { MEMORY_TREE_PARTS_MAX } from '../../lib/memory/limits.ts';
import { splitNodes } from '../../lib/memory/tree-parts.ts';
import { listNodes, type TreePart, treeHash, type UpdateNode } from '../../lib/memory/tree-update.ts';
import type { ShownObject } from './answers.ts';
import type { Client } from './client.ts';
import type { CommandContext } from './command.ts';
import { CliError, EXIT } from './exit-codes.ts';
import { CLI_DECISION_WAIT_S, CLI_POLL_MS } from './limits.ts';
import { fileOf, noteHashOf, type StoredNote, storedHashOf } from './notes/memory-tree.ts';
import { formatOf } from './notes/note.ts';
import { parseNote } from './notes/parse-note.ts';
import { exportHashOf, planExport } from './notes/plan-export.ts';
import type { KnownDocument } from './notes/plan-import.ts';
import type { FindNotesStore } from './notes-store.ts';
import { printable } from './printable.ts';

const loadObjects = async (client: Client): Promise<readonly ShownObject[]> => {
  const objects: ShownObject[] = [];
  let after: string | undefined;
  do {
    const page = await client.memoryObjects(after);
    if (page.isPartial) throw new CliError(EXIT.failed, 'memory is larger than the stack can list');
    objects.push(...page.objects);
    after = page.after;
  } while (after !== undefined);
  return objects;
};

/**
 * What names a note in its file is its key; a note that came from none is known by its id.
 * Summaries of conversations are nobody's notes.
 */
const buildRoots = (all: readonly ShownObject[]): readonly StoredNote[] => {
  const objects = all.filter(({ type }) => type !== 'summary');
  const byId = new Map(objects.map((object) => [object.id, object]));
  const noteOf = ({ id, attributes, content, children }: ShownObject): StoredNote => ({
    id: attributes.key ?? id,
    attributes,
    content,
    children: children.flatMap((child) => {
      const object = byId.get(child);
      return object === undefined ? [] : [noteOf(object)];
    }),
    // What was forgotten keeps its place and is in no list.
    hasForgotten: children.some((child) => !byId.has(child)),
  });
  return objects.filter(({ parentId }) => parentId === undefined || !byId.has(parentId)).map(noteOf);
};

const notesIn = (note: StoredNote): KnownDocument['notes'] => [
  { key: note.id, title: note.attributes.title ?? '' },
  ...note.children
    .filter(({ attributes }) => attributes.properties?.['passepartout:part'] === undefined)
    .flatMap(notesIn),
];

const hasForgottenIn = (note: StoredNote): boolean => note.hasForgotten === true || note.children.some(hasForgottenIn);

interface Known extends KnownDocument {
  /** The object of a note that came from no file. */
  readonly rootId?: string;
}

/**
 * A note that stands alone is known as the file an export makes of it, so that taking that file in
 * changes nothing.
 */
const knownOf = (root: StoredNote): readonly Known[] => {
  const file = fileOf(root);
  if (file !== undefined) {
    const exportHash = exportHashOf(root);
    const known = {
      key: root.id,
      file,
      hash: storedHashOf(root),
      hasForgotten: hasForgottenIn(root),
      notes: notesIn(root),
    };
    return [exportHash === undefined ? known : { ...known, exportHash }];
  }
  const [exported] = planExport([root]);
  const format = exported === undefined ? undefined : formatOf(exported.file);
  if (exported === undefined || format === undefined) return [];
  const parsed = parseNote(exported.text, exported.file, format);
  if (parsed.kind === 'bad') return [];
  const { node } = parsed;
  return [{ key: node.key, file: exported.file, hash: noteHashOf(node), isLoose: true, rootId: root.id, notes: [] }];
};

/** What is around the nodes of one request, the names of all parts among it. */
const PART_FRAME_BYTES = 16 * 1024;

const ENDED = ['done', 'failed', 'refused', 'unknown'];

/** @returns what the last piece names them by */
const sendParts = async (
  client: Client,
  pieces: readonly UpdateNode[][],
  isTrusted: boolean,
): Promise<readonly TreePart[]> => {
  const parts: TreePart[] = [];
  for (const nodes of pieces) {
    const part = { isPart: true, nodes } as const;
    const { id } = await client.importTree({ ...part, ...(isTrusted ? { isTrusted } : {}) });
    const hash = treeHash({ origin: isTrusted ? 'owner' : 'outside', ...part });
    parts.push({ signalId: id, hash, nodes: nodes.length });
  }
  return parts;
};

const follow = async (
  { now, sleep }: CommandContext,
  client: Client,
  id: string,
  waitMs: number,
): Promise<string | undefined> => {
  const startedAt = now();
  for (let look = 0; ; look += 1) {
    const { effects, state, stateReason } = await client.signal(id);
    const effect = effects.find(({ n }) => n === 0);
    if (effect?.state === 'done' && effect.output !== undefined) return undefined;
    if (effect !== undefined && ENDED.includes(effect.state)) return printable(effect.reason ?? effect.state);
    if (state === 'dead-lettered' || state === 'dropped') return printable(stateReason ?? state);
    if (now() - startedAt > waitMs) return `it is still on its way: passepartout why ${printable(id)}`;
    await sleep(CLI_POLL_MS[Math.min(look, CLI_POLL_MS.length - 1)] ?? 1000);
  }
};

export const findStackNotes: FindNotesStore = async (context) => {
  const client = await context.client();
  const loadRoots = async (): Promise<readonly StoredNote[]> => buildRoots(await loadObjects(client));
  const rootIds = new Map<string, string>();
  return {
    loadRoots,
    loadKnown: async () => {
      const known = (await loadRoots()).flatMap(knownOf);
      for (const { key, rootId } of known) if (rootId !== undefined) rootIds.set(key, rootId);
      return known;
    },
    sendTree: async ({ tree }, isTrusted) => {
      const rootId = rootIds.get(tree.key);
      const trust = isTrusted ? { isTrusted } : {};
      const pieces = splitNodes(listNodes(tree), BODY_BYTES_MAX - PART_FRAME_BYTES);
      if (pieces.length > MEMORY_TREE_PARTS_MAX)
        return `its tree takes ${pieces.length} requests, more than ${MEMORY_TREE_PARTS_MAX}: split it`;
      if (pieces.some((nodes) => Buffer.byteLength(JSON.stringify(nodes)) > BODY_BYTES_MAX - PART_FRAME_BYTES))
        return `one of its notes takes more than the ${BODY_BYTES_MAX} bytes that go in at once: split it`;
      const parts = await sendParts(client, pieces.slice(0, -1), isTrusted);
      const body = {
        nodes: pieces.at(-1) ?? [],
        ...(parts.length === 0 ? {} : { parts }),
        ...defined({ rootId }),
        ...trust,
      };
      const { id } = await client.importTree(body);
      return follow(context, client, id, pieces.length * CLI_DECISION_WAIT_S * 1000);
    },
  };
};
