/**
 * SKILLS_DIR on the whole stack: what is new or changed in the folder is offered on a card, one at
 * a time and once, and is in force only after a yes. A folder that is gone takes nothing with it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { buildSkillsLook } from '../../../infra/features/skills/skills-dir.ts';
import { APPROVER_TOKEN, startTestStack, until } from '../../support/stack.ts';

interface Waiting {
  readonly id: string;
  readonly signalId: string;
}

const HOME = 7301;
const folder = mkdtempSync(join(tmpdir(), 'passepartout-skills-'));
const environment = { HOME_CHAT: String(HOME) };
const world = await startTestStack({ allowedChats: [HOME], environment });
world.telegram.openChat(HOME);
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
});

const put = (name: string, words: string, more = '') => {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'SKILL.md'), `---\nname: ${name}\ndescription: Rules.\n---\n${words}\n${more}`);
};

/** As after a start: what was offered stands in the file alone. @returns what was said */
const look = async (): Promise<readonly string[]> => {
  const said: string[] = [];
  const access = { url: world.stack.url, approverToken: APPROVER_TOKEN };
  const offersFile = join(world.dataDir, 'skills-offered.json');
  await buildSkillsLook({ folder, offersFile, access, say: (line) => said.push(line) })();
  return said;
};
const waiting = async () => (await world.api<{ approvals: Waiting[] }>('GET', '/api/approvals')).body.approvals;
const skills = async () => {
  const { body } = await world.api<{ skills: { name: string }[] }>('GET', '/api/skill/list');
  return body.skills.map(({ name }) => name).filter((name) => ['house', 'garden'].includes(name));
};
const decide = async (decision: 'approve' | 'deny') => {
  const [card, ...others] = await waiting();
  expect(others).toStrictEqual([]);
  const { body } = await world.api<{ id: string }>('POST', `/api/approvals/${card?.id}`, { decision });
  await world.settled(body.id);
  await until('it is decided', async () => (await waiting()).length === 0);
};
const wholeCard = async () => JSON.stringify(await waiting());

/** The last card in the home chat. */
const pushed = () => world.telegram.sent(HOME).findLast(({ reply_markup }) => reply_markup !== undefined);

it('offers what is new, one after the other, and puts nothing in force by itself', async () => {
  put('house', 'Drink tea.');
  put('garden', 'Water the plants.');
  writeFileSync(join(folder, 'garden', 'plan.png'), Buffer.from([0x89, 0xff]));
  expect(await look()).toStrictEqual([
    `SKILLS_DIR: the skill garden of ${join(folder, 'garden')} waits for your yes: npx passepartout approvals`,
  ]);
  expect(await look()).toStrictEqual([]);
  expect(await skills()).toStrictEqual([]);
  expect(await wholeCard()).toContain('Water the plants.');
  expect(await wholeCard()).toMatch(/File plan\.png, 2 bytes, SHA-256 [0-9a-f]{64}: for a machine/);
  const card = await until('the card is in the home chat', pushed);
  expect(card.text).toContain('Water the plants.');
  const buttons = card.reply_markup?.inline_keyboard.flat() ?? [];
  const [yes] = buttons.flatMap((one) => ('callback_data' in one ? [String(one.callback_data)] : []));
  world.telegram.tap(card.message_id, yes ?? '', HOME);
  await until('it is in force', async () => (await skills()).join() === 'garden');
  const isDone = () => /^APPROVED .* Done\.$/m.test(world.telegram.sent(HOME)[0]?.text ?? '');
  await until('the card says so', isDone, 20_000);
  expect((await look()).join()).toContain('the skill house of');
  await decide('deny');
  expect(await look()).toStrictEqual([]);
  expect([await skills(), await waiting()]).toStrictEqual([['garden'], []]);
});

it('offers a change with its difference, and again what somebody refused before', async () => {
  put('garden', 'Water all plants.');
  expect(await look()).toHaveLength(1);
  expect(await wholeCard()).toMatch(
    /It changes the skill garden: .*-\s+5 \| Water the plants\..*\+\s+5 \| Water all plants\./,
  );
  await decide('approve');
  put('house', 'Drink coffee.');
  expect(await look()).toHaveLength(1);
  await decide('deny');
});

it('takes a large skill by its hashes', async () => {
  put('house', 'Drink coffee.');
  writeFileSync(join(folder, 'house', 'list.md'), 'one more line of it\n'.repeat(2_000));
  writeFileSync(join(folder, 'house', 'more.md'), 'and another one\n'.repeat(2_000));
  expect(await look()).toHaveLength(1);
  expect(await wholeCard()).toContain('list.md');
  await decide('approve');
  await until('it is in force', async () => (await skills()).length === 2);
});

it('says what is gone and what does not load, and changes nothing', async () => {
  rmSync(join(folder, 'house'), { recursive: true });
  writeFileSync(join(folder, 'garden', 'SKILL.md'), 'nothing');
  const path = join(folder, 'garden');
  expect(await look()).toStrictEqual([
    `SKILLS_DIR: what is in ${path} is no skill that loads: npx passepartout skill test ${path}`,
    'SKILLS_DIR: the skill house is gone from it, and stays in force: npx passepartout skill remove house',
  ]);
  expect([(await skills()).toSorted(), await waiting()]).toStrictEqual([['garden', 'house'], []]);
});

it('offers nothing while everything is stopped', async () => {
  put('garden', 'Water no plants.');
  await world.api('POST', '/api/stop');
  expect((await look()).join()).not.toContain('waits');
  const { body } = await world.api<{ id: string }>('POST', '/api/resume');
  await world.settled(body.id);
  expect((await look()).join()).toContain('the skill garden of');
});
