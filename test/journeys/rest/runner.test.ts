/**
 * A person pairs a machine as the README says, and has the demo model read, change, run a script,
 * destroy and leave on it. Without bubblewrap the test says that it was not run.
 */
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findSandbox } from '../../../infra/runner/sandbox.ts';
import { until } from '../../support/stack.ts';
import { type Home, openHome } from '../support/home.ts';

const SCRIPT = 'echo counted > count.txt\necho done counting\n';

let home: Home;
beforeAll(async () => {
  home = await openHome();
});
afterAll(() => home?.close());

const send = (text: string) => home.paste(`npx passepartout send "${text}"`);
/** The cards that wait, and the line that approves the first. */
const waiting = async () => {
  const text = await home.paste('npx passepartout approvals --all');
  return { text, yes: /npx passepartout approve \S+/.exec(text)?.[0] ?? 'false' };
};

it('pairs a machine, and works on it by what each command does', async ({ skip }) => {
  const sandbox = await findSandbox();
  if (sandbox.kind === 'none') return skip(sandbox.problem);
  await home.start();
  const printed = await home.paste('npx passepartout runners pair home');
  const line = /^npx passepartout runner pair .*$/m.exec(printed)?.[0] ?? 'false';
  // A folder that does not exist is told before the code is spent.
  expect((await home.run(`${line} --write ~/wrok`)).out).toMatch(/^there is no folder .*wrok$/m);
  const paired = await home.paste(line);
  const file = /^(\S+runner\.yaml)/m.exec(paired)?.[1] ?? '';
  const work = join(home.folder, 'work');
  mkdirSync(work);
  writeFileSync(join(work, 'report.sh'), SCRIPT);
  writeFileSync(file, readFileSync(file, 'utf8').replace('write: []', 'write: [~/work]'));
  expect(await home.paste('npx passepartout runner check home')).toContain('programs beside those that only read: any');
  const runner = home.open('npx passepartout runner start home');
  await runner.prints(`Newly possible without a question: reading in ${work}.`);
  await runner.prints(`changing files in ${work}, running any program.`);
  await runner.prints('ready: waiting for orders as home');

  expect(await send('run ls')).toContain('report.sh');
  await runner.prints(': shell ls\n');

  // A leaving command: the refusal names the line to write.
  expect(await send('run git pull')).toContain('its owner writes the line "network: true" there');

  await send('run cp report.sh copy.sh');
  const change = await waiting();
  expect(change.text).toContain('the command changes files');
  await home.paste(change.yes);
  await until('the copy is made', () => existsSync(join(work, 'copy.sh')));

  await send('run sh report.sh');
  const script = await waiting();
  for (const line of [
    'it runs a script that nobody has read',
    `Runs the script: ${work}/report.sh`,
    `SHA-256 ${hash('sha256', SCRIPT)}. Only this file is bound, not what it loads or calls. It begins:`,
    '1 | echo counted > count.txt',
    'Held by the sandbox: the folders of runner.yaml and no network',
  ])
    expect(script.text).toContain(line);
  await home.paste(script.yes);
  await until('the script ran', () => existsSync(join(work, 'count.txt')));

  // Changed between the card and the yes.
  await send('run sh copy.sh');
  const changed = await waiting();
  writeFileSync(join(work, 'copy.sh'), 'echo bad > bad.txt\n');
  await home.paste(changed.yes);
  await runner.prints('was changed after it was shown');
  expect(existsSync(join(work, 'bad.txt'))).toBe(false);

  await send('run rm copy.sh');
  const loss = await waiting();
  expect(loss.text).toContain(`You would lose: deletes ${work}/copy.sh`);
  await home.paste(loss.yes);
  await until('it is gone', () => !existsSync(join(work, 'copy.sh')));

  expect(await home.paste('npx passepartout runners')).toMatch(/home: ready, last seen (?:just now|\d minutes? ago)/);
  await runner.end();
  expect(runner.output()).toMatch(/stopped\n$/);
  expect(await home.paste('npx passepartout runners')).toMatch(/home: stopped, last seen just now/);

  // Its window is closed: nobody reads its lines any more.
  const second = home.open('npx passepartout runner start home', true);
  await second.prints('ready: waiting for orders as home');
  second.child.kill('SIGKILL');
  await expect.poll(() => home.paste('npx passepartout runners'), { interval: 500 }).toContain('home: stopped');
});
