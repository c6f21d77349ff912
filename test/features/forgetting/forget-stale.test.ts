/**
 * DynamoDB's reads that need not be consistent may give an item as it was some moments ago. Earlier
 * turns are read so, and yet no prompt holds words that were forgotten meanwhile.
 */
import { afterAll, describe, expect, it } from 'vitest';
import type { Item, Table } from '../../../lib/core/store/table.ts';
import { buildLogWorld } from '../../core/log/log-world.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { ownerMessage, signalWith } from '../../support/simulation.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const SECRET = 'the violet heron nests behind the mill';
const REMEMBER = {
  toolCalls: [
    {
      id: 'c1',
      name: 'remember',
      argumentsText: JSON.stringify({ text: SECRET, explanation: 'the owner asked for it' }),
    },
  ],
};
/** Longer than a forgetting takes. */
const LATER_MS = 11 * 60_000;

/** Gives items as they were when `freeze` was called, unless a consistent read is asked for. */
const buildStaleTable = (table: Table) => {
  const frozen = new Map<string, Item | undefined>();
  const seen = new Map<string, Parameters<Table['load']>[0][number]>();
  let isFrozen = false;
  const load: Table['load'] = async (keys, options) => {
    for (const key of keys) seen.set(JSON.stringify(key), key);
    const items = await table.load(keys, options);
    if (!isFrozen || options?.isConsistent === true) return items;
    return keys.map((key, n) => frozen.get(JSON.stringify(key)) ?? items[n]);
  };
  const freeze = async (): Promise<void> => {
    for (const [name, key] of seen) frozen.set(name, (await table.load([key], { isConsistent: true }))[0]);
    isFrozen = true;
  };
  return { table: { ...table, load }, freeze };
};

describe('earlier turns, read by a replica that is behind', () => {
  it('show no forgotten word while a forgetting may still be under way', async () => {
    const stale = buildStaleTable(dynamo.table);
    const prompts: string[] = [];
    const { simulation, space, memory } = buildLogWorld(dynamo, {
      table: stale.table,
      answer: (prompt) => {
        prompts.push(JSON.stringify(prompt.messages));
        return prompts.length === 1 ? REMEMBER : { content: 'Noted.' };
      },
    });
    const say = async (n: number, text: string): Promise<string> => {
      await simulation.accept(ownerMessage(space, n, text, '7', simulation.now()));
      await simulation.drain();
      return prompts.at(-1) ?? '';
    };
    await say(1, `Note that ${SECRET}.`);
    for (const n of [2, 3, 4]) await say(n, `message ${n}`);
    expect(prompts.at(-1)).toContain(SECRET);

    await stale.freeze();
    const rest = (await memory.list({ limit: 1 })).objects[0]?.id ?? '';
    const forget = { sensor: 'command', name: 'forget', rest } as const;
    await simulation.accept(signalWith(space, 'tg-1-5', forget, '7', simulation.now()));
    await simulation.drain();
    expect(await say(6, 'message 6')).toContain('message 2');
    expect(prompts.at(-1)).not.toContain(SECRET);

    // The replica of this test never catches up: so it is seen that such reads are made again.
    simulation.advance(LATER_MS);
    expect(await say(7, 'message 7')).toContain(SECRET);
  });
});
