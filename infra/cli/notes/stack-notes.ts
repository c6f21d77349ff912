/**
 * The stack's memory for import and export, over the console's API. A tree goes in as one signal; a
 * large one sends its parts in signals before it. Each is followed until Act has taken it in.
 */
import { defined } from '../../../lib/core/base/defined.ts';
import { BODY_BYTES_MAX } from '../../../lib/core/base/limits.ts';
import { MEMORY_TREE_PARTS_MAX } from '../../../lib/core/memory/limits.ts';
import {
  listNodes,
  splitNodes,
  type TreePart,
  treeHash,
  type UpdateNode,
} from '../../../lib/core/memory/tree-update.ts';
import type { ShownObject } from '../answers.ts';
import { importTree, loadObjects, loadSignal, type StackAccess } from '../client.ts';
import type { CommandContext } from '../command.ts';
import { CliError, EXIT, printable } from '../terminal.ts';
import { CLI_DECISION_WAIT_S, pollPauseMs } from '../turn.ts';
import { describeKnown, type KnownDocument } from './known-document.ts';
import type { StoredNote } from './memory-tree.ts';
import type { ImportStep } from './plan-import.ts';

export interface NotesStore {
  /** Documents that earlier imports made, and notes that came from no file. */
  readonly loadKnown: () => Promise<readonly KnownDocument[]>;
  /**
   * The same step again changes nothing. @param isTrusted else the notes are `outside`
   * @returns why the tree did not go in; undefined if it did
   */
  readonly sendTree: (step: ImportStep, isTrusted: boolean) => Promise<string | undefined>;
}

/** Each note with all under it. Summaries of conversations are left out. */
export const buildRoots = (all: readonly ShownObject[]): readonly StoredNote[] => {
  const objects = all.filter(({ type }) => type !== 'summary');
  const byId = new Map(objects.map((object) => [object.id, object]));
  // The key of a note is what names it in its file; a note from no file has its id.
  const buildStored = ({ id, attributes, content, children, origin, version, hash }: ShownObject): StoredNote => ({
    id: attributes.key ?? id,
    objectId: id,
    ...defined({ origin, version, hash }),
    isKeyless: attributes.key === undefined,
    attributes,
    content,
    children: children.flatMap((child) => {
      const object = byId.get(child);
      return object === undefined ? [] : [buildStored(object)];
    }),
    // A forgotten note keeps its place in its parent, and is in no list.
    hasForgotten: children.some((child) => !byId.has(child)),
  });
  return objects.filter(({ parentId }) => parentId === undefined || !byId.has(parentId)).map(buildStored);
};

/** Tries to read all pages of one commit, while others write. */
const MEMORY_READS_MAX = 5;

/** All of memory as of one commit, if nobody writes without a pause. @throws CliError */
export const loadMemory = async (
  access: StackAccess,
): Promise<{ readonly roots: readonly StoredNote[]; readonly commit: number }> => {
  for (let tries = 1; ; tries += 1) {
    const objects: ShownObject[] = [];
    const commits = new Set<number>();
    let after: string | undefined;
    do {
      const page = await loadObjects(access, after);
      if (page.isPartial) throw new CliError(EXIT.failed, 'memory is larger than the stack can list');
      objects.push(...page.objects);
      commits.add(page.commit);
      after = page.after;
    } while (after !== undefined);
    if (commits.size === 1 || tries >= MEMORY_READS_MAX)
      return { roots: buildRoots(objects), commit: Math.min(...commits) };
  }
};

/** Documents of memory, and notes that stand alone. @throws CliError */
export const loadRoots = async (access: StackAccess): Promise<readonly StoredNote[]> =>
  (await loadMemory(access)).roots;

/** Bytes around the nodes of one request, the names of all parts among them. */
const PART_FRAME_BYTES = 16 * 1024;
const PART_BYTES_MAX = BODY_BYTES_MAX - PART_FRAME_BYTES;

/** @returns the names by which the last request refers to these parts */
const sendParts = async (
  access: StackAccess,
  pieces: readonly UpdateNode[][],
  isTrusted: boolean,
): Promise<readonly TreePart[]> => {
  const parts: TreePart[] = [];
  for (const nodes of pieces) {
    const part = { isPart: true, nodes } as const;
    const { id } = await importTree(access, { ...part, ...(isTrusted ? { isTrusted } : {}) });
    const hash = treeHash({ origin: isTrusted ? 'owner' : 'outside', ...part });
    parts.push({ signalId: id, hash, nodes: nodes.length });
  }
  return parts;
};

const ENDED: readonly string[] = ['done', 'failed', 'refused', 'unknown'];

/** Waits until a tree is in memory. @returns why it did not go in, or undefined */
const waitForImport = async (
  { now, sleep }: Pick<CommandContext, 'now' | 'sleep'>,
  access: StackAccess,
  id: string,
  waitMs: number,
): Promise<string | undefined> => {
  const startedAt = now();
  for (let looks = 0; ; looks += 1) {
    const { effects, state, stateReason } = await loadSignal(access, id);
    const effect = effects.find(({ n }) => n === 0);
    if (effect?.state === 'done' && effect.output !== undefined) return undefined;
    if (effect !== undefined && ENDED.includes(effect.state)) return printable(effect.reason ?? effect.state);
    if (state === 'dead-lettered' || state === 'dropped') return printable(stateReason ?? state);
    if (now() - startedAt > waitMs) return `it is still on its way: npx passepartout why ${printable(id)}`;
    await sleep(pollPauseMs(looks));
  }
};

export const sendTree = async (
  context: Pick<CommandContext, 'now' | 'sleep'>,
  access: StackAccess,
  { tree, rootId, isGone, seen }: Pick<ImportStep, 'tree' | 'rootId' | 'isGone' | 'seen'>,
  isTrusted: boolean,
): Promise<string | undefined> => {
  const pieces = splitNodes(listNodes(tree), PART_BYTES_MAX);
  if (pieces.length > MEMORY_TREE_PARTS_MAX)
    return `its tree takes ${pieces.length} requests, more than ${MEMORY_TREE_PARTS_MAX}: split it`;
  if (pieces.some((nodes) => Buffer.byteLength(JSON.stringify(nodes)) > PART_BYTES_MAX))
    return `one of its notes takes more than the ${BODY_BYTES_MAX} bytes that go in at once: split it`;
  const parts = await sendParts(access, pieces.slice(0, -1), isTrusted);
  const { id } = await importTree(access, {
    nodes: pieces.at(-1) ?? [],
    ...(parts.length === 0 ? {} : { parts }),
    ...defined({ rootId, isGone, seen }),
    ...(isTrusted ? { isTrusted } : {}),
  });
  return waitForImport(context, access, id, pieces.length * CLI_DECISION_WAIT_S * 1000);
};

export const openStackNotes = (context: CommandContext, access: StackAccess): NotesStore => ({
  loadKnown: async () => (await loadRoots(access)).map(describeKnown),
  sendTree: (step, isTrusted) => sendTree(context, access, step, isTrusted),
});
