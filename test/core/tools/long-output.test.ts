import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildToolActuator } from '../../../lib/core/actuators/tool.ts';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import { OUTPUT_HEAD_CHARS, TOOL_OUTPUT_CHARS_MAX } from '../../../lib/core/base/limits.ts';
import { buildMemory } from '../../../lib/core/memory/memory.ts';
import type { Action } from '../../../lib/core/signal/action.ts';
import type { Origin } from '../../../lib/core/signal/signal.ts';
import { signalKeys } from '../../../lib/core/store/keys.ts';
import { buildOutputStore, OUTPUT_STORED_CHARS_MAX, parseOutputId } from '../../../lib/core/tools/long-output.ts';
import { OUTPUT_PIECE_CHARS } from '../../../lib/core/tools/read-output.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { NO_RECORDS } from '../../support/no-records.ts';
import { NONCE, NOW } from '../memory/notes.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

const SPACE = 'outputs';
const call = (tool: string, args: JsonObject): Action => ({
  target: 'tool',
  tool,
  args,
  explanation: 'because the owner asked',
  author: 'model',
});

const deliver = (action: Action, signalId: string, n: number, origin: Origin = 'agent') => {
  const { keep, load } = buildOutputStore(dynamo.table, SPACE);
  const actuator = buildToolActuator({
    memory: buildMemory(dynamo.table, SPACE),
    zone: 'UTC',
    newNonce: () => NONCE,
    records: { ...NO_RECORDS, keepOutput: keep, loadOutput: load },
    powers: {},
  });
  const effectId = `${SPACE}/${signalId}#${n}`;
  return actuator.deliver(action, { effectId, signalId, now: NOW, origin, addresses: [], actor: 'agent' });
};

const long = (chars: number): Action => call('calculate', { expression: `"ab".repeat(${chars / 2})` });
const read = (id: string, from?: number): Action => call('read-output', from === undefined ? { id } : { id, from });

describe('a long output', () => {
  it('is kept whole, and shown by its beginning, its length and where to read on', async () => {
    const chars = TOOL_OUTPUT_CHARS_MAX + 2;
    const shown = await deliver(long(chars), 'con-1/1', 0);
    expect(shown).toStrictEqual({
      state: 'done',
      output: `(${chars} characters; these are the first ${OUTPUT_HEAD_CHARS}. Read on with read-output: {"id":"con-1/1#0","from":4096})\n${'ab'.repeat(OUTPUT_HEAD_CHARS / 2)}`,
      origin: 'agent',
    });
    const piece = await deliver(read('con-1/1#0', OUTPUT_HEAD_CHARS), 'con-1/1/1', 0);
    const end = OUTPUT_HEAD_CHARS + OUTPUT_PIECE_CHARS;
    expect(piece).toStrictEqual({
      state: 'done',
      output: `(characters ${OUTPUT_HEAD_CHARS} to ${end} of ${chars}; read on from ${end})\n${'ab'.repeat(OUTPUT_PIECE_CHARS / 2)}`,
      origin: 'agent',
    });
    expect(await deliver(read('con-1/1#0', chars - 2), 'con-1/1/1', 1)).toMatchObject({
      output: `(characters ${chars - 2} to ${chars} of ${chars}; this is its end)\nab`,
    });
    expect(await deliver(read('con-1/1#0', chars), 'con-1/1/1', 2)).toMatchObject({
      output: `(it ends at ${chars})\n`,
    });
  });

  it('that just fits is shown whole and not kept', async () => {
    expect(await deliver(long(TOOL_OUTPUT_CHARS_MAX), 'con-2', 3)).toMatchObject({
      output: 'ab'.repeat(TOOL_OUTPUT_CHARS_MAX / 2),
    });
    expect(await buildOutputStore(dynamo.table, SPACE).load('con-2#3')).toBeUndefined();
  });

  it('stays what it was when it is read: outside text is outside text (I13)', async () => {
    expect(await deliver(long(20_000), 'con-3', 0, 'outside')).toMatchObject({ origin: 'outside' });
    expect(await deliver(read('con-3#0'), 'con-3/1', 0, 'owner')).toMatchObject({ state: 'done', origin: 'outside' });
  });

  it.each([
    ['con-3#0', 'con-4'],
    ['con-3#0', 'con-33/1'],
    ['con-9#0', 'con-9/1'],
    ['con-3', 'con-3/1'],
    ['con-3#x', 'con-3/1'],
    ['con-3#0#output', 'con-3/1'],
    ['../con-3#0', 'con-3/1'],
  ])('is read by its own turn alone: %s from %s', async (id, signalId) => {
    expect(await deliver(read(id), signalId, 0)).toStrictEqual({
      state: 'failed',
      reason: 'no output of this turn has this id',
    });
  });

  it('is kept up to what one item holds, and says so', async () => {
    const store = buildOutputStore(dynamo.table, SPACE);
    const kept = await store.keep('con-5#0', {
      text: '中'.repeat(OUTPUT_STORED_CHARS_MAX + 5),
      origin: 'agent',
      at: NOW,
    });
    expect({ ...kept, text: kept.text.length }).toStrictEqual({
      schemaVersion: 1,
      at: NOW,
      origin: 'agent',
      text: OUTPUT_STORED_CHARS_MAX,
      chars: OUTPUT_STORED_CHARS_MAX + 5,
    });
    expect(await store.load('con-5#0')).toStrictEqual(kept);
  });

  it('of a form nobody knows is refused by name', async () => {
    await dynamo.table.put(signalKeys.output(SPACE, 'con-6', 0), { schemaVersion: 2, text: 'x' });
    await expect(buildOutputStore(dynamo.table, SPACE).load('con-6#0')).rejects.toThrow('output con-6#0');
  });
});

describe('parseOutputId', () => {
  it.each([
    ['tg-1-2/1#7', { signalId: 'tg-1-2/1', n: 7 }],
    ['con-a#10', { signalId: 'con-a', n: 10 }],
  ])('reads %s', (id, parsed) => {
    expect(parseOutputId(id)).toStrictEqual(parsed);
  });
});
