/**
 * A skill as its owner makes one: new, tested, added, changed by the model after a yes, and the
 * evidence of all of it exported and verified, each time by the line that was printed before.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, say, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { type Home, openHome } from './support/home.ts';
import { commandsIn } from './support/printed.ts';

const EDIT = { skill: 'house', file: 'SKILL.md', replace: 'What to do first.', with: 'Water the plants.' };
const README_LINE = /`(npx passepartout evidence export --out .*? && npx passepartout verify .*?)`/;

let home: Home;
beforeAll(async () => {
  home = await openHome((request) => {
    if (toolResultsOf(request).length > 0) return say('The skill house begins with the plants now.');
    return userTextOf(request).includes('plants')
      ? call('edit-skill', { ...EDIT, explanation: 'the owner wants the plants watered first' })
      : say('ok');
  });
  home.set(home.modelSettings);
  await home.start();
});
afterAll(() => home?.close());

it('is made, tested and put in force by the lines that are printed', async () => {
  const made = await home.paste('npx passepartout skill new house');
  expect(made).toContain('made house/SKILL.md and house/passepartout.yaml');
  const [test = ''] = commandsIn(made);
  const tested = await home.paste(test);
  expect(tested).toContain('nothing is wrong with it');
  const [add = ''] = commandsIn(tested);
  expect(await home.paste(`${add} --mine`)).toMatch(/\nhouse [0-9a-f]{12} is in force: trust owner, 2 files/);
});

it('is changed by the model after a yes to a card that shows the difference', async () => {
  const { out } = await home.run('npx passepartout send "let the skill house begin with the plants"');
  expect(out).toMatch(/^This waits for your yes:\n/);
  const [all = ''] = commandsIn(out).filter((line) => line.includes('approvals'));
  expect(await home.paste(all)).toMatch(/- +8 \| 1\. What to do first\.\n.*\+ +8 \| 1\. Water the plants\./s);
  const [approve = ''] = commandsIn(out).filter((line) => line.includes(' approve '));
  await home.paste(approve);
  expect(await home.paste('npx passepartout skill show house')).toContain('1. Water the plants.');
});

it('leaves evidence that the line of the README calls verified', async () => {
  const [, line = ''] = README_LINE.exec(readFileSync(join(home.folder, 'README.md'), 'utf8')) ?? [];
  const checked = await home.paste(line);
  expect(checked).toMatch(/^verified$/m);
  expect(checked).not.toMatch(/WRONG|incomplete|older/);
});
