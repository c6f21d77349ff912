/**
 * Commands on a subtree: the model proposes, code shows the difference on one card, and nothing is
 * lost. What a model would drop, alter or invent is told to it, and no card is shown.
 */
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import { buildNote, type LiveObject } from '../../../lib/core/memory/object.ts';
import { type OutlineNode, outlineOf } from '../../../lib/core/memory/outline.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { buildPlanWorld, type Call } from '../plans/plan-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

/** Texts by their depth: `-` is directly below the root. */
const TREE = ['apples', 'drill', '-bits', 'pears', 'saw'];

const plant = async (texts: readonly string[] = TREE, tags: Readonly<Record<string, string>> = {}) => {
  const world = buildPlanWorld(dynamo.table);
  const ids: Record<string, string> = {};
  const make = async (text: string, parentId?: string) => {
    const made = { effectId: `made ${text}`, signalId: 'tg-1-99', now: world.simulation.now(), nonce: '0'.repeat(32) };
    const object = buildNote({ text, tags: [tags[text] ?? 'x'], origin: 'owner', ...made });
    await world.write([{ kind: 'create', object, place: { parentId } }]);
    ids[text] = object.id;
    return object.id;
  };
  const root = await make('things');
  let above = root;
  for (const text of texts) {
    const name = text.replace(/^-/, '');
    const id = await make(name, text.startsWith('-') ? above : root);
    if (!text.startsWith('-')) above = id;
  }
  const idOf = (name: string): string => ids[name] ?? '';
  return { ...world, root, idOf };
};
type World = Awaited<ReturnType<typeof plant>>;

const shown = ({ title, children }: OutlineNode): unknown =>
  children.length === 0 ? title : [title, ...children.map(shown)];
const treeOf = async ({ memory, root }: World) => outlineOf((await memory.view()).objects, root).map(shown)[0];

const arrange = ({ root }: World, change: JsonObject): Call => ['arrange-notes', { note: root, ...change }];
const outline = (world: World, ...lines: readonly string[]): JsonObject => ({
  outline: lines.map((one) => {
    const [, dashes = '', plus = '', name = ''] = /^(-*)(\+?)(.*)$/.exec(one) ?? [];
    const level = dashes.length + 1;
    return plus === '+' ? { title: name, level } : { id: world.idOf(name), level };
  }),
});
const proposes = (world: World, ...calls: readonly Call[]): void =>
  world.answerNext([['read-notes', { id: world.root }]], ...calls.map((one) => [one]), []);

describe('/organise', () => {
  it('shows one card with the difference, and arranges the notes by one commit that /undo takes back', async () => {
    const world = await plant();
    const before = await treeOf(world);
    const called = (name: string) => `“${name}” (${world.idOf(name).slice(0, 8)})`;
    proposes(
      world,
      arrange(world, outline(world, '+Fruit', '-pears', '-apples', '+Tools', '-saw', '-bits', '--drill')),
    );
    await world.say(`/organise ${world.root.slice(0, 8)}`);
    expect((await world.approval())?.lines).toStrictEqual([
      `Below: “things” (${world.root.slice(0, 8)})`,
      'Added: 2, moved: 5, changed: 0, removed: 0',
      'The notes then, in this order:',
      '1. new heading: Fruit',
      `1.1. ${called('pears')}, moved from below “things” (${world.root.slice(0, 8)})`,
      `1.2. ${called('apples')}, moved from below “things” (${world.root.slice(0, 8)})`,
      '2. new heading: Tools',
      `2.1. ${called('saw')}, moved from below “things” (${world.root.slice(0, 8)})`,
      `2.2. ${called('bits')}, moved from below ${called('drill')}`,
      `2.2.1. ${called('drill')}, moved from below “things” (${world.root.slice(0, 8)})`,
    ]);
    expect(await treeOf(world)).toStrictEqual(before);
    const { number } = await world.memory.head();
    await world.decide('approve');
    expect(await treeOf(world)).toStrictEqual([
      'things',
      ['Fruit', 'pears', 'apples'],
      ['Tools', 'saw', ['bits', 'drill']],
    ]);
    expect((await world.memory.head()).number).toBe(number + 1);
    const [, code = ''] = /\/undo ([0-9a-f]{6})/.exec(await world.say('/undo')) ?? [];
    await world.say(`/undo ${code}`);
    expect(await treeOf(world)).toStrictEqual(before);
  });

  it.each<[why: string, lines: readonly string[], told: string]>([
    ['leaves a note out', ['apples', 'drill', '-bits', 'pears'], 'every note must stay'],
    ['has a note twice', ['apples', 'drill', '-bits', 'pears', 'saw', 'saw'], 'has a note twice'],
    ['goes two levels down', ['apples', 'drill', '--bits', 'pears', 'saw'], 'more than one below'],
    ['begins below nothing', ['-apples', 'drill', 'bits', 'pears', 'saw'], 'more than one below'],
  ])('refuses a proposal that %s, and tells the model why', async (_, lines, told) => {
    const world = await plant();
    const before = await treeOf(world);
    const call = arrange(world, outline(world, ...lines));
    proposes(world, call, call, call);
    await world.say(`/organise ${world.root.slice(0, 8)}`);
    expect([await world.waiting(), await treeOf(world)]).toStrictEqual([[], before]);
    expect(world.prompts.at(-1)).toContain(told);
    // One to read, and three tries at most.
    expect(world.prompts.length).toBeLessThanOrEqual(4);
  });

  it.each<[why: string, change: (world: World) => JsonObject]>([
    ['a note from elsewhere', (world) => ({ outline: [{ id: world.root, level: 1 }] })],
    ['a text beside an id', (world) => ({ outline: [{ id: world.idOf('saw'), text: 'axe', level: 1 }] })],
    ['both a title and an id', (world) => ({ outline: [{ id: world.idOf('saw'), title: 'axe', level: 1 }] })],
    ['an order and a summary', (world) => ({ ...outline(world, ...TREE), summary: { title: 'a', text: 'b' } })],
  ])('refuses %s', async (_, change) => {
    const world = await plant();
    const before = await treeOf(world);
    const call = arrange(world, change(world));
    proposes(world, call, call, call);
    await world.say(`/organise ${world.root.slice(0, 8)}`);
    expect([await world.waiting(), await treeOf(world)]).toStrictEqual([[], before]);
  });

  it('shows no private note to the model, and leaves it below its own parent', async () => {
    const world = await plant(TREE, { bits: 'personal' });
    proposes(world, arrange(world, outline(world, 'saw', 'pears', 'drill', 'apples')));
    await world.say(`/organise ${world.root.slice(0, 8)}`);
    expect(world.prompts.some((prompt) => prompt.includes('bits'))).toBe(false);
    await world.decide('approve');
    expect(await treeOf(world)).toStrictEqual(['things', 'saw', 'pears', ['drill', 'bits'], 'apples']);
  });

  it('does nothing if the notes changed after the card', async () => {
    const world = await plant();
    proposes(world, arrange(world, outline(world, 'saw', 'pears', 'drill', '-bits', 'apples')));
    await world.say(`/organise ${world.root.slice(0, 8)}`);
    await world.edit(world.idOf('bits'), { content: 'drill bits' });
    expect(await world.decide('approve')).toContain('It failed.');
    expect(world.prompts.at(-1)).toContain('the notes have changed since they were read');
    expect(await treeOf(world)).toStrictEqual(['things', 'apples', ['drill', 'drill bits'], 'pears', 'saw']);
  });

  it('asks no model about a note with too many below it, a private one, or one with none', async () => {
    const many = await plant(Array.from({ length: 51 }, (_, n) => `note ${n}`));
    expect(await many.say(`/organise ${many.root.slice(0, 8)}`)).toContain('it has 51 notes below it, and 50 can be');
    expect(await many.say(`/organise ${many.idOf('note 3').slice(0, 8)}`)).toContain('no note below it');
    const hidden = await plant(TREE, { things: 'personal' });
    expect(await hidden.say(`/organise ${hidden.root.slice(0, 8)}`)).toContain('marked private');
    expect([many.prompts, hidden.prompts]).toStrictEqual([[], []]);
  });
});

const below = async (world: World): Promise<readonly LiveObject[]> =>
  [...(await world.memory.view()).objects.values()].filter((one): one is LiveObject => one.state === 'live');

describe('/summarise', () => {
  it('adds one note above the others, which names its sources, and changes nothing else', async () => {
    const world = await plant();
    const before = (await below(world)).map(({ id, content }) => [id, content]);
    proposes(world, arrange(world, { summary: { title: 'In short', text: 'Fruit and tools.' } }));
    await world.say(`/summarise ${world.root.slice(0, 8)}`);
    expect((await world.approval())?.lines?.slice(1)).toStrictEqual([
      'Added: 1, moved: 0, changed: 0, removed: 0',
      'New first note: In short',
      '  Fruit and tools.',
    ]);
    await world.decide('approve');
    expect(await treeOf(world)).toStrictEqual(['things', 'In short', 'apples', ['drill', 'bits'], 'pears', 'saw']);
    const after = await below(world);
    expect(after.map(({ id, content }) => [id, content])).toStrictEqual(expect.arrayContaining(before));
    const made = after.find(({ attributes }) => attributes.title === 'In short');
    expect([after.length, made?.attributes.properties?.notes]).toStrictEqual([
      before.length + 1,
      [world.root, ...['apples', 'drill', 'bits', 'pears', 'saw'].map(world.idOf)],
    ]);
  });
});

describe('/link', () => {
  it('adds links between notes that there are, and none else', async () => {
    const world = await plant();
    const links = [{ from: world.idOf('bits'), to: world.idOf('drill') }];
    proposes(
      world,
      arrange(world, { links: [{ from: world.idOf('bits'), to: 'f'.repeat(32) }] }),
      arrange(world, { links }),
    );
    await world.say(`/link ${world.root.slice(0, 8)}`);
    expect((await world.approval())?.lines?.at(-1)).toBe(
      `New link: “bits” (${world.idOf('bits').slice(0, 8)}) → “drill” (${world.idOf('drill').slice(0, 8)})`,
    );
    await world.decide('approve');
    const linked = (await below(world)).flatMap(({ content, attributes }) =>
      attributes.links ? [[content, attributes.links]] : [],
    );
    expect(linked).toStrictEqual([['bits', [world.idOf('drill')]]]);
  });
});
