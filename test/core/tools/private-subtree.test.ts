/** A note below a private node is as private as the node, over the real table. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TreeNode } from '../../../lib/core/memory/ingest.ts';
import { buildMemory } from '../../../lib/core/memory/memory.ts';
import { listMemory } from '../../../lib/core/tools/list-memory.ts';
import { recall } from '../../../lib/core/tools/recall.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { NO_RECORDS } from '../../support/no-records.ts';
import { NONCE, NOW } from '../memory/notes.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

const node = (title: string, tags: readonly string[], children: readonly TreeNode[] = []): TreeNode => ({
  key: title,
  type: 'headline',
  attributes: { title, tags: [...tags] },
  content: tags.includes('root') ? 'a house' : `about the bike: ${title}`,
  children,
});

it('recall and list-memory show nothing below a private heading', async () => {
  const memory = buildMemory(dynamo.table, 'private');
  await memory.ingestTree({
    by: { signalId: 'a', effectId: 'a#0', actor: 'console', now: NOW },
    tree: node('Garage', ['root'], [node('Repairs', ['@Personal'], [node('Doctor', [])]), node('Colours', [])]),
    origin: 'owner',
  });
  const context = {
    memory,
    now: NOW,
    zone: 'UTC',
    effectId: 'b#0',
    signalId: 'b',
    origin: 'owner',
    records: NO_RECORDS,
    powers: {},
    actor: 'agent',
    newNonce: () => NONCE,
  } as const;
  for (const [tool, args] of [
    [recall, { query: 'bike' }],
    [listMemory, {}],
  ] as const) {
    const { output } = await tool.run(args, context);
    expect(output).toContain('Colours');
    expect(output).not.toMatch(/Repairs|Doctor/);
  }
});
