/**
 * Memory as its owner uses it, on the whole local stack and by the real command: a folder goes in
 * and comes out the same, what is there is found, gone back over and followed, an editor's buffer
 * and cursor are taken.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BODY_BYTES_MAX } from '../../lib/core/base/limits.ts';
import { openCli, type TestCli } from '../support/cli.ts';
import { SCRIPT_TOKEN, startTestStack, until } from '../support/stack.ts';

const world = await startTestStack({ isPolling: false });
const command = openCli(world.stack.url);
const folder = command.folder;
mkdirSync(join(folder, 'in/sub'), { recursive: true });
writeFileSync(join(folder, 'in/bike.md'), '# Bike\n\nThe bike is blue.\n\n## Repairs #shop\n\nNew chain in May.\n');
writeFileSync(
  join(folder, 'in/sub/plans.org'),
  '* TODO Garden :home:\n:PROPERTIES:\n:AREA: south\n:END:\nPlant beans.\n',
);
afterAll(async () => {
  await world.stop();
  command.remove();
});

const cli: TestCli['run'] = (...words) => command.run(...words);
const at = (...parts: readonly string[]) => join(folder, ...parts);
const idIn = (text: string) => /[0-9a-f]{32}/.exec(text)?.[0] ?? '';

describe('memory on the stack', () => {
  it('takes a folder in, writes it back the same, and finds nothing new in that', async () => {
    const tags = Array.from({ length: 300 }, (_, n) => `t${n}`).join(', ');
    writeFileSync(at('in/bad.md'), `---\ntags: [${tags}]\n---\nwords\n`);
    const first = await cli('import', at('in'));
    expect(first).toStrictEqual({
      code: 1,
      out: '2 files with 5 notes went in, 0 files unchanged, 1 left out.\n',
      err: 'bad.md:1: 300 tags, more than 256: split the note\n',
    });
    rmSync(at('in/bad.md'));
    const kept = await cli('memory', 'remember', 'the', 'lock', 'is', 'green');
    expect({ ...kept, out: '' }).toStrictEqual({ code: 0, out: '', err: '' });
    expect((await cli('export', at('out'))).out).toBe('3 files written, 0 unchanged, 0 left alone.\n');
    for (const file of ['bike.md', 'sub/plans.org'])
      expect(readFileSync(at('out', file), 'utf8')).toBe(readFileSync(at('in', file), 'utf8'));
    expect(await cli('import', at('out'))).toStrictEqual({
      code: 0,
      out: '0 files with 0 notes went in, 3 files unchanged, 0 left out.\n',
      err: '',
    });
    expect((await cli('export', at('out'))).out).toBe('0 files written, 3 unchanged, 0 left alone.\n');
    const loose = join('memory', `${idIn(kept.out).slice(0, 16)}.md`);
    writeFileSync(at('out', loose), 'the lock is yellow\n');
    expect((await cli('import', at('out'))).out).toContain('1 file with 1 note went in, 2 files unchanged');
    expect(await cli('memory', 'show', idIn(kept.out))).toMatchObject({
      out: expect.stringContaining('the lock is yellow'),
    });
  });

  it('keeps the ids of what has not changed, and marks it outside unless an approver vouches for it', async () => {
    const before = JSON.parse((await cli('memory', 'outline', '--json')).out) as {
      objects: readonly { id: string; origin: string; version: number; attributes: { title?: string } }[];
    };
    const named = (title: string) => before.objects.find(({ attributes }) => attributes.title === title);
    expect(named('Repairs')).toMatchObject({ origin: 'outside', version: 1 });
    writeFileSync(at('in/bike.md'), '# Bike\n\nThe bike is red.\n\n## Repairs #shop\n\nNew chain in May.\n');
    expect((await cli('import', at('in'))).out).toContain(
      '1 file with 3 notes went in, 1 file unchanged, 0 left out.\n',
    );
    const shown = await cli('memory', 'show', named('Repairs')?.id ?? '');
    expect(shown.out).toContain('version 1,');
    expect((await cli('memory', 'recall', 'red', 'bike')).out).toContain('The bike is red.');
    mkdirSync(at('own'));
    writeFileSync(at('own/own.md'), '# Mine\n\nMy own words.\n');
    expect((await cli('import', at('own'), '--trust')).out).toContain('1 file with 2 notes went in');
    expect((await cli('memory', 'recall', 'own', 'words', '--json')).out).toContain('"origin": "owner"');
    const vouched = { nodes: [{ level: 1, key: 'k' }], isTrusted: true };
    const refused = await world.api('POST', '/api/memory/import', vouched, SCRIPT_TOKEN);
    expect(refused.status).toBe(403);
  });

  it('changes notes, starts projects and chooses scopes, and an edited export is the same note', async () => {
    const fence = idIn((await cli('memory', 'remember', 'paint', 'the', 'fence', '#garden')).out);
    const titled = await cli('memory', 'edit', fence.slice(0, 8), 'title', 'Fence');
    expect(titled).toStrictEqual({ code: 0, out: expect.stringContaining('title: (none) → Fence'), err: '' });
    expect(await cli('memory', 'edit', fence.slice(0, 8), 'colour', 'red')).toMatchObject({ code: 1 });
    const project = idIn((await cli('memory', 'project', 'new', 'Garden', 'party')).out);
    expect((await cli('memory', 'project', 'list')).out).toBe(`${project.slice(0, 8)}  Garden party TODO #project\n`);
    const moved = await cli('memory', 'edit', fence.slice(0, 8), 'parent', project.slice(0, 8));
    expect(moved.out).toContain('now below: Garden party');
    expect((await cli('memory', 'scope', 'project')).out).toContain('no project is in focus here');
    await cli('memory', 'focus', 'garden', 'party');
    expect((await cli('memory', 'scope', 'project')).out).toContain('(scope project)');
    const lanterns = idIn((await cli('memory', 'remember', 'buy', 'twelve', 'lanterns')).out);
    const asked = await world.api<{ id: string }>('POST', '/api/messages', { text: '/recall lanterns' });
    expect((await world.settled(asked.body.id)).replies.join()).toContain('buy twelve lanterns (project)');
    expect((await cli('memory', 'recall', 'lanterns')).out).toContain('Nothing in memory');
    expect((await cli('memory', 'show', lanterns)).out).toContain(`note, project, from owner`);
    await cli('export', at('party'));
    const file = at('party', 'memory', `${project.slice(0, 16)}.md`);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(`# Fence #garden {#${fence}}`);
    writeFileSync(file, text.replace('# Fence #garden', '## DONE Paint #garden').replace('twelve', 'twenty'));
    expect(await cli('import', at('party'), '--trust')).toMatchObject({ code: 0, err: '' });
    expect((await cli('memory', 'show', fence)).out).toContain('Paint DONE #garden');
    const after = (await cli('memory', 'show', lanterns)).out;
    expect(after).toContain('buy twenty lanterns');
    expect(after).toContain('note, project, from owner, version 2');
    expect((await cli('memory', 'project', 'done', 'garden party')).out).toContain('state: TODO → DONE');
    await cli('memory', 'focus', 'off');
  });

  it('goes back after an approval, and names who was shown what was undone', async () => {
    expect((await cli('memory', 'snapshot', 'before the poison')).out).toMatch(
      /^Snapshot before the poison is commit \d+\.\n$/,
    );
    const id = idIn((await cli('memory', 'remember', 'poisonous advice')).out);
    const sent = await world.api<{ id: string }>('POST', '/api/messages', { text: '/recall poisonous' });
    await world.settled(sent.body.id);
    const seen = await cli('seen-by', id, '--since', '1d');
    expect(seen.out).toContain(sent.body.id);
    expect(await cli('seen-by', id.slice(0, 8), '--since', '1d')).toStrictEqual(seen);
    const asked = await cli('memory', 'rollback', 'before the poison');
    expect(asked).toMatchObject({ code: 0, err: expect.stringContaining('This waits for your yes:\n') });
    expect((await cli('approvals', '--all')).out).toContain('gone again: poisonous advice');
    const pending = JSON.parse((await cli('approvals', '--json')).out) as {
      approvals: readonly { id: string; signalId: string }[];
    };
    const approval = pending.approvals[0];
    expect((await cli('approve', approval?.id ?? '')).code).toBe(0);
    const done = await until('the rollback is answered', async () => {
      const view = await world.signal(approval?.signalId ?? '');
      return view.replies.find((text) => text.startsWith('Memory is as it was')) ?? false;
    });
    expect(done).toContain('1 gone again');
    expect(done).toContain(`${sent.body.id}  `);
    expect((await cli('memory', 'recall', 'poisonous')).out).toContain('Nothing in memory');
    expect((await cli('memory', 'diff', 'before the poison .. 999999')).code).toBe(2);
  });

  it('forgets everywhere: no item of the table, no answer of the API and no page of the export says it any more', async () => {
    const words = 'the amber key lies under the third step';
    writeFileSync(at('own/key.md'), `# Keys\n\n${words}\n`);
    await cli('import', at('own'), '--trust');
    const id = idIn((await cli('memory', 'remember', words)).out);
    const asked = await world.api<{ id: string }>('POST', '/api/messages', { text: '/recall amber key' });
    expect((await world.settled(asked.body.id)).replies.join()).toContain(words);
    const chatted = await world.api<{ id: string }>('POST', '/api/messages', { text: 'where is the amber key?' });
    await world.settled(chatted.body.id);
    const forgotten = await cli('memory', 'forget', id.slice(0, 8));
    expect(forgotten.out).toContain(`Forgotten: ${id}.\n`);
    // The imported note holds the same words; nobody asked to forget that one.
    expect(forgotten.out).toMatch(/Other objects hold the same words: [0-9a-f]{32}/);
    const other = /same words: ([0-9a-f]{32})/.exec(forgotten.out)?.[1] ?? '';
    expect((await cli('memory', 'forget', other)).out).toContain(`Forgotten: ${other}.\n`);
    const holding = (await world.scan()).filter((item) =>
      JSON.stringify(item, (_, value) => (value instanceof Set ? [...value] : value)).includes(words),
    );
    expect(holding.map(({ pk, sk }) => `${pk} ${sk}`)).toStrictEqual([]);
    expect(JSON.stringify((await world.signal(asked.body.id)).replies)).toContain('[forgotten]');
    expect((await cli('why', asked.body.id)).out).not.toContain(words);
    expect((await cli('replay', asked.body.id)).out).toContain('forgotten');
    await cli('export', at('after'), '--overwrite');
    expect(readFileSync(at('after', 'key.md'), 'utf8')).not.toContain(words);
    // Neither what is written without it nor the file it came from is news.
    expect((await cli('import', at('after'), '--trust')).out).toContain('0 files with 0 notes went in');
    const again = await cli('import', at('own'), '--trust');
    expect({ code: again.code, lines: again.out.split('\n').slice(0, 2) }).toStrictEqual({
      code: 0,
      lines: [
        '0 files with 0 notes went in, 2 files unchanged, 0 left out.',
        'Left out, because notes of these files were forgotten and these may be them (--again takes them in):',
      ],
    });
    expect((await cli('import', at('own'), '--trust', '--again')).out).toContain('1 file with 2 notes went in');
    expect((await cli('memory', 'audit', id)).out).toContain('forgotten');
  });

  it('takes a large file whole, in parts of one commit, and forgets a note of it in every part', async () => {
    mkdirSync(at('large'));
    const sections = Array.from({ length: 220 }, (_, n) => {
      const heading = `${n % 10 === 0 ? '##' : '###'} Chapter ${n}`;
      return `${heading}\n\n${`Line ${n} of the long book. `.repeat(75).trim()}\n`;
    });
    const text = ['# Book\n', ...sections].join('\n');
    expect(Buffer.byteLength(text)).toBeGreaterThan(1.5 * BODY_BYTES_MAX);
    writeFileSync(at('large/book.md'), text);
    const commit = async () => JSON.parse((await cli('memory', 'outline', '--json')).out).commit as number;
    const before = await commit();
    expect(await cli('import', at('large'))).toStrictEqual({
      code: 0,
      out: expect.stringContaining('1 file with 222 notes went in, 0 files unchanged, 0 left out.\n'),
      err: '',
    });
    expect(await commit()).toBe(before + 1);
    await cli('export', at('large-out'));
    expect(readFileSync(at('large-out/book.md'), 'utf8')).toBe(text);
    expect((await cli('import', at('large'))).out).toContain('0 files with 0 notes went in, 1 file unchanged');
    writeFileSync(at('large/book.md'), text.replace('Line 7 of', 'Line seven of'));
    expect(await cli('import', at('large'))).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 file with 222 notes went in'),
      err: '',
    });
    const found = JSON.parse((await cli('memory', 'recall', '"Chapter 7"', 'seven', '--json')).out);
    const id = JSON.stringify(found).match(/[0-9a-f]{32}/)?.[0] ?? '';
    expect((await cli('memory', 'show', id)).out).toContain('version 2,');
    expect((await cli('memory', 'forget', id)).out).toContain(`Forgotten: ${id}.`);
    const holding = (await world.scan()).filter((item) => /Line (7|seven) of the long book/.test(JSON.stringify(item)));
    expect(holding.map(({ pk, sk }) => `${pk} ${sk}`)).toStrictEqual([]);
  });

  it("takes an editor's buffer and cursor, and says by place what does not fit", async () => {
    const nodes = [
      { level: 1, key: 'buffer-1', title: 'Draft' },
      { level: 2, key: 'a', content: 'first lines' },
    ];
    const sent = await world.api<{ id: string }>('POST', '/api/memory/buffer', { nodes });
    expect(sent.status).toBe(202);
    const view = await world.settled(sent.body.id);
    expect(view.effects[0]).toMatchObject({ actuator: 'tool', state: 'done' });
    expect(view.effects[0]?.output).toContain('2 new, 0 changed');
    // The action's own id for it cannot be made again once its words are erased.
    const stored = (await world.scan()).find(({ pk, sk }) => String(pk).endsWith(sent.body.id) && sk === 'record');
    expect(JSON.parse(String(stored?.signal)).payload.tree.nonce).toMatch(/^[0-9a-f]{32}$/);
    const id = idIn(view.effects[0]?.output ?? '');
    const point = await world.api<{ id: string }>('POST', '/api/memory/point', { objectId: id });
    await world.settled(point.body.id);
    const asked = await world.api<{ id: string }>('POST', '/api/messages', { text: '/focus' });
    expect((await world.settled(asked.body.id)).replies).toStrictEqual([`In focus: ${id.slice(0, 8)}`]);
    const bad = await world.api('POST', '/api/memory/buffer', {
      nodes: [
        { level: 1, key: 'a' },
        { level: 4, key: 'b' },
      ],
    });
    expect(bad).toMatchObject({ status: 400, body: { error: { message: 'nodes.1.level must be 2 to 2' } } });
    const worse = await world.api('POST', '/api/memory/buffer', { nodes: [{ level: 1, key: '', colour: 'red' }] });
    expect(JSON.stringify(worse.body)).toContain('nodes.0.key must not be empty');
  });
});
