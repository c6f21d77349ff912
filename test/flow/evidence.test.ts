/**
 * The evidence log on the real stack: what happened is in the tree after a tick, signed and
 * anchored; the command exports it, and verifies the file offline; an item changed in the table is
 * named.
 */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseCheckpoint } from '../../lib/core/evidence/checkpoint.ts';
import { parseEntryBundle } from '../../lib/core/evidence/tiles.ts';
import { indexPartitions, signalKeys } from '../../lib/core/store/keys.ts';
import { runCli } from '../cli/cli-world.ts';
import { say, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, startTestStack, until } from '../support/stack.ts';

const world = await startTestStack({ script: (request) => say(`re ${userTextOf(request)}`) });
afterAll(world.stop);

const cli = (...words: readonly string[]) => runCli(words, world.dataDir, { env: { APPROVER_TOKEN } });
const ask = async (text: string): Promise<string> => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text });
  await world.settled(body.id);
  return body.id;
};
const anchorFile = () => join(world.dataDir, 'anchors', 'default.txt');
const standing = async () =>
  (await world.api<{ size: number; leaves: number; isWaiting: boolean }>('GET', '/api/log')).body;
const raw = (path: string) =>
  fetch(`${world.stack.url}${path}`, { headers: { authorization: `Bearer ${APPROVER_TOKEN}` } });

describe('the evidence log of a running stack', () => {
  it('takes what happened into the tree at a tick, and anchors the checkpoint beside the table', async () => {
    for (const text of ['one', 'two', 'three']) await ask(text);
    expect(await standing()).toMatchObject({ size: 0, isWaiting: true });
    await world.tick();
    await until('the log has it all', async () => !(await standing()).isWaiting);
    expect(await standing()).toMatchObject({ size: 6, leaves: 6 });
    const note = await (await raw('/api/log/checkpoint')).text();
    expect(parseCheckpoint(note)).toMatchObject({ origin: 'passepartout/default', size: 6 });
    await until('it is anchored', () => existsSync(anchorFile()) && readFileSync(anchorFile(), 'utf8') === note);
    const bundle = await raw('/api/log/tile/entries/000.p/6');
    expect(parseEntryBundle(new Uint8Array(await bundle.arrayBuffer()), 6)).toHaveLength(6);
    expect((await raw('/api/log/tile/entries/000.p/7')).status).toBe(404);
    expect((await fetch(`${world.stack.url}/api/log/checkpoint`)).status).toBe(401);
  });

  it('leaves nothing in the index of unfinished signals', async () => {
    const partition = indexPartitions.unfinishedSignals('default');
    expect((await world.table.queryIndex({ index: 'unfinished', partition, limit: 9 })).items).toStrictEqual([]);
  });

  it('is looked at from a chat', async () => {
    const said = (await world.signal(await ask('/audit verify'))).replies.join('\n');
    expect(said).toContain('The evidence log is in order as far as looked: 6 leaves, checkpoint of 6 signed.');
    expect(said).toMatch(/: npx passepartout evidence export --out \S+$/);
  });

  it('says of each version of an object whether its commit is in the log, and what is signed', async () => {
    const { replies } = await world.signal(await ask('/remember the pump is old'));
    const id = /[0-9a-f]{32}/.exec(replies.join())?.[0] ?? '';
    const fresh = await cli('memory', 'audit', id);
    expect(fresh.out).toMatch(/version 1 {2}commit 1 {2}.* {2}not in the log yet\n/);
    expect(fresh.out).toMatch(/evidence log: \d+ leaves, the newest checkpoint signs \d+;/);
    await world.tick();
    await until('the log has it all', async () => !(await standing()).isWaiting);
    const { log, versions } = JSON.parse((await cli('memory', 'audit', id, '--json')).out);
    expect(versions).toMatchObject([{ version: 1, commit: 1, isLogged: true }]);
    const { size } = await standing();
    expect(log).toStrictEqual({ size, checkpointSize: size, lastCommit: 1 });
    const bundle = await raw(`/api/log/tile/entries/000.p/${size}`);
    const entries = parseEntryBundle(new Uint8Array(await bundle.arrayBuffer()), size);
    const leaves = entries.map((entry) => JSON.parse(Buffer.from(entry).toString()));
    expect(leaves.find(({ kind }) => kind === 'commit')).toMatchObject({ id: '1', changes: [{ id, old: null }] });
    expect((await world.signal(await ask(`/audit ${id}`))).replies.join()).toContain('  in the log\n');
  });

  it('gives a stranger the receipt of one action, with its words and without', async () => {
    const id = await ask('is there a receipt');
    const [file, key] = [join(world.dataDir, 'receipt.json'), (await cli('evidence', 'key')).out.trim()];
    expect(await cli('receipt', `${id}#0`, '--out', file)).toMatchObject({ code: 0, err: '' });
    const shown = await cli('verify', file, '--key', key);
    expect(shown).toMatchObject({ code: 0, err: '' });
    expect(shown.out).toMatch(
      /^verified\n[\s\S]*"re is there a receipt"[\s\S]*proven:\n[\s\S]*it ended as "done"[\s\S]*not proven:/,
    );
    // The start of an id is enough.
    expect(await cli('receipt', `${id.slice(0, -1)}#0`, '--out', file, '--hide-content')).toMatchObject({ code: 0 });
    const hidden = await cli('verify', file);
    expect(hidden).toMatchObject({ code: 3, err: '' });
    expect(hidden.out).not.toContain('please');
    expect(hidden.out).toContain('what the action was: only its hash is here');
    expect((await cli('receipt', `${id}#7`)).err).toContain('I know of no such action');
  });

  it('is exported and verified by the command, without waiting for a tick; a changed item is named', async () => {
    const id = await ask('four');
    const [file, anchor] = [join(world.dataDir, 'evidence.jsonl'), join(world.dataDir, 'anchor.txt')];
    copyFileSync(anchorFile(), anchor);
    const exported = await cli('evidence', 'export', '--out', file);
    expect(exported.err).toBe('');
    expect(exported).toMatchObject({ code: 0 });
    expect(exported.out).toContain('19 leaves of default');
    const key = (await cli('evidence', 'key')).out.trim();
    const good = await cli('verify', file, '--key', key, '--anchor', anchor);
    expect(good.out).toContain('verified');
    expect(good).toMatchObject({ code: 0, err: '' });
    expect(await cli('verify', file)).toMatchObject({ code: 3 });

    const named = join(world.dataDir, 'named.jsonl');
    expect(await cli('evidence', 'export', '--space', 'default', '--out', named)).toMatchObject({ code: 0, err: '' });
    expect(await cli('verify', named, '--key', key, '--anchor', anchor)).toMatchObject({ code: 0 });
    expect(await cli('evidence', 'key', '--space', 'default')).toMatchObject({ code: 0, out: `${key}\n` });
    const other = join(world.dataDir, 'other.jsonl');
    for (const part of [['export', '--out', other], ['key'], ['checkpoint']]) {
      const refused = await cli('evidence', ...part, '--space', 'other');
      expect({ ...refused, err: refused.err.split('\n')[0] }).toStrictEqual({
        code: 2,
        out: '',
        err: 'this stack serves the space "default"; it has no evidence of "other"',
      });
    }
    expect(existsSync(other)).toBe(false);

    await world.table.update(signalKeys.effect('default', id, 0), { set: { output: 'something else' } });
    await cli('evidence', 'export', '--out', file);
    const bad = await cli('verify', file, '--key', key, '--anchor', anchor);
    expect(bad.out).toContain(`WRONG: effect ${id}#0`);
    expect(bad.out).toContain('it was changed: its hash is not the one in the log');
    expect(bad).toMatchObject({ code: 1 });
  });
});
