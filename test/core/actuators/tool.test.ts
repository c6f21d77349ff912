import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildToolActuator } from '../../../lib/core/actuators/tool.ts';
import { UnavailableError } from '../../../lib/core/base/errors.ts';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import { buildMemory, type MemoryStore } from '../../../lib/core/memory/memory.ts';
import { memoryIdOf } from '../../../lib/core/memory/object.ts';
import type { Action } from '../../../lib/core/signal/action.ts';
import type { ActuatorContext } from '../../../lib/core/signal/actuator.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { NO_RECORDS, NO_TRACES } from '../../support/no-records.ts';
import { NONCE, NOW } from '../memory/notes.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

let spaces = 0;
const freshMemory = (): MemoryStore => {
  spaces += 1;
  return buildMemory(dynamo.table, `tools-${spaces}`);
};
const actuatorOf = (memory: MemoryStore, zone = 'Europe/Berlin') =>
  buildToolActuator({ memory, zone, newNonce: () => NONCE, records: NO_RECORDS, powers: { forgetting: NO_TRACES } });
const call = (tool: string, args: JsonObject = {}): Action => ({
  target: 'tool',
  tool,
  args,
  explanation: 'because the owner asked',
  author: 'model',
});
const context = (changes: Partial<ActuatorContext> = {}): ActuatorContext => ({
  effectId: 'default/con-1#0',
  signalId: 'con-1',
  now: NOW,
  origin: 'agent',
  addresses: [],
  actor: 'agent',
  ...changes,
});
const ID = memoryIdOf('default/con-1#0');

describe('buildToolActuator', () => {
  it('remembers once per effect, with the origin of the inputs (I7, I13)', async () => {
    const memory = freshMemory();
    const actuator = actuatorOf(memory);
    const action = call('remember', { text: 'The key is under the pot', tags: ['home'] });
    const done = { state: 'done', output: `Remembered as ${ID}.`, origin: 'outside' };
    expect(await actuator.deliver(action, context({ origin: 'outside' }))).toStrictEqual(done);
    expect(await actuator.deliver(action, context({ origin: 'outside' }))).toStrictEqual(done);
    const { objects } = await memory.list({ limit: 10 });
    expect(objects.map(({ content, origin, attributes }) => [content, origin, attributes])).toStrictEqual([
      ['The key is under the pot', 'outside', { tags: ['home'] }],
    ]);
  });

  it('recalls with the origin of the notes shown, not of the question (I13)', async () => {
    const memory = freshMemory();
    const actuator = actuatorOf(memory);
    await actuator.deliver(call('remember', { text: 'key one' }), context({ effectId: 'a', origin: 'owner' }));
    const clean = await actuator.deliver(call('recall', { query: 'key' }), context({ origin: 'outside' }));
    expect(clean).toMatchObject({ state: 'done', origin: 'owner' });
    await actuator.deliver(call('remember', { text: 'key two' }), context({ effectId: 'b', origin: 'outside' }));
    for (const action of [call('recall', { query: 'key' }), call('list-memory')])
      expect(await actuator.deliver(action, context())).toMatchObject({ state: 'done', origin: 'outside' });
    expect(await actuator.deliver(call('recall', { query: 'ladder' }), context())).toStrictEqual({
      state: 'done',
      output: 'No note has any of these words.',
      origin: 'agent',
    });
  });

  it('forgets by id, and says so again when repeated', async () => {
    const memory = freshMemory();
    const actuator = actuatorOf(memory);
    await actuator.deliver(call('remember', { text: 'key' }), context());
    const done = { state: 'done', output: `Forgotten: ${ID}.`, origin: 'agent' };
    expect(await actuator.deliver(call('forget', { id: ID }), context({ effectId: 'f' }))).toStrictEqual(done);
    expect(await actuator.deliver(call('forget', { id: ID }), context({ effectId: 'f' }))).toStrictEqual(done);
    expect(await actuator.deliver(call('list-memory'), context())).toStrictEqual({
      state: 'done',
      output: 'Nothing is remembered yet.',
      origin: 'agent',
    });
    expect(await actuator.deliver(call('forget', { id: 'f'.repeat(32) }), context())).toStrictEqual({
      state: 'done',
      output: 'No note has this id.',
      origin: 'agent',
    });
  });

  it('tells the time of the effect in the owner’s zone, clean even under taint (I13)', async () => {
    const result = await actuatorOf(freshMemory()).deliver(call('current-time'), context({ origin: 'outside' }));
    expect(result).toStrictEqual({
      state: 'done',
      output: expect.stringMatching(
        /^Thursday,? 15 January 2026 at 13:00:00 CET \(Europe\/Berlin\); 2026-01-15T12:00:00\.000Z in UTC$/,
      ),
      origin: 'agent',
    });
  });

  it.each([
    ['an unknown tool', call('launch-rocket'), 'there is no such tool'],
    ['a tool another actuator performs', call('call-webhook', { webhook: 'a', body: {} }), 'there is no such tool'],
    ['another target', { ...call('remember', { text: 'a' }), target: 'system' as const }, 'there is no such tool'],
    [
      'arguments that do not fit',
      call('recall', { q: 'x' }),
      'the arguments do not fit the tool: query is missing; it takes no other fields than query, source',
    ],
  ])('fails %s and stores nothing (I3)', async (_, action, reason) => {
    const memory = freshMemory();
    expect(await actuatorOf(memory).deliver(action, context())).toStrictEqual({ state: 'failed', reason });
    expect(await memory.list({ limit: 1 })).toStrictEqual({ objects: [] });
  });

  it('is to be tried again when the store does not answer', async () => {
    const down = () => Promise.reject(new UnavailableError('The table did not answer.'));
    const memory = { ...freshMemory(), list: down };
    expect(await actuatorOf(memory).deliver(call('list-memory'), context())).toStrictEqual({
      state: 'retry',
      reason: 'The table did not answer.',
      isInDoubt: false,
    });
  });

  it('fails in plain words when the configured zone is none', async () => {
    expect(await actuatorOf(freshMemory(), 'Mars/Olympus').deliver(call('current-time'), context())).toStrictEqual({
      state: 'failed',
      reason: 'the time zone that is configured is not known',
    });
  });

  it('lets a bug stay an exception', async () => {
    const broken = () => Promise.reject(new TypeError('x is not a function'));
    const memory = { ...freshMemory(), list: broken };
    await expect(actuatorOf(memory).deliver(call('list-memory'), context())).rejects.toThrow(TypeError);
  });
});
