/** A folder of notes kept in step with memory: real files, and the product's memory on a table. */
import { chmodSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDynamo } from '../../support/dynamo.ts';
import { openSyncWorld, type SyncWorld } from './sync-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

let world: SyncWorld;
beforeEach(() => {
  world = openSyncWorld(dynamo.table);
});
afterEach(() => world.close());

const ORG = `#+TITLE: House

Words   with  odd spaces.
* TODO [#A] Paint the door            :home:
  SCHEDULED: <2026-05-01 Fri>
  :PROPERTIES:
  :EFFORT:  2h
  :END:
Blue, two coats.

** Buy paint
- [ ] blue
*  WAITING Roof
Later.
`;
const MARKDOWN = `---
tags: [garden]
status: draft
---

Some words.

Roses
=====

*Red* ones.

## DONE Cut them #spring {#cut}

In March.
`;

const problemsOf = ({ problems }: { readonly problems: readonly { readonly problem: string }[] }) =>
  problems.map(({ problem }) => problem);

describe('a round', () => {
  it('takes files in, writes nothing, and has nothing to do the second time', async () => {
    world.write('house.org', ORG);
    world.write('sub/roses.md', MARKDOWN);
    const first = await world.sync();
    expect(first).toMatchObject({ toMemory: ['house.org', 'sub/roses.md'], toFile: [], questions: [], problems: [] });
    expect(await world.find('Paint the door')).toMatchObject({
      origin: 'owner',
      content: 'Blue, two coats.',
      attributes: { tags: ['home'], todo: 'TODO', properties: { EFFORT: '2h', PRIORITY: 'A' } },
    });
    const { number } = await world.memory.head();
    expect(await world.sync()).toMatchObject({ toMemory: [], toFile: [], questions: [], problems: [] });
    expect((await world.memory.head()).number).toBe(number);
    expect(world.read('house.org')).toBe(ORG);
    expect(world.read('sub/roses.md')).toBe(MARKDOWN);
  });

  it('writes what memory changed, and keeps every other byte', async () => {
    world.write('house.org', ORG);
    world.write('roses.md', MARKDOWN);
    await world.sync();
    await world.setText('Paint the door', 'Red, one coat.');
    const roof = await world.find('Roof');
    await world.change({
      kind: 'update',
      id: roof.id,
      attributes: { ...roof.attributes, todo: 'DONE', tags: ['home', 'high'] },
      origin: 'owner',
    });
    await world.setText('Roses', 'White ones.');
    expect((await world.sync()).toFile).toStrictEqual(['house.org', 'roses.md']);
    expect(world.read('house.org')).toBe(
      ORG.replace('Blue, two coats.', 'Red, one coat.').replace('*  WAITING Roof', '* DONE Roof :high:home:'),
    );
    expect(world.read('roses.md')).toBe(MARKDOWN.replace('*Red* ones.', 'White ones.'));
    expect(await world.sync()).toMatchObject({ toMemory: [], toFile: [], questions: [] });
  });

  it('takes what the file changed, and keeps the ids of notes', async () => {
    world.write('house.org', ORG);
    await world.sync();
    const before = [await world.find('Paint the door'), await world.find('Roof'), await world.find('Buy paint')];
    world.write('house.org', ORG.replace('Blue, two', 'Green, three').replace('Roof', 'Roof and wall'));
    await world.setText('Buy paint', '- [X] blue');
    expect(await world.sync()).toMatchObject({ toMemory: ['house.org'], toFile: ['house.org'], questions: [] });
    expect((await world.find('Paint the door')).content).toBe('Green, three coats.');
    expect([(await world.find('Paint the door')).id, (await world.find('Roof and wall')).id]).toStrictEqual(
      before.slice(0, 2).map(({ id }) => id),
    );
    expect(world.read('house.org')).toBe(
      ORG.replace('Blue, two', 'Green, three').replace('Roof', 'Roof and wall').replace('- [ ] blue', '- [X] blue'),
    );
  });

  it('brings notes that memory made below a note of a file into it, with their ids', async () => {
    world.write('house.org', ORG);
    await world.sync();
    const door = await world.find('Paint the door');
    await world.memory.remember({
      ...{ text: 'Take the old one off.', title: 'Hinges', todo: 'TODO', tags: [], parentId: door.id },
      ...{ origin: 'agent', effectId: 'new#0', signalId: 'new', now: 5, nonce: 'a'.repeat(32) },
    });
    await world.sync();
    const { id } = await world.find('Hinges');
    const part = `** TODO Hinges\n:PROPERTIES:\n:ID: ${id}\n:END:\nTake the old one off.\n`;
    expect(world.read('house.org')).toBe(ORG.replace('*  WAITING', `${part}*  WAITING`));
    world.write('house.org', world.read('house.org').replace('old one', 'rusty one'));
    await world.sync();
    expect(await world.find('Hinges')).toMatchObject({ id, content: 'Take the rusty one off.' });
  });

  it('keeps both versions of a note that both changed, and asks', async () => {
    world.write('house.org', ORG);
    await world.sync();
    const changed = ORG.replace('Blue, two', 'Green, two');
    world.write('house.org', changed);
    await world.setText('Paint the door', 'Red, one coat.');
    const { questions, toFile, toMemory } = await world.sync();
    const [question] = questions;
    const copy = question?.copy ?? '';
    expect(questions).toStrictEqual([
      {
        ...{ code: question?.code, kind: 'differs', file: 'house.org', title: 'Paint the door', isNew: true },
        ...{ object: (await world.find('Paint the door')).id, copy: `house.org.${question?.code}.conflict` },
      },
    ]);
    expect([toFile, toMemory]).toStrictEqual([[], []]);
    expect(world.read('house.org')).toBe(changed);
    expect((await world.find('Paint the door')).content).toBe('Red, one coat.');
    expect(world.read(copy)).toContain('Red, one coat.');
    expect((await world.sync()).questions).toMatchObject([{ isNew: false }]);
    const answers = new Map([[question?.code ?? '', 'memory' as const]]);
    expect(await world.sync({ answers })).toMatchObject({ questions: [], toFile: ['house.org'] });
    expect(world.read('house.org')).toBe(ORG.replace('Blue, two coats.', 'Red, one coat.'));
    // What the person had typed is kept.
    expect(
      Object.entries(world.files())
        .filter(([file]) => file.startsWith('.trash/'))
        .join(),
    ).toContain('Green, two');
    expect(Object.keys(world.files()).filter((file) => file.endsWith('.conflict'))).toStrictEqual([]);
    expect(await world.sync()).toMatchObject({ questions: [], toFile: [], toMemory: [] });
  });

  it.each([
    ['by removing the copy', async (copy: string) => world.remove(copy)],
    [
      'in a chat',
      async () => {
        const { id, attributes } = await world.find('Paint the door');
        const properties = { ...attributes.properties, 'sync-keep': 'file' };
        await world.change({ kind: 'update', id, attributes: { ...attributes, properties }, origin: 'owner' });
      },
    ],
  ])('lets the file count if a person says so %s', async (_how, answer) => {
    world.write('house.org', ORG);
    await world.sync();
    world.write('house.org', ORG.replace('Blue, two', 'Green, two'));
    await world.setText('Paint the door', 'Red, one coat.');
    const [question] = (await world.sync()).questions;
    await answer(question?.copy ?? '');
    expect(await world.sync()).toMatchObject({ questions: [], toMemory: ['house.org'] });
    expect((await world.find('Paint the door')).content).toBe('Green, two coats.');
  });

  it('follows what one side removed, and asks if the other changed it', async () => {
    world.write('house.org', ORG);
    world.write('b.md', '# One\n\nwords of one\n\n# Two\n\nwords of two\n\n# Three\n\nwords of three\n');
    await world.sync();
    world.write('b.md', '# Two\n\nwords of two\n\n# Three\n\nother words of three\n');
    const [two, three] = [await world.find('Two'), await world.find('Three')];
    await world.change({ kind: 'remove', id: two.id }, { kind: 'remove', id: three.id });
    const { questions } = await world.sync();
    expect(questions).toMatchObject([{ kind: 'gone-from-memory', title: 'Three', file: 'b.md' }]);
    expect(world.read('b.md')).toBe('# Three\n\nother words of three\n');
    expect((await world.objects()).map(({ attributes }) => attributes.title)).not.toContain('One');
    expect(Object.entries(world.files()).find(([file]) => file.startsWith('.trash/b.md'))?.[1]).toBe(
      '# Two\n\nwords of two\n\n',
    );
    const answers = new Map([[questions[0]?.code ?? '', 'file' as const]]);
    expect(await world.sync({ answers })).toMatchObject({ questions: [] });
    expect((await world.find('Three')).content).toBe('other words of three');
  });

  it('follows a file that is gone, and asks if memory changed a note of it', async () => {
    world.write('house.org', ORG);
    world.write('b.md', '# One\n\nwords\n');
    world.write('c.md', '# Other\n\nwords\n');
    await world.sync();
    world.remove('house.org');
    world.remove('b.md');
    await world.setText('One', 'newer words');
    const { questions } = await world.sync();
    expect(questions).toMatchObject([{ kind: 'gone-from-file', file: 'b.md' }]);
    const titles = (await world.objects()).map(({ attributes }) => attributes.title);
    expect(titles).not.toContain('Roof');
    expect(titles).toContain('One');
    const answers = new Map([[questions[0]?.code ?? '', 'memory' as const]]);
    expect(await world.sync({ answers })).toMatchObject({ questions: [], toFile: ['b.md'] });
    expect(world.read('b.md')).toBe('# One\n\nnewer words\n');
  });

  it('moves a file to the trash whose document left memory', async () => {
    world.write('house.org', ORG);
    world.write('b.md', '# One\n\nwords\n');
    await world.sync();
    await world.change({ kind: 'remove', id: (await world.find('House')).id });
    expect(await world.sync()).toMatchObject({ toFile: ['house.org'], questions: [] });
    const files = world.files();
    expect(files['house.org']).toBeUndefined();
    expect(Object.entries(files).find(([file]) => file.startsWith('.trash/house.org'))?.[1]).toBe(ORG);
    expect(await world.sync()).toMatchObject({ toFile: [], toMemory: [] });
  });

  it('knows a renamed file, and a file with other line ends', async () => {
    world.write('house.org', ORG);
    await world.sync();
    const before = await world.find('Paint the door');
    const { number } = await world.memory.head();
    world.write('house.org', ORG.replaceAll('\n', '\r\n'));
    expect(await world.sync()).toMatchObject({ toMemory: [], toFile: [], questions: [] });
    expect((await world.memory.head()).number).toBe(number);
    world.remove('house.org');
    world.write('old/home.org', ORG.replaceAll('\n', '\r\n'));
    expect(await world.sync()).toMatchObject({ toMemory: ['old/home.org'], toFile: [], questions: [] });
    expect(await world.find('Paint the door')).toMatchObject({ id: before.id, version: before.version });
    await world.setText('Roof', 'Now.\nAnd then.');
    expect((await world.sync()).toFile).toStrictEqual(['old/home.org']);
    expect(world.read('old/home.org')).toBe(ORG.replace('Later.', 'Now.\nAnd then.').replaceAll('\n', '\r\n'));
    expect(await world.sync()).toMatchObject({ toMemory: [], toFile: [], questions: [] });
  });

  it('follows notes that memory moved to another file, and asks if their file changed them', async () => {
    world.write('a.org', '* One\nold\n');
    world.write('b.md', '# Four\n\nwords\n\n## Five\n\n# Six\n\nmore\n');
    world.write('c.md', '# Seven\n');
    await world.sync();
    const [one, four, c] = [await world.find('One'), await world.find('Four'), await world.find('c')];
    await world.change({ kind: 'move', id: four.id, place: { parentId: one.id } });
    await world.change({ kind: 'move', id: c.id, place: { parentId: one.id } });
    world.write('b.md', world.read('b.md').replace('words', 'newer words'));
    const { questions } = await world.sync();
    expect(questions).toMatchObject([{ kind: 'gone-from-memory', title: 'Four', file: 'b.md' }]);
    expect(world.read('a.org')).toBe('* One\nold\n** Four\nwords\n*** Five\n** c\n*** Seven\n');
    expect(Object.keys(world.files())).not.toContain('c.md');
    expect(await world.sync()).toMatchObject({ problems: [], questions: [{ isNew: false }], toFile: [], toMemory: [] });
    const answers = new Map([[questions[0]?.code ?? '', 'file' as const]]);
    expect(await world.sync({ answers })).toMatchObject({
      problems: [],
      questions: [],
      toFile: [],
      toMemory: ['b.md'],
    });
    expect(await world.sync()).toMatchObject({ problems: [], questions: [], toFile: [], toMemory: [] });
    const texts = (await world.objects()).flatMap(({ attributes, content }) =>
      attributes.title === 'Four' ? [content] : [],
    );
    expect(texts.toSorted()).toStrictEqual(['newer words', 'words']);
  });

  it('leaves many files that are gone at once until a person says that this is meant', async () => {
    world.write('a.md', '# One\n');
    world.write('b.md', '# Two\n');
    await world.sync();
    world.remove('a.md');
    world.remove('b.md');
    expect(problemsOf(await world.sync())).toStrictEqual(
      Array(2).fill('the file is gone, as are many others at once: --gone takes them out of memory'),
    );
    expect((await world.objects()).length).toBe(4);
    await world.sync({ mayLoseMany: true });
    expect(await world.objects()).toStrictEqual([]);
  });

  it('writes no private note, and asks about a forgotten one', async () => {
    world.write('house.org', ORG);
    await world.sync();
    const door = await world.find('Paint the door');
    await world.memory.remember({
      ...{ text: 'The key is under the pot.', title: 'Key', tags: ['secret-tag'], parentId: door.id },
      ...{ origin: 'owner', effectId: 'key#0', signalId: 'key', now: 5, nonce: 'a'.repeat(32) },
    });
    await world.forget('Buy paint');
    const { questions } = await world.sync();
    expect(JSON.stringify(world.files())).not.toContain('under the pot');
    expect(questions).toMatchObject([{ kind: 'forgotten', title: 'Buy paint', file: 'house.org' }]);
    expect((await world.sync()).questions).toMatchObject([{ kind: 'forgotten', isNew: false }]);
    const answers = new Map([[questions[0]?.code ?? '', 'memory' as const]]);
    expect(await world.sync({ answers })).toMatchObject({ questions: [], toFile: ['house.org'] });
    expect(JSON.stringify(world.files())).not.toContain('Buy paint');
    expect((await world.find('Key')).content).toBe('The key is under the pot.');
  });

  it('marks a note of others, and takes no mark for a change', async () => {
    world.write('house.org', ORG);
    await world.sync();
    await world.setText('Roof', 'Later, says a letter.', 'outside');
    await world.sync();
    const marked = world.read('house.org');
    expect(marked).toContain(':passepartout-origin: outside\n:END:\nLater, says a letter.');
    expect(await world.sync()).toMatchObject({ toMemory: [], toFile: [] });
    // Copied elsewhere with its mark, it does not become the owner's.
    const part = marked.slice(marked.indexOf('* WAITING Roof')).replace('Roof', 'Copied');
    world.write('copy.org', part.replace('a letter', 'this letter'));
    await world.sync();
    expect(await world.find('Copied')).toMatchObject({ origin: 'outside', content: 'Later, says this letter.' });
    expect((await world.find('Paint the door')).origin).toBe('owner');
  });

  it('gives notes of no file one each only if asked', async () => {
    await world.memory.remember({
      ...{ text: 'my bike is blue', tags: ['bike'], origin: 'owner' },
      ...{ effectId: 'bike#0', signalId: 'bike', now: 5, nonce: 'a'.repeat(32) },
    });
    expect((await world.sync()).toFile).toStrictEqual([]);
    const [file = ''] = (await world.sync({ isAll: true })).toFile;
    expect(file).toMatch(/^memory\/[0-9a-f]{16}\.md$/);
    world.write(file, world.read(file).replace('blue', 'red'));
    await world.sync({ isAll: true });
    expect((await world.objects()).map(({ content }) => content)).toStrictEqual(['my bike is red']);
  });
});

describe('hostile files', () => {
  it('are left as they are and named', async () => {
    const other = join(world.root, '..', `outside-${process.pid}.md`);
    writeFileSync(other, '# Outside\n');
    symlinkSync(other, join(world.root, 'link.md'));
    writeFileSync(join(world.root, 'bytes.md'), Buffer.from([0x23, 0x20, 0xff, 0xfe, 0xfd, 0x0a]));
    writeFileSync(join(world.root, 'huge.org'), 'x'.repeat(4 * 1024 * 1024 + 1));
    world.write('line\nbreak.md', '# Odd\n\nwords\n');
    world.write('ids.org', '* A\n:PROPERTIES:\n:ID: same\n:END:\n* B\n:PROPERTIES:\n:ID: same\n:END:\n');
    expect(problemsOf(await world.sync())).toStrictEqual([
      'a link out of the folder is not followed',
      'it is not UTF-8, and could not be written back: save it as UTF-8',
      '4194305 bytes, more than the 4194304 one file may have: split it',
      'the same id twice: the second is kept by its place',
      'its name has signs that are not used, or is that of a secret: rename it',
    ]);
    const titles = (await world.objects()).map(({ attributes }) => attributes.title);
    expect(titles.toSorted()).toStrictEqual(['A', 'B', 'ids']);
  });

  it('with an id of another file are left until a person says which is meant', async () => {
    world.write('a.org', '* A\n:PROPERTIES:\n:ID: one\n:END:\nfirst\n');
    await world.sync();
    world.write('0.org', '* Copy\n:PROPERTIES:\n:ID: one\n:END:\nsecond\n');
    const result = await world.sync();
    expect(problemsOf(result)).toStrictEqual([
      'its id stands in a.org too: which of both is it? Give one another id, or take one away. Until then this file is left as it is',
    ]);
    expect((await world.find('A')).content).toBe('first');
    world.write('0.org', '* Copy\nsecond\n');
    expect(await world.sync()).toMatchObject({ problems: [], toMemory: ['0.org'] });
  });

  it('are not replaced while somebody writes them, and keep their mode', async () => {
    world.write('a.org', '* A\nfirst\n');
    chmodSync(join(world.root, 'a.org'), 0o640);
    await world.sync();
    await world.setText('A', 'second');
    const late = await world.round({
      step: (name) => {
        if (name === 'write') world.write('a.org', '* A\nfirst, and more\n');
      },
    });
    expect(late.isDue).toBe(true);
    expect(world.read('a.org')).toBe('* A\nfirst, and more\n');
    expect((await world.sync()).questions).toMatchObject([{ kind: 'differs' }]);
    world.write('a.org', '* A\nsecond\n');
    await world.sync();
    await world.setText('A', 'third');
    await world.sync();
    expect(world.read('a.org')).toBe('* A\nthird\n');
    expect(statSync(join(world.root, 'a.org')).mode & 0o777).toBe(0o640);
  });

  it('of a person who writes in memory meanwhile change nothing there', async () => {
    world.write('a.org', '* A\nfirst\n');
    await world.sync();
    world.write('a.org', '* A\nof the file\n');
    let isWritten = false;
    const send = world.store.send;
    const store = {
      ...world.store,
      send: async (...sent: Parameters<typeof send>) => {
        if (!isWritten) await world.setText('A', 'of a chat');
        isWritten = true;
        return send(...sent);
      },
    };
    expect((await world.sync({ store })).questions).toMatchObject([{ kind: 'differs', title: 'A' }]);
    expect([world.read('a.org'), (await world.find('A')).content]).toStrictEqual(['* A\nof the file\n', 'of a chat']);
  });
});
