/** A person pulls this release: `npm start` opens the newest data of an earlier one and goes on. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { say } from '../support/model-server.ts';
import { FIXTURES, fixturesWith } from '../support/releases.ts';
import { LOG_SIGNING_KEY } from '../support/stack.ts';
import { type Home, openHome } from './support/home.ts';

const FIXTURE = join(FIXTURES, fixturesWith('table.sqlite.gz').at(-1) ?? '');

let home: Home;
let started: string;
beforeAll(async () => {
  home = await openHome(() => say('Here I am again.'));
  home.set({ ...home.modelSettings, LOG_SIGNING_KEY });
  const data = join(home.folder, '.passepartout');
  mkdirSync(data, { mode: 0o700 });
  const table = gunzipSync(readFileSync(join(FIXTURE, 'table.sqlite.gz')));
  writeFileSync(join(data, 'table.sqlite'), table, { mode: 0o600 });
  started = (await home.start()).output();
});
afterAll(() => home?.close());

it('starts as it does every day', () => {
  expect(started).toContain('Passepartout is running.');
  expect(started).not.toMatch(/stopped|error|newer|cannot/i);
});

it('shows what was said before, remembers it, and answers', async () => {
  expect(await home.paste('npx passepartout send "hello again"')).toContain('Here I am again.');
  const history = await home.paste('npx passepartout signals');
  expect(history).toMatch(/acted .* hello again\n[\s\S]*acted .* hello 29\n/);
  expect(history).not.toMatch(/dead-lettered|failed/);
  expect(await home.paste('npx passepartout memory recall "spare key"')).toContain('under the blue pot');
});

it('verifies old and new together, by the key and the anchor of the earlier release', async () => {
  const [key, anchor] = [readFileSync(join(FIXTURE, 'key.txt'), 'utf8').trim(), join(FIXTURE, 'anchor.txt')];
  await home.paste('npx passepartout evidence export --out e.jsonl');
  const checked = await home.paste(`npx passepartout verify e.jsonl --key ${key} --anchor ${anchor}`);
  expect(checked).toMatch(/^verified$/m);
  expect(checked).not.toMatch(/OLDER|WRONG/);
});
