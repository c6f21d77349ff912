/**
 * The tools that tend memory, over the real table: the conversations run through the stages, the
 * tools are called as a runbook's steps call them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildToolRecords } from '../../../lib/core/actuators/tool-records.ts';
import { DAY_MS, HOUR_MS } from '../../../lib/core/base/limits.ts';
import { sourcesOf } from '../../../lib/core/memory/made-notes.ts';
import { buildMemory, type MemoryStore } from '../../../lib/core/memory/memory.ts';
import type { LiveObject } from '../../../lib/core/memory/object.ts';
import type { Payload, TextPiece } from '../../../lib/core/signal/signal.ts';
import { findTool } from '../../../lib/core/tools/catalogue.ts';
import { shownInResults } from '../../../lib/core/tools/show-objects.ts';
import type { ToolContext } from '../../../lib/core/tools/tool.ts';
import { actTending } from '../../../lib/features/tending/act.ts';
import { aNode, aNote } from '../../core/memory/notes.ts';
import { callTool, newSpace } from '../../flow/adversity-world.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { scanSpace } from '../../support/scan.ts';
import { buildSimulation, signalWith } from '../../support/simulation.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

const buildWorld = () => {
  const space = newSpace();
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: (prompt) => {
      const wish = prompt.messages.findLast(({ role }) => role === 'user')?.content ?? '';
      const tag = /tagged (\S+)/.exec(wish)?.[1];
      const isDone = prompt.messages.some(({ role }) => role === 'tool');
      return tag === undefined || isDone ? { content: 'I see.' } : callTool('remember', { text: wish, tags: [tag] });
    },
  });
  const memory = buildMemory(dynamo.table, space);
  let said = 0;
  let runs = 0;
  const send = async (payload: Payload, chat = '7') => {
    said += 1;
    simulation.advance(1_000);
    const id = `tg-1-${said}`;
    await simulation.accept(signalWith(space, id, payload, chat, simulation.now()));
    await simulation.drain();
    return id;
  };
  const contextOf = (n: number, changes: Partial<ToolContext> = {}): ToolContext => ({
    memory,
    records: buildToolRecords(dynamo.table, space, memory),
    powers: actTending.buildPowers({ table: dynamo.table, space }),
    now: simulation.now(),
    zone: 'UTC',
    effectId: `${space}/run-${n}#0`,
    signalId: `run-${n}`,
    actor: 'agent',
    origin: 'agent',
    newNonce: () => '0'.repeat(32),
    ...changes,
  });
  const call = async (name: string, args: object = {}, changes: Partial<ToolContext> = {}) => {
    const tool = findTool(name);
    if (tool?.target !== 'tool' || tool.run === undefined) throw new Error(`no tool ${name}`);
    runs += 1;
    const { output, origin } = await tool.run(JSON.parse(JSON.stringify(args)), contextOf(runs, changes));
    return { origin, output, data: output.startsWith('{') ? JSON.parse(output) : {} };
  };
  return {
    space,
    simulation,
    memory,
    call,
    contextOf,
    say: (...text: TextPiece[]) => send({ sensor: 'chat-message', text }),
    own: (text: string) => send({ sensor: 'chat-message', text: [{ text, origin: 'owner' }] }),
    inGroup: (text: string) => send({ sensor: 'chat-message', text: [{ text, origin: 'owner' }] }, '-70'),
    command: (name: string, rest: string) => send({ sensor: 'command', name, rest }),
    notes: async () => liveNotes(memory),
    holding: async (words: string) =>
      (await scanSpace(dynamo, space))
        .filter((item) => JSON.stringify(item).includes(words))
        .map((item) => `${String(item.pk).split('#')[0]} ${String(item.sk)}`),
  };
};

const liveNotes = async (memory: MemoryStore): Promise<readonly LiveObject[]> =>
  [...(await memory.view()).objects.values()].filter((object): object is LiveObject => object.state === 'live');

/** One note for each turn that names a colour. */
const distil = (text: string): string =>
  JSON.stringify(
    text.split('\n\n').flatMap((turn, n) => {
      const fact = /my (\w+) is (\w+)/.exec(turn)?.[0];
      return fact === undefined ? [] : [{ text: `The owner said: ${fact}.`, from: [n + 1] }];
    }),
  );

describe('gather-turns', () => {
  it('gathers what the owner said in private, and nothing that is untrusted, private or in a group', async () => {
    const world = buildWorld();
    const own = await world.own('my bike is blue');
    await world.say(
      { text: 'read this', origin: 'owner' },
      { text: 'my bank is evil', origin: 'outside', label: 'forward' },
    );
    await world.own('my doctor is Krull @personal');
    await world.own('my therapist is Anna, tagged personal');
    await world.inGroup('my boss is nice');
    await world.command('remember', 'my cat is old');
    const { data, origin } = await world.call('gather-turns');
    expect(data.turns).toStrictEqual([own]);
    expect(data.text).toBe('Turn 1\nPerson: my bike is blue\nYou: I see.');
    expect(origin).toBe('agent');
  });

  it('goes on where the last period ended, at most a day back', async () => {
    const world = buildWorld();
    await world.own('my car is red');
    world.simulation.advance(2 * DAY_MS);
    const own = await world.own('my bike is blue');
    const { data } = await world.call('gather-turns');
    expect(data.turns).toStrictEqual([own]);
    await world.call('keep-notes', { ...period(data), answer: '[]' });
    expect((await world.call('gather-turns')).data.turns).toStrictEqual([]);
    const later = await world.own('my boat is green');
    expect((await world.call('gather-turns')).data.turns).toStrictEqual([later]);
  });
});

const period = ({ from, until, turns }: { from: number; until: number; turns: string[] }) => ({ from, until, turns });

describe('keep-notes', () => {
  it('keeps notes that name their turns in one commit, the same period twice the same', async () => {
    const world = buildWorld();
    const bike = await world.own('my bike is blue');
    const { data } = await world.call('gather-turns');
    const args = { ...period(data), answer: `\`\`\`json\n${distil(data.text)}\n\`\`\`` };
    const first = await world.call('keep-notes', args);
    const kept = await world.notes();
    expect(kept.map((note) => [note.content, note.origin, note.attributes.tags, sourcesOf(note).turns])).toStrictEqual([
      ['The owner said: my bike is blue.', 'agent', ['scribe'], [bike]],
    ]);
    const { number } = await world.memory.head();
    expect(first.data.report).toContain(`/revert ${number}`);
    await world.call('keep-notes', args);
    expect(await world.notes()).toStrictEqual(kept);
    expect((await world.memory.head()).number).toBe(number);
  });

  it('does not bring back what a person took back', async () => {
    const world = buildWorld();
    await world.own('my bike is blue');
    const { data } = await world.call('gather-turns');
    const args = { ...period(data), answer: distil(data.text) };
    await world.call('keep-notes', args);
    await world.command('revert', String((await world.memory.head()).number));
    expect(await world.notes()).toStrictEqual([]);
    expect(world.simulation.sent.at(-1)?.text).toContain('is taken back.');
    await world.call('keep-notes', args);
    expect(await world.notes()).toStrictEqual([]);
  });

  it.each<[string, (turns: string[]) => object, string | undefined]>([
    [
      'a source nobody gathered',
      (turns) => ({ turns: [...turns, 'tg-9-9'], answer: '[{"text":"x","from":[2]}]' }),
      undefined,
    ],
    ['a number without a turn', () => ({ answer: '[{"text":"x","from":[7]}]' }), undefined],
    ['a private note', () => ({ answer: '[{"text":"x @personal","from":[1]}]' }), undefined],
    ['a private tag', () => ({ answer: '[{"text":"x","from":[1],"tags":["personal"]}]' }), undefined],
    ['no JSON', () => ({ answer: 'Here are the notes' }), "the model's answer"],
    ['no source', () => ({ answer: '[{"text":"x","from":[]}]' }), "the model's answer"],
  ])('keeps nothing of %s', async (_, change, problem) => {
    const world = buildWorld();
    await world.own('my bike is blue');
    const { data } = await world.call('gather-turns');
    const asked = world.call('keep-notes', { ...period(data), ...change(data.turns) });
    if (problem === undefined) expect((await asked).data).toMatchObject({ kept: 0 });
    else await expect(asked).rejects.toThrow(problem);
    expect(await world.notes()).toStrictEqual([]);
  });

  it('is refused for a text from outside', async () => {
    const world = buildWorld();
    const args = { from: 0, until: 1, turns: ['x'], answer: '[]' };
    await expect(world.call('keep-notes', args, { origin: 'outside' })).rejects.toThrow('your own conversations');
  });
});

describe('forgetting', () => {
  it('takes the notes along that were made of its turn, also after they were taken back', async () => {
    const world = buildWorld();
    await world.own('my safe is zirconium, tagged home');
    const [note] = await world.notes();
    await world.own('my bike is blue');
    const { data } = await world.call('gather-turns');
    await world.call('keep-notes', { ...period(data), answer: distil(data.text) });
    const scribed = (await world.notes()).filter(({ attributes }) => attributes.tags.includes('scribe'));
    expect(scribed).toHaveLength(2);
    await world.command('revert', String((await world.memory.head()).number));
    expect(await world.notes()).toHaveLength(1);
    expect((await world.holding('zirconium')).filter((key) => key.startsWith('memory version'))).toHaveLength(2);
    await world.command('forget', note?.id ?? '');
    expect(await world.holding('zirconium')).toStrictEqual([]);
    expect(await world.holding('my bike is blue')).not.toStrictEqual([]);
  });

  it('names the turn that a forgotten note was made of, and leaves it', async () => {
    const world = buildWorld();
    const own = await world.own('my safe is zirconium');
    const { data } = await world.call('gather-turns');
    await world.call('keep-notes', { ...period(data), answer: distil(data.text) });
    const [note] = await world.notes();
    await world.command('forget', note?.id ?? '');
    expect(await world.holding(`and they were left as they are: ${own}.`)).not.toStrictEqual([]);
    expect(await world.holding('my safe is zirconium')).toContain('signal record');
  });

  it('overtakes notes that are being kept', async () => {
    const world = buildWorld();
    await world.own('my safe is zirconium, tagged home');
    const [note] = await world.notes();
    const { data } = await world.call('gather-turns');
    const context = world.contextOf(99);
    const memory: MemoryStore = {
      ...context.memory,
      edit: async (request) => {
        await world.command('forget', note?.id ?? '');
        return context.memory.edit(request);
      },
    };
    const answer = distil(data.text);
    const kept = await world.call('keep-notes', { ...period(data), answer }, { memory });
    expect(kept.data.kept).toBe(0);
    expect(await world.notes()).toStrictEqual([]);
    expect(await world.holding('zirconium')).toStrictEqual([]);
  });

  it('takes an insight along with each of its notes, and a note that became one with it', async () => {
    const world = buildWorld();
    for (const n of [1, 2])
      await world.memory.remember(aNote({ text: 'The safe is of zirconium', effectId: `n#${n}` }));
    const { data } = await world.call('tend-memory');
    await world.call('mend-memory', { mends: data.mends });
    const [kept] = await world.notes();
    await world.call('keep-insight', { text: 'Zirconium is everywhere', notes: [kept?.id], isNew: true });
    expect(await world.notes()).toHaveLength(2);
    await world.command('forget', kept?.id ?? '');
    expect(await world.notes()).toStrictEqual([]);
    expect(await world.holding('irconium')).toStrictEqual([]);
  });
});

describe('tend-memory and mend-memory', () => {
  it('report what is untidy, say the same of the same memory, and mend as one change', async () => {
    const world = buildWorld();
    for (const n of [1, 2])
      await world.memory.remember(aNote({ text: 'The key is under the pot', effectId: `n#${n}` }));
    await world.memory.remember(aNote({ text: 'My PIN is 0815 0815', tags: ['personal'], effectId: 'n#3' }));
    await world.memory.remember(aNote({ text: 'My PIN is 0815 0815', tags: ['personal'], effectId: 'n#4' }));
    const { output, data } = await world.call('tend-memory');
    expect(data.report).toContain('Notes that say the same (1)');
    expect(output).not.toContain('0815');
    expect(shownInResults([{ tool: 'tend-memory', output }])).toHaveLength(2);
    world.simulation.advance(HOUR_MS);
    expect((await world.call('tend-memory')).output).toBe(output);
    const { number } = await world.memory.head();
    const mended = await world.call('mend-memory', { mends: data.mends });
    expect(mended.data.commit).toBe(number + 1);
    expect(await world.notes()).toHaveLength(3);
    await expect(world.call('mend-memory', { mends: data.mends })).rejects.toThrow('memory has changed');
    await world.command('revert', String(number + 1));
    expect(await world.notes()).toHaveLength(4);
  });

  it('puts a damaged object first', async () => {
    const world = buildWorld();
    const id = '00'.repeat(16);
    const by = { signalId: 's', effectId: 'e', actor: 'a', now: world.simulation.now() };
    await world.memory.edit({ by, edits: () => [{ kind: 'create', object: aNode(id, 'whole'), place: {} }] });
    const [stored] = (await scanSpace(dynamo, world.space)).filter(({ sk }) => sk === `object#${id}`);
    const { pk, sk, ...item } = stored ?? {};
    await dynamo.table.put({ pk: String(pk), sk: String(sk) }, { ...item, content: 'broken' });
    world.simulation.advance((28 - (Math.floor(world.simulation.now() / DAY_MS) % 28)) * DAY_MS);
    const { data } = await world.call('tend-memory');
    expect(data.report.split('\n').slice(2, 4)).toStrictEqual([
      'Damaged: restore a backup, or ask /audit verify (1):',
      '1. 00000000: its words do not fit their hash',
    ]);
  });
});

describe('pick-notes', () => {
  it('picks the same notes within four hours, then others, and none that is private or from outside', async () => {
    const world = buildWorld();
    for (let n = 0; n < 20; n += 1)
      await world.memory.remember(
        aNote({
          text: `A note long enough to think about ${n}`,
          effectId: `n#${n}`,
          tags: n % 4 === 0 ? ['personal'] : [],
          origin: n % 4 === 1 ? 'outside' : 'owner',
        }),
      );
    const first = await world.call('pick-notes');
    expect((await world.call('pick-notes')).output).toBe(first.output);
    world.simulation.advance(4 * HOUR_MS);
    expect((await world.call('pick-notes')).output).not.toBe(first.output);
    expect(first.data.notes).toHaveLength(4);
    for (const [, n] of first.data.text.matchAll(/about (\d+)/g)) expect(Number(n) % 4).toBeGreaterThan(1);
  });
});
