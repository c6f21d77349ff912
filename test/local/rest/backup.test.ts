/**
 * `backup` and `restore` by the real command on the real local stack: of one moment while it works,
 * back into an empty folder, and obeying what was forgotten since. Nothing else is ever restored.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadKillSwitch } from '../../../lib/core/ledger/kill-switch.ts';
import { buildMemory } from '../../../lib/core/memory/memory.ts';
import { RESTORE_ACTOR } from '../../../lib/features/restore/restore.ts';
import { runCli, runProgram } from '../../cli/cli-world.ts';
import { say, userTextOf } from '../../support/model-server.ts';
import {
  APPROVER_TOKEN,
  LOG_SIGNING_KEY,
  SCRIPT_TOKEN,
  startTestStack,
  type TestStack,
  until,
} from '../../support/stack.ts';

const PASSPHRASE = 'four words and a comma';
const HERON = 'the violet heron nests behind the mill';

const root = mkdtempSync(join(tmpdir(), 'passepartout-backups-'));
const running: TestStack[] = [];
afterEach(async () => {
  for (const world of running.splice(0)) await world.stop();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const folderOf = (name: string): string => join(root, name);
const start = async (dataDir: string): Promise<TestStack> => {
  const world = await startTestStack({ dataDir, script: (request) => say(`re ${userTextOf(request)}`) });
  running.push(world);
  return world;
};
const stop = async (world: TestStack): Promise<void> => {
  running.splice(running.indexOf(world), 1);
  await world.stop();
};
const ask = async (world: TestStack, text: string): Promise<string> => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text });
  return ((await world.settled(body.id)).replies ?? []).join('\n');
};
const writeLog = async (world: TestStack): Promise<void> => {
  await world.api('POST', '/api/log');
  await until('the log has it all', async () => {
    const { body } = await world.api<{ size: number; leaves: number }>('GET', '/api/log');
    return body.size === body.leaves && body.size > 0 && existsSync(join(world.dataDir, 'anchors', 'default.txt'));
  });
};

const cli = (words: readonly string[], dataDir: string, passphrase: string | undefined = PASSPHRASE) =>
  runCli(words, dataDir, {
    env: { APPROVER_TOKEN, LOG_SIGNING_KEY, ...(passphrase === undefined ? {} : { BACKUP_PASSPHRASE: passphrase }) },
  });
const idIn = (text: string): string => /[0-9a-f]{8,32}/.exec(text)?.[0] ?? '';

describe('backup and restore', () => {
  const home = folderOf('home');
  const file = join(root, 'first.backup');
  let heronId = '';

  beforeAll(async () => {
    const world = await start(home);
    await ask(world, `/remember ${HERON}`);
    await ask(world, '/remember the bike is blue');
    heronId = idIn(await ask(world, '/recall heron'));
    expect(await ask(world, 'hello')).toBe('re hello');
    await writeLog(world);
    // Somebody writes all the time while the copy is made.
    const busy = { isOver: false };
    const writing = (async () => {
      for (let n = 0; !busy.isOver; n += 1) await ask(world, `/remember note ${n}`);
    })();
    const made = await cli(['backup', file], home);
    busy.isOver = true;
    await writing;
    expect(made).toMatchObject({ code: 0 });
    expect(made.out).toMatch(/^\d{2,} items as of \S+ are in .*first\.backup, \d+ bytes\.\n/);
    expect(readdirSync(home).filter((name) => name.startsWith('copy'))).toStrictEqual([]);
    // After the backup: a forgetting, which only the anchors of this folder know.
    expect(await ask(world, `/forget ${heronId}`)).toMatch(/^Forgotten/);
    await writeLog(world);
    await stop(world);
  });

  it('replaces no file, and takes no passphrase that is short, easy to guess or missing', async () => {
    expect(await cli(['backup', file], home)).toMatchObject({
      code: 2,
      err: expect.stringContaining('is there already'),
    });
    expect(await cli(['backup', join(root, 'nowhere', 'a.backup')], home)).toMatchObject({
      code: 2,
      err: expect.stringContaining('there is no folder'),
    });
    const other = join(root, 'other.backup');
    expect(await cli(['backup', other], home, 'short')).toMatchObject({ code: 2 });
    expect(await cli(['backup', other], home, 'passwordpassword')).toMatchObject({
      code: 2,
      err: expect.stringContaining('is guessed soon'),
    });
    expect(await cli(['backup', other], home, '')).toMatchObject({ code: 2 });
    expect(await cli(['backup', other], folderOf('nothing-here'))).toMatchObject({ code: 1 });
    expect(existsSync(other)).toBe(false);
  });

  it('gives its copy to approvers alone', async () => {
    const world = await start(folderOf('doors'));
    const codes = await Promise.all(
      [SCRIPT_TOKEN, 'nobody'].map(
        async (token) => (await world.api('POST', '/api/local/copy', undefined, token)).status,
      ),
    );
    expect(codes).toStrictEqual([401, 401]);
    expect(existsSync(join(world.dataDir, 'copy.sqlite'))).toBe(false);
  });

  it('comes back in an empty folder: verified, stopped, with all that was there', async () => {
    const target = folderOf('empty');
    const words = join(root, 'words.txt');
    writeFileSync(words, `${PASSPHRASE}\n`);
    const restored = await runProgram(['restore', file, '--passphrase-file', words], target);
    expect(restored).toMatchObject({ code: 0, err: '' });
    expect(restored.out).toMatch(/Space default: \d+ objects of memory and \d+ leaves of the log verified\./);
    expect(restored.out).toContain('It starts stopped: look around, then npx passepartout resume.');
    const world = await start(target);
    expect(await loadKillSwitch(world.table, 'default')).toMatchObject({ isStopped: true, by: RESTORE_ACTOR });
    await world.api('POST', '/api/resume', undefined, APPROVER_TOKEN);
    await until('it is resumed', async () => (await loadKillSwitch(world.table, 'default'))?.isStopped === false);
    expect(await ask(world, '/recall bike')).toContain('the bike is blue');
    expect(await ask(world, 'again')).toBe('re again');
    await writeLog(world);
    const evidence = join(root, 'evidence.jsonl');
    expect(await cli(['evidence', 'export', '--out', evidence], target)).toMatchObject({ code: 0 });
    const anchor = join(target, 'anchors', 'default.txt');
    const verified = await cli(['verify', evidence, '--anchor', anchor], target);
    expect(verified, verified.out).toMatchObject({ code: 0 });
    expect((await cli(['replay', '--since', '1d'], target)).code).toBe(0);
    // The words of the note were there at the moment of the backup, and nobody here knows better.
    expect(await ask(world, '/recall heron')).toContain('violet');
  });

  it('obeys what was forgotten since, if the folder or a copy of its anchors knows', async () => {
    const anchors = folderOf('anchors-kept');
    const moved = folderOf('moved');
    renameSync(join(home, 'table.sqlite'), moved);
    for (const [target, words] of [
      [home, []],
      [folderOf('with-anchors'), ['--anchors', anchors]],
    ] as const) {
      if (target === home) {
        const { cpSync } = await import('node:fs');
        cpSync(join(home, 'anchors'), anchors, { recursive: true });
      }
      const restored = await cli(['restore', file, ...words], target);
      expect(restored, restored.err).toMatchObject({ code: 0 });
      expect(restored.out).toContain('1 object forgotten since will be forgotten again at the start.');
      const world = await start(target);
      await world.api('POST', '/api/resume', undefined, APPROVER_TOKEN);
      await until('it is resumed', async () => (await loadKillSwitch(world.table, 'default'))?.isStopped === false);
      expect(await ask(world, '/recall heron')).not.toContain('violet');
      expect(JSON.stringify(await world.scan())).not.toContain('violet');
      expect(await ask(world, '/recall bike')).toContain('the bike is blue');
      await stop(world);
    }
    renameSync(moved, join(root, 'old-table'));
  });

  it('takes the table of a stopped stack, and of all its spaces', async () => {
    const again = join(root, 'second.backup');
    expect(await cli(['backup', again, '--json'], home)).toMatchObject({ code: 0 });
    const target = folderOf('second');
    const restored = await cli(['restore', again, '--json'], target);
    expect(JSON.parse(restored.out)).toMatchObject({ spaces: [{ space: 'default', problems: [] }] });
    const world = await start(target);
    expect((await buildMemory(world.table, 'default').view()).objects.size).toBeGreaterThan(1);
  });

  it('waits for what is under way, and says so if it does not end', async () => {
    const source = folderOf('under-way');
    const held = { never: Promise.withResolvers<void>(), soon: Promise.withResolvers<void>() };
    const asked = new Set<string>();
    const world = await startTestStack({
      dataDir: source,
      script: async (request) => {
        const text = userTextOf(request);
        asked.add(text);
        await (text === 'never' ? held.never : held.soon).promise;
        return say(`re ${text}`);
      },
    });
    running.push(world);
    const leaves = async () => (await world.api<{ leaves: number }>('GET', '/api/log')).body.leaves;
    const restoredFrom = async (name: string) => {
      const made = join(root, `${name}.backup`);
      const { code, out, err } = await cli(['restore', made], folderOf(name));
      expect(code, err).toBe(0);
      return out;
    };
    const begin = async (text: string) => {
      await ask(world, '/remember the bike is blue');
      const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text });
      await until('the model is asked', async () => asked.has(text));
      return body.id;
    };
    const never = await begin('never');
    const given = await cli(['backup', join(root, 'given-up.backup')], source);
    expect(given).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^Messages are still under way: a restore ends/),
    });
    expect(await restoredFrom('given-up')).toContain('chat-message of console-approver was under way, and is left out');
    held.never.resolve();
    await world.settled(never);
    await writeLog(world);
    await begin('soon');
    const before = await leaves();
    const making = cli(['backup', join(root, 'waited.backup')], source);
    // The backup wakes the log's writer, and only then the model answers.
    await until('the backup waits', async () => (await leaves()) > before);
    held.soon.resolve();
    expect(await making).toMatchObject({ code: 0, err: '' });
    expect(await restoredFrom('waited')).not.toMatch(/messages, which count as text from outside|under way/);
  });

  it('writes nothing that restore would refuse, unless it is told to', async () => {
    const unproven = join(root, 'unproven.backup');
    const env = { APPROVER_TOKEN, LOG_SIGNING_KEY: 'no key', BACKUP_PASSPHRASE: PASSPHRASE };
    expect(await runCli(['backup', unproven], home, { env })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/get no leaf in the evidence log: .*; restore would refuse the backup/),
    });
    expect([existsSync(unproven), existsSync(`${unproven}.part`)]).toStrictEqual([false, false]);
    expect(await runCli(['backup', unproven, '--despite-problems'], home, { env })).toMatchObject({ code: 0 });
  });

  it('restores nothing from a wrong passphrase, a cut or changed file, or beside a table', async () => {
    const target = folderOf('refused');
    const whole = readFileSync(file);
    const harmed = (name: string, bytes: Buffer): string => {
      writeFileSync(join(root, name), bytes);
      return join(root, name);
    };
    const changed = Buffer.from(whole);
    changed[whole.length - 40] = (changed[whole.length - 40] ?? 0) ^ 1;
    for (const [path, passphrase, words] of [
      [file, 'four words and a point', 'the passphrase is wrong'],
      [harmed('cut', whole.subarray(0, whole.length - 100)), PASSPHRASE, 'it is damaged or cut off'],
      [harmed('changed', changed), PASSPHRASE, 'it is damaged or cut off'],
      [harmed('text', Buffer.from('no backup at all')), PASSPHRASE, 'the passphrase is wrong, or'],
    ] as const) {
      const refused = await cli(['restore', path], target, passphrase);
      expect(refused.code, refused.err).toBe(1);
      expect(refused.err).toContain(words);
      expect(refused.err).toContain('nothing was restored');
      expect(readdirSync(target)).toStrictEqual([]);
    }
    const before = readFileSync(join(home, 'table.sqlite'));
    expect(await cli(['restore', file], home)).toMatchObject({
      code: 1,
      err: expect.stringContaining('has a table already'),
    });
    expect(readFileSync(join(home, 'table.sqlite')).equals(before)).toBe(true);
    expect((await cli(['restore', join(root, 'none')], target)).code).toBe(2);
  });
});
