/**
 * A folder and a memory that are kept in step: real files, and the product's own memory on a table.
 * Only the way between both is short: no HTTP and no gates.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ObjectsAnswer } from '../../../infra/cli/answers.ts';
import { buildRoots } from '../../../infra/cli/notes/stack-notes.ts';
import {
  type Leaving,
  type SyncInput,
  type SyncResult,
  type SyncStore,
  syncRound,
} from '../../../infra/features/notes/sync/round.ts';
import { listObjects } from '../../../lib/core/edge/console/memory.ts';
import type { Edit } from '../../../lib/core/memory/edit.ts';
import { buildMemory, type MemoryStore } from '../../../lib/core/memory/memory.ts';
import type { LiveObject } from '../../../lib/core/memory/object.ts';
import type { Table } from '../../../lib/core/store/table.ts';

const ROUNDS_MAX = 5;

export interface SyncWorld {
  readonly root: string;
  readonly memory: MemoryStore;
  readonly store: SyncStore;
  readonly write: (file: string, text: string) => void;
  readonly read: (file: string) => string;
  readonly remove: (file: string) => void;
  /** Files of the folder, hidden ones too, with their texts. */
  readonly files: () => Readonly<Record<string, string>>;
  readonly round: (input?: Partial<SyncInput>) => Promise<SyncResult>;
  /** Rounds until none is due. */
  readonly sync: (input?: Partial<SyncInput>) => Promise<SyncResult>;
  readonly objects: () => Promise<readonly LiveObject[]>;
  readonly find: (title: string) => Promise<LiveObject>;
  readonly change: (...edits: readonly Edit[]) => Promise<void>;
  readonly setText: (title: string, content: string, origin?: 'owner' | 'outside') => Promise<void>;
  readonly forget: (title: string) => Promise<void>;
  /** Text of every version of every note that memory ever had. */
  readonly everStored: () => Promise<string>;
  readonly close: () => void;
}

let worlds = 0;

export const openSyncWorld = (table: Table): SyncWorld => {
  worlds += 1;
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'passepartout-sync-')));
  const space = `sync-${process.pid}-${worlds}`;
  const memory = buildMemory(table, space);
  let [steps, ids] = [0, 0];
  const by = () => {
    steps += 1;
    return { signalId: `s-${steps}`, effectId: `s-${steps}#0`, actor: 'console', now: 1_000 + steps };
  };
  const objects = async () =>
    [...(await memory.view()).objects.values()].filter(
      (one): one is LiveObject => one.state === 'live' && one.type !== 'bucket',
    );
  const store: SyncStore = {
    load: async () => {
      const call = { request: { query: new URLSearchParams() } };
      const response = await listObjects({ loadMemory: async () => memory } as never, call as never);
      const page = ObjectsAnswer.parse(JSON.parse(String(response.body)));
      return { roots: buildRoots(page.objects), commit: page.commit };
    },
    send: async ({ tree, rootId, isGone, seen }, isTrusted) => {
      const type = (await objects()).find(({ id }) => id === rootId)?.type;
      const named = type === undefined || type === 'bucket' || rootId === undefined ? {} : { rootId };
      try {
        await memory.ingestTree({
          ...{ by: by(), isGone, seen, origin: isTrusted ? 'owner' : 'outside', ...named },
          tree: type === undefined || type === 'bucket' ? tree : { ...tree, type },
        });
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : 'failed';
      }
    },
    leftSince: async (commit, ids) => {
      const differences = await memory.diff(commit, (await memory.head()).number);
      const gone = new Set(differences.flatMap(({ id, after }) => (after?.state === 'live' ? [] : [id])));
      const left = new Map<string, Leaving>();
      for (const id of ids) {
        if (gone.has(id)) left.set(id, 'removed');
        else if ((await memory.audit(id))?.state === 'forgotten') left.set(id, 'forgotten');
      }
      return left;
    },
    privateTags: async () => ['secret-tag'],
  };
  const round: SyncWorld['round'] = (input = {}) =>
    syncRound({
      ...{ root, store, excluded: [], isTrusted: true, isAll: false, mayLoseMany: false, answers: new Map() },
      now: () => 1_700_000_000_000 + steps,
      newId: () => {
        ids += 1;
        return `${worlds}`.padStart(16, '0') + `${ids}`.padStart(16, '0');
      },
      ...input,
    });
  const path = (file: string): string => join(root, ...file.split('/'));
  const find = async (title: string): Promise<LiveObject> => {
    const [one, ...more] = (await objects()).filter(({ attributes }) => attributes.title === title);
    if (one === undefined || more.length > 0)
      throw new Error(`${more.length + (one === undefined ? 0 : 1)} of ${title}`);
    return one;
  };
  const change: SyncWorld['change'] = async (...edits) => {
    await memory.edit({ by: by(), edits: () => edits });
  };
  return {
    ...{ root, memory, store, round, objects, find, change },
    write: (file, text) => {
      mkdirSync(dirname(path(file)), { recursive: true });
      writeFileSync(path(file), text);
    },
    read: (file) => readFileSync(path(file), 'utf8'),
    remove: (file) => rmSync(path(file)),
    files: () =>
      Object.fromEntries(
        readdirSync(root, { recursive: true, encoding: 'utf8', withFileTypes: true }).flatMap((one) => {
          if (!one.isFile()) return [];
          const whole = join(one.parentPath, one.name);
          return [[whole.slice(root.length + 1), readFileSync(whole, 'utf8')]];
        }),
      ),
    sync: async (input) => {
      for (let n = 1; ; n += 1) {
        const result = await round(input);
        if (!result.isDue || n >= ROUNDS_MAX) return result;
      }
    },
    setText: async (title, content, origin = 'owner') => {
      const { id } = await find(title);
      await change({ kind: 'update', id, content, origin });
    },
    forget: async (title) => {
      const { id } = await find(title);
      const { signalId, now } = by();
      await memory.forget({ id, signalId, now });
    },
    everStored: async () => {
      const ids = new Set<string>();
      const { number } = await memory.head();
      for (let n = 1; n <= number; n += 1) for (const { id } of await memory.diff(n - 1, n)) ids.add(id);
      return JSON.stringify(await Promise.all([...ids].map((id) => memory.storedVersions(id))));
    },
    close: () => {
      if (existsSync(root)) rmSync(root, { recursive: true, force: true });
    },
  };
};
