/**
 * Ten writers at once on one space, each with its own memory over the same table: `node
 * test/core/memory/ten-writers.ts [seconds]` (60 by default) prints commits, conflicts and whether
 * anything was lost; exits 1 if so. Half of what they do is a note of their own under one parent,
 * half a change of an object that all of them change.
 */

import { commitRecordHash, NO_COMMIT_HASH } from '../../../lib/core/memory/commit.ts';
import { buildMemory } from '../../../lib/core/memory/memory.ts';
import { memoryIdOf } from '../../../lib/core/memory/object.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { checkObjects } from './check-objects.ts';
import { aNode, NOW } from './notes.ts';

export const WRITERS = 10;

export interface WritersResult {
  readonly commits: number;
  readonly conflicts: number;
  /** Tries that ended as "try later", and were tried later. */
  readonly postponed: number;
  /** Missing or wrong items, in words; empty if there are none. */
  readonly faults: readonly string[];
}

const ROOT = memoryIdOf('writers', 1);
const SHARED = memoryIdOf('writers', 2);

export const runWriters = async (table: Table, space: string, ms: number): Promise<WritersResult> => {
  let conflicts = 0;
  let postponed = 0;
  const onConflict = (): void => {
    conflicts += 1;
  };
  const open = () => buildMemory(table, space, { onConflict });
  const made: string[] = [];
  let updates = 0;
  await open().edit({
    by: { signalId: 'start', effectId: 'start#0', actor: 'console', now: NOW },
    edits: () => [
      { kind: 'create', object: aNode(ROOT, 'root'), place: {} },
      { kind: 'create', object: aNode(SHARED, 'shared'), place: { parentId: ROOT } },
    ],
  });
  const until = Date.now() + ms;
  const write = async (writer: number): Promise<void> => {
    const memory = open();
    for (let n = 0; Date.now() < until; n += 1) {
      const by = {
        signalId: `w${writer}-${n}`,
        effectId: `w${writer}-${n}#0`,
        actor: `writer ${writer}`,
        now: NOW + n,
      };
      // Ids of an effect come from its maker alone: a bucket that the note needs has the next one.
      let id = '';
      const isNote = n % 2 === 0;
      for (let isDone = false; !isDone; ) {
        try {
          await memory.edit({
            by,
            edits: (maker) => {
              if (!isNote) return [{ kind: 'update', id: SHARED, content: by.effectId, origin: 'owner' }];
              id = maker.newId();
              return [{ kind: 'create', object: aNode(id, by.effectId), place: { parentId: ROOT } }];
            },
          });
          isDone = true;
        } catch (error) {
          if (!(error instanceof Error) || error.name !== 'ContendedError') throw error;
          postponed += 1;
        }
      }
      if (isNote) made.push(id);
      else updates += 1;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));

  const memory = open();
  const faults: string[] = [];
  const { objects } = await memory.view();
  try {
    checkObjects(objects);
  } catch (error) {
    faults.push(String(error));
  }
  for (const id of made) if (objects.get(id)?.state !== 'live') faults.push(`the note ${id} is lost`);
  const version = objects.get(SHARED)?.version;
  if (version !== updates + 1) faults.push(`${updates} updates, but version ${version}`);
  const head = await memory.head();
  let previous = NO_COMMIT_HASH;
  for (const record of await memory.commitsAfter(0, head.number)) {
    if (record.previous !== previous) faults.push(`commit ${record.number} does not follow`);
    previous = commitRecordHash(record);
  }
  if (previous !== head.hash) faults.push('the head is not the last commit');
  if (head.number !== made.length + updates + 1) faults.push(`${head.number} commits for ${made.length + updates + 1}`);
  return { commits: head.number, conflicts, postponed, faults };
};

if (process.argv[1] === import.meta.filename) {
  await using dynamo = await startDynamo();
  const seconds = Number(process.argv[2] ?? 60);
  const result = await runWriters(dynamo.table, 'writers', seconds * 1000);
  console.log(JSON.stringify({ writers: WRITERS, seconds, ...result }, undefined, 2));
  if (result.faults.length > 0) process.exitCode = 1;
}
