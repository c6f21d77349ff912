/**
 * A person keeps a folder of Org and one of Markdown notes in step with memory: once and watched,
 * with a change on each side, a note that both changed, and a restart.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../support/stack.ts';
import { type Home, openHome, type Program } from '../support/home.ts';

let home: Home;
let program: Program;
beforeAll(async () => {
  home = await openHome();
  program = await home.start();
});
afterAll(() => home?.close());

const at = (...path: string[]): string => join(home.folder, ...path);
const read = (...path: string[]): string => readFileSync(at(...path), 'utf8');
const idOf = async (words: string): Promise<string> =>
  JSON.parse(await home.paste(`npx passepartout recall ${words} --json`)).objects[0].id;

it('keeps two folders in step, both ways', async () => {
  mkdirSync(at('org'));
  mkdirSync(at('md'));
  writeFileSync(at('org', 'house.org'), '* TODO Paint the door   :home:\nBlue.\n* Roof\nLater.\n');
  writeFileSync(at('md', 'garden.md'), '# Roses\n\nRed ones.\n');
  expect(await home.paste('npx passepartout notes sync org --trust')).toBe(
    'to memory:  house.org\nIn step: 1 file with 3 notes, 0 open questions.\n',
  );
  expect(await home.paste('npx passepartout notes sync md')).toBe(
    'to memory:  garden.md\nIn step: 1 file with 2 notes, 0 open questions.\nthese notes count as outside text; with --trust they count as your own words\n',
  );
  const watching = home.open('npx passepartout notes sync org --trust --watch --every 1');
  await watching.prints('In step: 1 file with 3 notes, 0 open questions.');

  // A change of the file is found in memory.
  writeFileSync(at('org', 'house.org'), read('org', 'house.org').replace('Later.', 'Slates from Wales.'));
  await watching.prints('to memory:  house.org');
  expect(await home.paste('npx passepartout recall slates')).toContain('Roof');

  // A change in a chat is found in the file, whose other bytes stay.
  const roof = await idOf('slates');
  await home.paste(`npx passepartout send "/edit ${roof} state DONE"`);
  await watching.prints('to the file:  house.org');
  expect(read('org', 'house.org')).toBe('* TODO Paint the door   :home:\nBlue.\n* DONE Roof\nSlates from Wales.\n');
  await watching.end();
  expect(watching.output()).toContain('ended; the folder stays as it is');

  // Both change one note: both versions stay, and both places ask.
  writeFileSync(at('org', 'house.org'), read('org', 'house.org').replace('Blue.', 'Green.'));
  const door = await idOf('blue');
  await home.paste(`npx passepartout send "/edit ${door} text Red."`);
  const asked = await home.run('npx passepartout notes sync org --trust');
  const code = / keep org ([0-9a-f]{6}) file$/m.exec(asked.out)?.[1] ?? 'no code';
  expect(asked).toStrictEqual({
    code: 1,
    out: `house.org: "Paint the door" changed in the file and in memory: both are kept
  memory's version is in house.org.${code}.conflict
  npx passepartout notes keep org ${code} file
  npx passepartout notes keep org ${code} memory
In step: 1 file with 3 notes, 1 open question.
`,
  });
  expect([
    read('org', 'house.org').includes('Green.'),
    read('org', `house.org.${code}.conflict`).includes('Red.'),
  ]).toStrictEqual([true, true]);
  await until(
    'the chat hears of it',
    async () => (await home.paste('npx passepartout signals --json')).includes('notes ask') && true,
  );

  await program.end();
  program = await home.start();
  expect((await home.run('npx passepartout notes sync org --trust')).out).toContain(`keep org ${code} memory`);
  expect(await home.paste(`npx passepartout notes keep org ${code} memory --trust`)).toBe(
    'to the file:  house.org\nIn step: 1 file with 3 notes, 0 open questions.\n',
  );
  expect(read('org', 'house.org')).toBe('* TODO Paint the door   :home:\nRed.\n* DONE Roof\nSlates from Wales.\n');
  expect(readdirSync(at('org')).toSorted()).toStrictEqual(['.passepartout-sync.json', '.trash', 'house.org']);
  expect(await home.paste('npx passepartout notes sync org --trust')).toBe(
    'In step: 1 file with 3 notes, 0 open questions.\n',
  );
});
