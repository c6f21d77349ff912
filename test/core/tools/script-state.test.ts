/** The variables of a conversation's programs, over the real table. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildMemory, type MemoryStore } from '../../../lib/core/memory/memory.ts';
import type { Origin } from '../../../lib/core/signal/signal.ts';
import { runCode } from '../../../lib/core/tools/run-code.ts';
import {
  buildScriptStates,
  eraseScriptState,
  type ScriptStates,
  STATE_TURNS_MAX,
} from '../../../lib/core/tools/script-state.ts';
import type { ToolContext } from '../../../lib/core/tools/tool.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { NO_RECORDS } from '../../support/no-records.ts';
import { NONCE, NOW } from '../memory/notes.ts';

const DAY_MS = 86_400_000;
let dynamo: TestDynamo;
let memory: MemoryStore;
let states: ScriptStates;
let space = '';
let runs = 0;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());
beforeEach(() => {
  runs += 1;
  space = `script-state-${runs}`;
  memory = buildMemory(dynamo.table, space);
  states = buildScriptStates(dynamo.table, space);
});

/** `isAlone`: in no conversation. */
type Changes = Partial<ToolContext> & { readonly isAlone?: boolean };

let calls = 0;
const run = async (code: string, { isAlone = false, ...changes }: Changes = {}) => {
  calls += 1;
  const signalId = changes.signalId ?? `tg-1-${calls}`;
  return runCode.run(
    { language: 'javascript', code },
    {
      memory,
      records: { ...NO_RECORDS, scriptStates: states },
      powers: {},
      now: NOW,
      zone: 'UTC',
      effectId: `${space}/${signalId}#0`,
      signalId,
      ...(isAlone ? {} : { session: 'telegram:7' }),
      origin: 'owner',
      actor: 'agent',
      newNonce: () => NONCE,
      ...changes,
    },
  );
};
const outputOf = async (code: string, changes: Changes = {}) => (await run(code, changes)).output;

describe('the object state of run-code', () => {
  it('is kept for the next program of the conversation, and for no other', async () => {
    expect(await outputOf('state.sum = 40; state.parts = [1, { a: 2 }]; state.sum')).toBe('40');
    expect(await outputOf('state.sum += 2')).toBe('42');
    expect(await outputOf('JSON.stringify(state)')).toBe('{"sum":42,"parts":[1,{"a":2}]}');
    expect(await outputOf('JSON.stringify(state)', { session: 'telegram:8' })).toBe('{}');
    expect(await outputOf('JSON.stringify(state)', { isAlone: true })).toBe('{}');
  });

  it.each([
    ['an error keeps nothing', 'state.a = 2; throw new Error("no")', 'It ended with an error. Error: no'],
    ['no object', 'state = 5', '5\n(state was not kept: it must be an object that JSON can say'],
    ['a list', 'state = [1]; 0', '0\n(state was not kept: it must be an object'],
    ['a circle', 'state.a = state; 0', '0\n(state was not kept: it must be an object'],
    ['a huge number', 'state.a = 2n; 0', '0\n(state was not kept: it must be an object'],
    ['too long', 'state.a = "x".repeat(16384); 0', '0\n(state was not kept: it must be an object'],
    [
      'too many members',
      'for (let n = 0; n < 65; n += 1) state["v" + n] = n; 0',
      '0\n(state was not kept: it has 66 members, and may have 64)',
    ],
    ['code in its place', 'state = { toJSON() { throw 1 } }; 0', '0\n(state was not kept'],
  ])('stays as it was: %s', async (_, code, said) => {
    await run('state.a = 1');
    expect(await outputOf(code)).toContain(said);
    expect(await outputOf('JSON.stringify(state)')).toBe('{"a":1}');
  });

  it('ends a program whose state never ends, and keeps nothing', async () => {
    await run('state.a = 1');
    await expect(run('state.toJSON = () => { for (;;) {} }')).rejects.toThrow('took too many steps');
    expect(await outputOf('JSON.stringify(state)')).toBe('{"a":1}');
  });

  it('is found by a repeat of the same effect as the first try found it', async () => {
    await run('state.n = 1');
    const again = { signalId: 'tg-1-900', effectId: `${space}/tg-1-900#0` };
    expect(await outputOf('state.n += 1', again)).toBe('2');
    expect(await outputOf('state.n += 1', again)).toBe('2');
    expect(await outputOf('state.n')).toBe('2');
  });

  it.each<[string, Origin, Origin, Origin]>([
    ['outside text', 'outside', 'owner', 'outside'],
    ['the agent', 'agent', 'owner', 'agent'],
    ['the owner', 'owner', 'outside', 'outside'],
  ])('made by %s taints whoever reads it', async (_, madeBy, readBy, origin) => {
    await run('state.a = 1', { origin: madeBy });
    expect(await run('state.a', { origin: readBy })).toStrictEqual({ output: '1', origin });
    await run('state.b = 2');
    expect((await run('0', { origin: readBy })).origin).toBe(origin);
  });

  it('is clean again once it is empty', async () => {
    await run('state.a = 1', { origin: 'outside' });
    expect((await run('state = {}; 0')).origin).toBe('outside');
    expect((await run('0')).origin).toBe('agent');
  });

  it('is not kept in a group, and gone after a day', async () => {
    expect(await outputOf('state.a = 1', { isInGroup: true })).toContain('many people share this chat');
    expect(await outputOf('JSON.stringify(state)')).toBe('{}');
    await run('state.a = 1');
    expect(await outputOf('JSON.stringify(state)', { now: NOW + DAY_MS + 1 })).toBe('{}');
  });

  it('starts again if another program changed it meanwhile', async () => {
    const at = { session: 'telegram:7', signalId: 'tg-1-950', effectId: 'x#0', now: NOW, origin: 'owner' } as const;
    const found = await states.load(at);
    await run('state.a = 1');
    await expect(states.save(at, found, '{"b":1}')).rejects.toThrow('the variables of this conversation');
    expect(await outputOf('JSON.stringify(state)')).toBe('{"a":1}');
  });

  it('is refused once it was made in too many turns', async () => {
    const at = { session: 'telegram:7', signalId: 'tg-1-1', effectId: 'x#0', now: NOW, origin: 'owner' } as const;
    const turns = Array.from({ length: STATE_TURNS_MAX }, (_, n) => `tg-2-${n}`);
    await states.save(at, { text: '{}', origin: 'owner', turns }, '{"a":1}');
    expect(await outputOf('state.a += 1')).toContain('begin anew with state = {}');
    await run('state = {}');
    expect(await outputOf('state.a = 5')).toBe('5');
  });
});

describe('eraseScriptState', () => {
  const erase = (root: string) => eraseScriptState(dynamo.table, space, { session: 'telegram:7', root, now: NOW });

  it('erases what a forgotten turn had a part in, and nothing else', async () => {
    await run('state.word = "marzipan"', { signalId: 'tg-1-801' });
    await run('state.other = 1', { signalId: 'tg-1-802/1' });
    await erase('tg-1-999');
    expect(await outputOf('state.word')).toBe('marzipan');
    await erase('tg-1-801');
    expect(await outputOf('JSON.stringify(state)')).toBe('{}');
    const { items } = await dynamo.table.query({ pk: `session#${space}#telegram:7` });
    expect(JSON.stringify(items)).not.toContain('marzipan');
  });

  it('erases what only the repeat of an effect would find again, and lets no run bring it back', async () => {
    await run('state.word = "marzipan"', { signalId: 'tg-1-803' });
    const at = { session: 'telegram:7', signalId: 'tg-1-804', effectId: 'y#0', now: NOW, origin: 'owner' } as const;
    const found = await states.load(at);
    await run('state = {}', { signalId: 'tg-1-805' });
    await erase('tg-1-803');
    await expect(states.save(at, found, found.text)).rejects.toThrow();
    const { items } = await dynamo.table.query({ pk: `session#${space}#telegram:7` });
    expect(JSON.stringify(items)).not.toContain('marzipan');
  });
});
