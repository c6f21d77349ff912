/**
 * An older copy of the database put back: it is found out by the anchors beside it, starts stopped with nothing published, what was
 * forgotten since is forgotten again, and an approver's resume lets it go on.
 */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { signalKeys } from '../../lib/aws/keys.ts';
import { RESTORE_ACTOR } from '../../lib/evidence-log/restore.ts';
import { buildMemory } from '../../lib/memory/memory.ts';
import { loadKillSwitch } from '../../lib/pipeline/kill-switch.ts';
import { say, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, startTestStack, type TestStack, until } from '../support/stack.ts';

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

describe('a restored copy of the table', () => {
  it('starts stopped, loses no secret that was forgotten, and goes on when an approver says so', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'passepartout-restore-'));
    folders.push(dataDir);
    const [file, copy] = [join(dataDir, 'table.db'), join(dataDir, 'copy.db')];
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
  }, 60_000);
});
