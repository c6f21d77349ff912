/**
 * A backup of a stack that ended within a minute of a turn, before the log's writer came again: by
 * Ctrl-C and by kill -9. Whatever `backup` wrote, `restore` takes.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { TAKES_ALL } from '../../support/sample.ts';
import { type Home, openHome, type Program } from '../support/home.ts';

let home: Home;
afterEach(() => home?.close());

/** Runs what follows as if it were two minutes later. */
const LATER = `NODE_OPTIONS='--import="data:text/javascript,const now=Date.now;Date.now=()=>now()+120000"'`;

const ends: readonly (readonly [string, (program: Program) => Promise<unknown>])[] = [
  ['Ctrl-C', (program) => program.end()],
  [
    'kill -9',
    async ({ child }) => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await ended;
    },
  ],
];

/** The harder end; `npm run soak` takes both. */
const taken = TAKES_ALL ? ends : ends.slice(1);

it.each(taken)('restores what was backed up after a turn and %s', async (_how, end) => {
  home = await openHome();
  const first = await home.start();
  await home.paste('npx passepartout send "remember that my bike is blue"');
  await home.paste('npx passepartout evidence export --out first.jsonl');
  await home.paste('npx passepartout send "remember that my boat is red"');
  await end(first);
  writeFileSync(join(home.folder, 'words.txt'), 'four words nobody guesses\n');
  writeFileSync(join(home.folder, 'all.backup.part'), 'of a backup that was killed');
  const saved = await home.paste(`${LATER} npx passepartout backup all.backup --passphrase-file words.txt`);
  expect(saved).toMatch(/^all\.backup\.part was left by a backup that did not end: it is replaced\.$/m);
  expect(existsSync(join(home.folder, 'all.backup.part'))).toBe(false);
  home.set({ DATA_DIR: 'restored' });
  const restored = await home.paste('npx passepartout restore all.backup --passphrase-file words.txt');
  expect(restored).toMatch(/Space default: 2 objects of memory and \d+ leaves of the log verified\./);
  await home.start();
  await home.paste('npx passepartout resume');
  const checked = await home.paste(
    'cp restored/anchors/default.txt anchor.txt && npx passepartout evidence export --out e.jsonl && npx passepartout verify e.jsonl --anchor anchor.txt',
  );
  expect(checked).toMatch(/^verified$/m);
});
