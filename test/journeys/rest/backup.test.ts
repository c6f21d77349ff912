/** A person moves to a new folder: backup, restore, look around while stopped, resume, verify. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../support/stack.ts';
import { type Home, openHome, type Program } from '../support/home.ts';

/** Of several lines of a backup. */
const PICTURE = Buffer.alloc(2_500_000, 'picture');
const QUESTION = 'npx passepartout send "what do you remember about my bike?"';

let home: Home;
let first: Program;
beforeAll(async () => {
  home = await openHome();
  first = await home.start();
});
afterAll(() => home?.close());

it('backs up a running stack into one file', async () => {
  await home.paste('npx passepartout send "remember that my bike is blue"');
  writeFileSync(join(home.folder, 'words.txt'), 'four words nobody guesses\n');
  // A right of the last moment, before the log's writer came by.
  await home.paste('npx passepartout policy init && npx passepartout policy set policy.cedar');
  // A picture of a message, and a file that is not what its name says.
  const contents = join(home.folder, '.passepartout', 'contents', 'default');
  mkdirSync(contents, { recursive: true });
  writeFileSync(join(contents, createHash('sha256').update(PICTURE).digest('hex')), PICTURE);
  writeFileSync(join(contents, 'f'.repeat(64)), 'x');
  // The first tick makes the jobs of maintenance. A copy in its midst could not prove them.
  await until('the first tick', async () => {
    await sleep(2_000);
    return (await home.paste('npx passepartout jobs list')).includes('learning-daily');
  });
  const saved = await home.paste('npx passepartout backup all.backup --with-files --passphrase-file words.txt');
  expect(saved).toMatch(/^\d+ items as of \S+ are in all\.backup, \d+ bytes\.\nKeep it and its passphrase apart\./);
  await first.end();
});

it('refuses a wrong passphrase and a folder that has data, and writes nothing', async () => {
  writeFileSync(join(home.folder, 'other.txt'), 'words that are not the ones\n');
  const wrong = await home.run('DATA_DIR=restored npx passepartout restore all.backup --passphrase-file other.txt');
  expect(wrong).toMatchObject({ code: 1, out: expect.stringMatching(/passphrase.*nothing was restored/s) });
  const full = await home.run('npx passepartout restore all.backup --passphrase-file words.txt');
  expect(full).toMatchObject({ code: 1, out: expect.stringContaining('has a table already; nothing was written') });
});

it('restores it into a new folder, verified and stopped', async () => {
  home.set({ DATA_DIR: 'restored' });
  const restored = await home.paste('npx passepartout restore all.backup --passphrase-file words.txt');
  expect(restored).toMatch(
    /^The backup as of \S+ is restored\.\nSpace default: 1 object of memory and \d+ leaves of the log verified\./,
  );
  expect(restored).toMatch(
    /It brings back:\n(?: {2}the job \S+ is active\n){3} {2}a policy set by \S+\n {2}not proven: older version of a job \(3 rows\)\n {2}not proven: order of turns and stops of a conversation\n {2}not proven: note of the program for itself\n1 file of messages restored.\nIt starts stopped/,
  );
  const contents = join(home.folder, 'restored', 'contents', 'default');
  const [name = ''] = readdirSync(contents);
  expect(readdirSync(contents)).toHaveLength(1);
  expect(readFileSync(join(contents, name)).equals(PICTURE)).toBe(true);
  const second = await home.start();
  expect(second.output()).toContain('It is stopped: nothing is done until you type /resume, or run "npx passepartout');
  expect(await home.run('npx passepartout doctor')).toMatchObject({
    code: 1,
    out: expect.stringMatching(/health +degraded: stopped: .* resumes it: npx passepartout resume$/m),
  });
  expect((await home.run(QUESTION)).out).toContain('I am stopped and do nothing.');
  const resumed = await home.paste('npx passepartout send /resume');
  expect(resumed).toMatch(
    /Running again\.\nThe restore brought back:\n(?:- the job \S+ is active\n)*- a policy set by /,
  );
  expect(await home.paste(QUESTION)).toContain('my bike is blue');
});

it('verifies the log that went on', async () => {
  const checked = await home.paste(
    'npx passepartout evidence export --out e.jsonl && npx passepartout verify e.jsonl --anchor restored/anchors/default.txt',
  );
  expect(checked).toMatch(/^verified$/m);
});
