/**
 * A data folder as a stopped stack leaves it: so many objects of memory in trees, with versions and
 * commits, so many turns with their records, and a signed, anchored log of all of it.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { TABLE_NAME } from '../../../infra/local/data-folder.ts';
import { DATA_FILE } from '../../../infra/local/database.ts';
import { closeStorage, openTableFile } from '../../../infra/local/table-server/storage.ts';
import { startTableServer } from '../../../infra/local/table-server/table-server.ts';
import { anchorNewest, buildFileAnchors } from '../../../lib/core/log/anchor.ts';
import { runLog } from '../../../lib/core/log/write-log.ts';
import type { Edit } from '../../../lib/core/memory/edit.ts';
import { buildMemory } from '../../../lib/core/memory/memory.ts';
import { memoryIdOf } from '../../../lib/core/memory/object.ts';
import { embeddedDynamoClient } from '../../../lib/core/store/clients.ts';
import { raiseDataVersion } from '../../../lib/core/store/data-version.ts';
import { buildTable, type Table } from '../../../lib/core/store/table.ts';
import { signersOf } from '../../core/log/log-world.ts';
import { aNode } from '../../core/memory/notes.ts';
import { createTable } from '../../support/dynamo.ts';
import { buildSimulation, ownerMessage } from '../../support/simulation.ts';

const SPACE = 'default';
/** Objects of one document: one commit. */
const DOCUMENT_OBJECTS = 500;
const WORDS = 'what a person writes down, in a few lines. '.repeat(6);

const documentOf = (n: number, objects: number): readonly Edit[] => {
  const idOf = (at: number): string => memoryIdOf(`note-${n}`, at + 1);
  return Array.from({ length: objects }, (_, at): Edit => {
    const type = at === 0 ? 'document' : 'headline';
    const object = aNode(idOf(at), `${n}-${at}: ${WORDS}`, { type });
    return { kind: 'create', object, place: at === 0 ? {} : { parentId: idOf(0) } };
  });
};

export const fillTable = async (table: Table, folder: string, objects: number, turns: number): Promise<void> => {
  await raiseDataVersion(table, SPACE);
  const memory = buildMemory(table, SPACE);
  for (let n = 0; n * DOCUMENT_OBJECTS < objects; n += 1) {
    const by = { signalId: `con-${n}`, effectId: `con-${n}#0`, actor: 'console', now: 1_790_000_000_000 + n };
    const count = Math.min(DOCUMENT_OBJECTS, objects - n * DOCUMENT_OBJECTS);
    await memory.edit({ by, edits: () => documentOf(n, count) });
  }
  const simulation = buildSimulation({ table, space: SPACE, answer: () => ({ content: 'Noted.' }) });
  for (let n = 0; n < turns; n += 1) {
    await simulation.accept(ownerMessage(SPACE, n + 1, `message ${n}`, `${n % 50}`, simulation.now()));
    await simulation.drain();
  }
  const report = (problem: string): void => {
    throw new Error(problem);
  };
  const deps = { table, space: SPACE, now: simulation.now, signers: signersOf(SPACE), hasTime: () => true, report };
  while ((await runLog(deps)).hasMore);
  const anchors = buildFileAnchors(join(folder, 'anchors'), SPACE);
  await anchorNewest({ table, space: SPACE, anchors, now: simulation.now() });
};

export const fillFolder = (folder: string, objects: number, turns: number): Promise<void> =>
  fillTableOf(folder, (table) => fillTable(table, folder, objects, turns));

export const fillTableOf = async (folder: string, fill: (table: Table) => Promise<void>): Promise<void> => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, DATA_FILE);
  const storage = openTableFile(file);
  const server = await startTableServer({ storage, file });
  const client = embeddedDynamoClient(server.endpoint, 'us-east-1', server.credentials);
  try {
    await createTable(client, TABLE_NAME);
    await fill(buildTable(client, TABLE_NAME));
  } finally {
    client.destroy();
    await server.stop();
    closeStorage(storage);
  }
};
