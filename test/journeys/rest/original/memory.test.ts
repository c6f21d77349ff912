/**
 * Memory as a person, an editor and the model see it: notes with their hashes and history, scopes,
 * snapshots, what a prompt shows of it in full and in outline, and all of it after a new start.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startTarget } from '../../../support/target.ts';
import { callOf, openPerson, type Person } from '../../support/person.ts';

/** Texts about one thing, whatever they call it, have one direction. */
const TOPICS = [/bicycle|velo/i, /tax/i];
const endpoint = await startTarget(({ method, body }) => {
  if (method === 'GET') return { body: '{"data":[{"id":"topics"}]}' };
  const { input } = JSON.parse(body) as { readonly input: readonly string[] };
  const vectorOf = (text: string) => TOPICS.map((topic) => (topic.test(text) ? 1 : 0.01));
  const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }));
  return { body: JSON.stringify({ data, usage: { prompt_tokens: 3 } }) };
});
const dataDir = mkdtempSync(join(tmpdir(), 'passepartout-memory-'));
const open = () =>
  openPerson({ dataDir, environment: { EMBEDDING_MODEL: 'topics', EMBEDDING_BASE_URL: `${endpoint.url}/v1` } });

let me: Person = await open();
afterAll(async () => {
  await me.close();
  endpoint.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const say = async (text: string, session?: string) => (await me.writes(text, session)).said;
const idIn = (text: string) => /[0-9a-f]{32}/.exec(text)?.[0] ?? '';
const remember = async (text: string, session?: string) => idIn(await say(`/remember ${text}`, session));
const hashOf = async (id: string) => /^hash ([0-9a-f]{64})$/m.exec(await say(`/audit ${id}`))?.[1];
/** What the model is shown of memory in a conversation. */
const contextOf = async (text: string, session?: string): Promise<string> => {
  await say(text, session);
  const all =
    me.world.model.requests
      .at(-1)
      ?.messages.map(({ content }) => content)
      .join('\n') ?? '';
  return /# CONTEXT\n([\s\S]*?)\n(?:# |⟦)/.exec(all)?.[1] ?? '';
};
const editor = async (path: 'buffer' | 'point', body: object) => {
  const sent = await me.world.api<{ id: string }>('POST', `/api/memory/${path}`, body);
  return me.world.settled(sent.body.id);
};

describe('Memory store', () => {
  it('a note has words, tags, a state, properties, a place and a scope, and can be found again', async () => {
    const id = await remember('my bike is blue #bike');
    expect(await say(`/memory ${id}`)).toMatch(
      /^[0-9a-f]{8} {2}my bike is blue #bike\n[0-9a-f]{32} \(note, memex, from owner, version 1, /,
    );
    expect(await say(`/edit ${id} state TODO`)).toContain('state: (none) → TODO');
    expect(await say('/recall blue')).toContain('my bike is blue');
    const { said } = await me.writes(callOf('recall', { query: 'bike' }));
    expect(said).toContain('my bike is blue');
  });
});

describe('Tools that change notes', () => {
  it('the model changes title, state, tags and properties of a note after a yes to the difference', async () => {
    const id = await remember('paint the fence');
    const args = { id, title: 'Fence', state: 'TODO', tags: ['garden'], properties: { AREA: 'south' } };
    await me.writes(callOf('edit-memory', args));
    const [card] = await me.waiting();
    expect(card?.rest.join('\n')).toContain('title: (none) → Fence');
    await me.decides('approve');
    const shown = await say(`/memory ${id}`);
    for (const words of ['Fence', 'TODO', '#garden', 'AREA', 'south']) expect(shown).toContain(words);
  });

  it('a private note is shown to nobody but its owner', async () => {
    const id = await remember('the safe opens with 4711 #personal');
    expect(await say(`/memory ${id}`)).toContain('4711');
    expect(await contextOf('how does the safe open?')).not.toContain('4711');
  });
});

describe('Hashing of notes', () => {
  it('a change of a note changes the hash of all above it, and text that is the same changes nothing', async () => {
    const nodes = (words: string) => [
      { level: 1, key: 'draft', title: 'Draft' },
      { level: 2, key: 'a', content: words },
      { level: 2, key: 'b', content: 'last lines' },
    ];
    const taken = await editor('buffer', { nodes: nodes('first lines') });
    expect(taken.effects[0]?.output).toContain('3 new, 0 changed');
    const [root = '', , last = ''] = (taken.effects[0]?.output ?? '').match(/[0-9a-f]{32}/g) ?? [];
    const before = [await hashOf(root), await hashOf(last)];
    expect((await editor('buffer', { nodes: nodes('first lines') })).effects[0]?.output).toContain('0 new, 0 changed');
    expect([await hashOf(root), await hashOf(last)]).toStrictEqual(before);
    await editor('buffer', { nodes: nodes('other lines') });
    expect(await hashOf(root)).not.toBe(before[0]);
    expect(await hashOf(last)).toBe(before[1]);
  });
});

describe('Lineage and audit of a note', () => {
  it('each version of a note stays, with its hash, its commit, its author and the message that said it', async () => {
    const { id: said, ...first } = await me.writes('/remember buy lanterns');
    const id = idIn(first.said);
    await say(`/edit ${id} text buy twelve lanterns`);
    const audit = await say(`/audit ${id}`);
    expect(audit).toMatch(new RegExp(`^${id} {2}note, memex, live\nhash [0-9a-f]{64}\n`));
    expect(audit).toMatch(new RegExp(`^version 1 .* by console-approver, said by ${said} `, 'm'));
    expect(audit).toMatch(/^version 2 {2}commit \d+ {2}.* write by console-approver/m);
  });
});

describe('Snapshots and rollback', () => {
  it('memory goes back to a snapshot after a yes, and the history keeps what was undone', async () => {
    await say('/snapshot before');
    const id = await remember('poisonous advice');
    expect(await say('/snapshots')).toMatch(/^before {2}commit \d+/);
    await me.writes('/rollback before');
    await me.decides('approve');
    expect(await say('/recall poisonous')).toContain('Nothing in memory');
    expect(await say(`/audit ${id}`)).toMatch(
      /, removed\n[\s\S]*version 1 .* write by .*\n.* removed by console-approver/,
    );
  });
});

let party = '';
describe('Projects', () => {
  it('each prompt shows active projects in outline, and none that is done', async () => {
    party = idIn(await say('/project new Garden party'));
    expect(await contextOf('hello')).toMatch(/TODO Garden party/);
    await say('/project done garden party');
    expect(await contextOf('hello')).not.toContain('Garden party');
    await say(`/edit ${party} state TODO`);
  });
});

describe('Foveal context', () => {
  it('what is in focus is shown in full, and the rest in outline', async () => {
    const long = 'Bring the long ladder from the cellar.';
    const [near, far] = [await remember('lamps of the party'), await remember('music of the party')];
    for (const id of [near, far]) {
      await say(`/edit ${id} parent ${party}`);
      await say(`/edit ${id} title ${id === near ? 'Lamps' : 'Music'}`);
      await say(`/edit ${id} text ${long}`);
    }
    await editor('point', { objectId: near });
    const shown = await contextOf('what is next?');
    expect(shown).toMatch(new RegExp(`Lamps[^\n]*(?:\n[^\n]*)?${long}`));
    expect(shown.match(new RegExp(long, 'g'))).toHaveLength(1);
    expect(shown).toContain('Music');
  });
});

describe('Scopes of notes', () => {
  it('a note is found everywhere, in its conversation alone, or while its project is in focus', async () => {
    await say('/scope session', 'one');
    await remember('the code word is heron', 'one');
    expect(await say('/recall heron', 'one')).toContain('the code word is heron (session)');
    expect(await say('/recall heron', 'two')).toContain('Nothing in memory');
    await say('/focus garden party', 'one');
    await say('/scope project', 'one');
    await remember('the guests bring salad', 'one');
    expect(await say('/recall salad', 'two')).toContain('Nothing in memory');
    await say('/focus garden party', 'two');
    expect(await say('/recall salad', 'two')).toContain('the guests bring salad (project)');
  });
});

describe('Embeddings', () => {
  it('vectors are made in the background, and bring up what a question means in other words', async () => {
    await remember('my bicycle has 21 gears');
    await me.world.stack.invoke('embed', { scheduledAt: new Date(0).toISOString() });
    expect(await contextOf('what of the velo?', 'three')).toContain('my bicycle has 21 gears');
    expect(await contextOf('what of the harbour?', 'three')).not.toContain('21 gears');
  });
});

describe('Search in memory', () => {
  it('notes are found by words in any form, the best first, and a few of many', async () => {
    for (const text of ['the boat is in the harbour', 'boats need paint, and a boat needs a harbour', 'a train'])
      await remember(text);
    const found = (await say('/recall boat harbours')).split('\n');
    expect(found[0]).toContain('harbour');
    expect(found.join('\n')).not.toContain('a train');
  });
});

describe('Notes in text files', () => {
  it('a folder of notes goes in and comes out the same', async () => {
    const [from, to] = [join(me.cli.folder, 'in'), join(me.cli.folder, 'out')];
    mkdirSync(from);
    const text = '* TODO Shed :garden:\n:PROPERTIES:\n:AREA: south\n:END:\nMend the roof of the shed.\n';
    writeFileSync(join(from, 'shed.org'), text);
    expect(await me.types(['import', from])).toContain('1 file with 2 notes went in');
    expect(await say('/recall roof shed')).toContain('Shed TODO #garden');
    await me.types(['export', to]);
    expect(readFileSync(join(to, 'shed.org'), 'utf8')).toBe(text);
  });

  it('a folder is kept in step both ways', async () => {
    const folder = join(me.cli.folder, 'kept');
    mkdirSync(folder);
    writeFileSync(join(folder, 'boat.org'), '* TODO Boat\nMend the mast.\n');
    expect(await me.types(['notes', 'sync', folder, '--trust'])).toContain('In step: 1 file with 2 notes');
    const [, id = ''] = /^([0-9a-f]{8})/m.exec(await say('/recall mast boat')) ?? [];
    await say(`/edit ${id} state DONE`);
    await me.types(['notes', 'sync', folder, '--trust']);
    expect(readFileSync(join(folder, 'boat.org'), 'utf8')).toBe('* DONE Boat\nMend the mast.\n');
  });
});

describe('Memory store, on disk', () => {
  it('after a new start all is there: notes, their history, and an action that waits for its yes', async () => {
    const id = await remember('the spare key is at Ann');
    await me.writes(callOf('edit-memory', { id, text: 'the spare key is at Ben' }));
    const hash = await hashOf(id);
    await say('the ferry leaves at nine', 'trip');
    await me.close();
    me = await open();
    expect([await say('/recall spare'), await hashOf(id)]).toStrictEqual([
      `${id.slice(0, 8)}  the spare key is at Ann`,
      hash,
    ]);
    expect(await say(`/audit ${id}`)).toMatch(/^version 1 {2}commit \d+ .* write by console-approver/m);
    await me.decides('approve');
    expect(await say(`/memory ${id}`)).toContain('the spare key is at Ben');
  });
});

describe('Archive of conversations', () => {
  it('a prompt holds what was said before in its conversation, also before the new start, and in no other', async () => {
    const promptOf = async (session: string) => {
      await say('when does it leave?', session);
      return JSON.stringify(me.world.model.requests.at(-1)?.messages);
    };
    expect(await promptOf('trip')).toContain('the ferry leaves at nine');
    expect(await promptOf('elsewhere')).not.toContain('the ferry leaves at nine');
  });
});
