/**
 * An older copy of the database put back: it is found out by the anchors beside it, starts stopped
 * with nothing published, what was forgotten since is forgotten again, and an approver's resume
 * lets it go on.
 */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadKillSwitch } from '../../../lib/core/ledger/kill-switch.ts';
import { loadRestoreState } from '../../../lib/core/log/restore-state.ts';
import { buildMemory } from '../../../lib/core/memory/memory.ts';
import { signalKeys } from '../../../lib/core/store/keys.ts';
import { RESTORE_ACTOR } from '../../../lib/features/restore/restore.ts';
import { runCli } from '../../cli/cli-world.ts';
import { say, userTextOf } from '../../support/model-server.ts';
import { APPROVER_TOKEN, startTestStack, type TestStack, until } from '../../support/stack.ts';

const folders: string[] = [];
const running: TestStack[] = [];
afterEach(async () => {
  for (const world of running.splice(0)) await world.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const start = async (dataDir: string): Promise<TestStack> => {
  const world = await startTestStack({ dataDir, script: (request) => say(`re ${userTextOf(request)}`) });
  running.push(world);
  return world;
};
const stop = async (world: TestStack): Promise<void> => {
  running.splice(running.indexOf(world), 1);
  await world.stop();
};
const post = async (world: TestStack, text: string): Promise<string> =>
  (await world.api<{ id: string }>('POST', '/api/messages', { text })).body.id;
const ask = async (world: TestStack, text: string): Promise<string> => {
  const id = await post(world, text);
  await world.settled(id);
  return id;
};
const writeLog = async (world: TestStack): Promise<void> => {
  await world.api('POST', '/api/log');
  await until('the log has it all', async () => {
    const { body } = await world.api<{ size: number; leaves: number; isWaiting: boolean }>('GET', '/api/log');
    const file = join(world.dataDir, 'anchors', 'default.txt');
    return (
      !body.isWaiting &&
      body.size === body.leaves &&
      existsSync(file) &&
      readFileSync(file, 'utf8').includes(`\n${body.size}\n`)
    );
  });
};

const HERON = 'the violet heron nests behind the mill';
const READS = [
  '/api/signals',
  '/api/memory/objects',
  '/api/recall?words=heron',
  '/api/log/records',
  '/api/log/commits',
];
const idIn = (text: string): string => /[0-9a-f]{8,32}/.exec(text)?.[0] ?? '';

describe('a restored copy of the table', () => {
  it('starts stopped, loses no secret that was forgotten, and goes on when an approver says so', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'passepartout-restore-'));
    folders.push(dataDir);
    const [file, copy] = [join(dataDir, 'table.sqlite'), join(dataDir, 'copy.db')];
    const first = await start(dataDir);
    await ask(first, 'one');
    const memory = buildMemory(first.table, 'default');
    const note = await memory.remember({
      text: 'the door code is 4711',
      nonce: 'ab'.repeat(16),
      tags: [],
      origin: 'owner',
      signalId: 'con-a',
      effectId: 'con-a#0',
      now: Date.now(),
    });
    await writeLog(first);
    const claimed = await post(first, 'two');
    await first.settled(claimed);
    // As if the copy was made while it was being performed.
    await first.table.update(signalKeys.effect('default', claimed, 0), {
      set: { state: 'claimed' },
      remove: ['settledAt'],
    });
    await first.table.update(signalKeys.record('default', claimed), {
      set: { state: 'perceived' },
      remove: ['awaitsLog'],
    });
    await stop(first);
    copyFileSync(file, copy);

    const second = await start(dataDir);
    await ask(second, 'three');
    await buildMemory(second.table, 'default').forget({ id: note.id, signalId: 'con-b', now: Date.now() });
    await ask(second, 'four');
    await writeLog(second);
    await stop(second);

    copyFileSync(copy, file);
    const restored = await start(dataDir);
    expect(await loadKillSwitch(restored.table, 'default')).toMatchObject({ isStopped: true, by: RESTORE_ACTOR });
    expect(await buildMemory(restored.table, 'default').load(note.id)).toMatchObject({ state: 'forgotten' });
    const [effect, record] = await restored.table.load(
      [signalKeys.effect('default', claimed, 0), signalKeys.record('default', claimed)],
      { isConsistent: true },
    );
    expect(effect).toMatchObject({ state: 'unknown' });
    expect(record).toMatchObject({ state: 'perceived' });
    await restored.tick();
    expect(restored.model.requests).toHaveLength(0);

    expect((await restored.api('POST', '/api/resume', undefined, APPROVER_TOKEN)).status).toBe(202);
    await until('it is resumed', async () => (await loadKillSwitch(restored.table, 'default'))?.isStopped === false);
    const next = await ask(restored, 'five');
    expect((await restored.signal(next)).replies).toStrictEqual(['re five']);
    await stop(restored);

    // The same copy is dealt with once.
    const again = await start(dataDir);
    expect(await loadKillSwitch(again.table, 'default')).toMatchObject({ isStopped: false });
  });

  it('lets nothing that was forgotten since be read by any way, before a resume and after it, and its proofs hold', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'passepartout-restore-'));
    folders.push(dataDir);
    const [file, copy] = [join(dataDir, 'table.sqlite'), join(dataDir, 'copy.db')];
    const anchor = join(dataDir, 'anchors', 'default.txt');
    const first = await start(dataDir);
    const command = async (world: TestStack, text: string): Promise<string> => {
      const { replies } = await world.signal(await ask(world, text));
      return (replies ?? []).join('\n');
    };
    await command(first, `/remember ${HERON}`);
    const id = idIn(await command(first, '/recall heron'));
    await ask(first, 'where does the heron nest?');
    expect(await command(first, `/memory ${id}`)).toContain(HERON);
    await writeLog(first);
    const anchored = readFileSync(anchor, 'utf8');
    await stop(first);
    copyFileSync(file, copy);

    const second = await start(dataDir);
    expect(await command(second, `/forget ${id}`)).toMatch(/^Forgotten: /);
    await writeLog(second);
    await stop(second);
    // Beside the table stand ids, hashes and names of records only.
    const tombstones = readFileSync(join(dataDir, 'anchors', 'default.forgotten.jsonl'), 'utf8');
    expect(tombstones).toContain(`"object":"${id}`);
    expect(tombstones).toContain('"decision con-');
    expect(tombstones).not.toMatch(/heron|mill/);

    copyFileSync(copy, file);
    const restored = await start(dataDir);
    expect(await loadKillSwitch(restored.table, 'default')).toMatchObject({ isStopped: true, by: RESTORE_ACTOR });
    expect(await loadRestoreState(restored.table, 'default')).toMatchObject({ forgetting: 'done', total: 1 });
    const saysNothing = async (): Promise<void> => {
      expect(JSON.stringify(await restored.scan())).not.toMatch(HERON);
      const signals = (await restored.scan()).flatMap(({ pk, sk }) =>
        sk === 'record' ? [String(pk).split('#')[2]] : [],
      );
      const each = signals.flatMap((one) => [`/api/signals/${one}`, `/api/signals/${one}/evidence`]);
      for (const path of [...READS, ...each]) {
        const { status, body } = await restored.api('GET', path);
        expect([path, status]).toStrictEqual([path, 200]);
        expect(JSON.stringify(body)).not.toMatch(HERON);
      }
      expect(restored.model.requests.map((request) => JSON.stringify(request)).join()).not.toMatch(HERON);
      expect(restored.log()).not.toMatch(HERON);
    };
    await saysNothing();
    expect((await restored.api('POST', '/api/resume', undefined, APPROVER_TOKEN)).status).toBe(202);
    await until('it is resumed', async () => (await loadKillSwitch(restored.table, 'default'))?.isStopped === false);
    expect(await command(restored, '/recall heron')).not.toMatch(HERON);
    await ask(restored, 'where does the heron nest?');
    await saysNothing();

    const cli = (...words: readonly string[]) => runCli(words, dataDir, { env: { APPROVER_TOKEN } });
    const [exported, before] = [join(dataDir, 'evidence.jsonl'), join(dataDir, 'before.txt')];
    writeFileSync(before, anchored);
    expect(await cli('evidence', 'export', '--out', exported)).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(exported, 'utf8')).not.toMatch(HERON);
    const key = (await cli('evidence', 'key')).out.trim();
    expect(await cli('verify', exported, '--key', key, '--anchor', before)).toMatchObject({ code: 0, err: '' });
  });
});
