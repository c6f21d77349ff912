/**
 * A person takes the rules into his own hands: writes the first file, tries it on the past, puts it
 * in force unchanged, and every command of his works as before.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Home, openHome } from './support/home.ts';

let home: Home;
beforeAll(async () => {
  home = await openHome();
  await home.start();
});
afterAll(() => home?.close());

const write = (line: string): Promise<string> => home.paste(`npx passepartout send '${line}'`);

it('has a past: notes, a job that was approved, and its run', async () => {
  expect(await write('/remember my bike is blue')).toContain('Remembered as ');
  await home.run(`npx passepartout send '/jobs add stretch every 2h: Say: stretch!' --wait 5`);
  const [{ id }] = JSON.parse(await home.paste('npx passepartout approvals --json')).approvals;
  await home.paste(`npx passepartout approve ${id}`);
  expect(await write('/jobs run stretch')).toContain('The job stretch runs now');
});

it('writes a first policy, which flips no decision of the past, and puts it in force', async () => {
  expect(await home.paste('npx passepartout policy init')).toContain('wrote policy.cedar');
  expect(await home.paste('npx passepartout policy check policy.cedar')).toContain('parses and type-checks');
  const tried = await home.paste('npx passepartout policy try policy.cedar --since 30d');
  expect(tried).toMatch(/^[1-9]\d* actions tried: 0 would come out otherwise, 0 of them wider\.$/m);
  expect(await home.paste('npx passepartout policy set policy.cedar')).toContain('In force: policy ');
});

it('does what its owner types, as it did before', async () => {
  const kept = await write('/remember my lamp is red');
  const [, note = ''] = /Remembered as ([0-9a-f]{32})/.exec(kept) ?? [];
  const typed: readonly (readonly [string, RegExp])[] = [
    [`/edit ${note} text my lamp is green`, /Changed/],
    ['/snapshot before', /before/],
    ['/jobs pause stretch', /The job stretch is paused/],
    ['/jobs resume stretch', /The job stretch is resumed/],
    ['/jobs run stretch', /The job stretch runs now/],
    [`/forget ${note}`, /[Ff]orgotten|[Ff]orgot/],
  ];
  for (const [line, words] of typed) expect(await write(line)).toMatch(words);
  await home.paste('npx passepartout jobs add tea --every 2h "What is for tea?"');
  const dryRun = await home.paste('npx passepartout jobs dry-run tea');
  expect(dryRun).toMatch(/^Tools, by what is in the call: remember, /m);
  expect(dryRun).not.toContain('deny');
  const tried = await home.paste('npx passepartout policy try policy.cedar --since 30d');
  expect(tried).toMatch(/: 0 would come out otherwise/);
});

it('has nothing wait that was asked for under another policy, and a yes to it fails', async () => {
  await home.run(`npx passepartout send '/jobs add walk every 2h: Say: walk!' --wait 5`);
  const [{ id }] = JSON.parse(await home.paste('npx passepartout approvals --json')).approvals;
  writeFileSync(join(home.folder, 'policy.cedar'), '// Mine.\n', { flag: 'a' });
  expect(await home.paste('npx passepartout policy try policy.cedar')).toContain('It would end 1 waiting card');
  const set = await home.paste('npx passepartout policy set policy.cedar');
  expect(set).toContain('Approvals, grants and a yes to a whole job from before do not count any more');
  expect(set).toContain('It ends 1 waiting card, to be asked for again.');
  expect((await home.run('npx passepartout approvals')).out).toContain('nothing waits for an approval');
  // The heartbeat may have ended it already.
  const { code, out } = await home.run(`npx passepartout approve ${id}`);
  expect([code, out]).toStrictEqual([1, expect.stringMatching(/rules have changed since|has expired/)]);
});
