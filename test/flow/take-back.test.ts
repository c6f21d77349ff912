/**
 * `/undo` on the real stack: the last change of this conversation is shown, and its code takes it
 * back by the verb that does so, once; what left cannot be taken back, and that is said.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { describeFile, versionOf } from '../../lib/features/skills/skill-files.ts';
import { loadActiveSkills } from '../../lib/features/skills/skill-store.ts';
import { runCli } from '../cli/cli-world.ts';
import {
  call,
  type ModelServerRequest,
  type ScriptedAnswer,
  say,
  toolResultsOf,
  userTextOf,
} from '../support/model-server.ts';
import { pairClient } from '../support/runner-client.ts';
import { APPROVER_TOKEN, signalIdOf, startTestStack, until } from '../support/stack.ts';

const [OWNER, GUEST, MUM] = [7_401, 7_402, 7_403];
const because = { explanation: 'the owner asked to keep exactly this' };

const answer = (request: ModelServerRequest): ScriptedAnswer => {
  const [, text = ''] = /keep that (.*)$/m.exec(userTextOf(request)) ?? [];
  return text === '' || toolResultsOf(request).length > 0 ? say('ok') : call('remember', { text, ...because });
};

const world = await startTestStack({ allowedChats: [OWNER, GUEST, MUM], approvers: [OWNER], script: answer });
world.telegram.openChat(MUM);
afterAll(world.stop);

const write = (text: string, chat = OWNER) => world.settled(signalIdOf(world.telegram.sendText(chat, chat, text)));
const command = async (text: string) => (await write(text)).replies.join('\n');
const UNDO = /^To take it back: (\/undo [0-9a-f]{6})$/m;
const lineIn = (text: string) => UNDO.exec(text)?.[1] ?? text;
/** What it shows, and the answer to its code. */
const undo = async () => {
  const shown = await command('/undo');
  return [shown.split('\n')[0], await command(lineIn(shown))];
};
const approve = async (about: string) => {
  const card = await until('a card', () =>
    world.telegram.sent(OWNER).findLast(({ text = '', reply_markup: keys }) => keys && text.includes(about)),
  );
  const button = card.reply_markup?.inline_keyboard.flat().find(({ text }) => text === 'Approve');
  const data = button !== undefined && 'callback_data' in button ? button.callback_data : '';
  await world.settled(signalIdOf(world.telegram.tap(card.message_id, data, OWNER)));
};
const jobs = async () =>
  (await world.api<{ jobs: { name: string; state: string }[] }>('GET', '/api/jobs/list')).body.jobs;
const stateOf = async (name: string) => (await jobs()).find((job) => job.name === name)?.state;

describe('/undo', () => {
  it('finds nothing where nothing was done', async () => {
    expect(await command('/undo')).toBe(
      'I found no change here to take back: of memory, a job, a setting, a skill, a machine or a grant.',
    );
  });

  it('takes back notes of the owner and of the model, the newest first, and each once', async () => {
    await command('/remember the bike is blue');
    await write('please keep that the door is red');
    expect(await undo()).toStrictEqual([
      expect.stringMatching(/^The last change here: .*the door is red/),
      expect.stringMatching(/^What commit \d+ changed in memory is taken back\.$/),
    ]);
    expect(await command('/recall door')).not.toContain('the door is red');
    const shown = await command('/undo');
    expect(shown).toContain('the bike is blue');
    expect(await command(lineIn(shown))).toContain('is taken back');
    // The same code again: that change is over.
    expect(await command(lineIn(shown))).toContain('I found no change');
    expect(await command('/recall bike')).not.toContain('the bike is blue');
  });

  it('takes back what was done to jobs, step by step, and asks before one is made again', async () => {
    await command('/jobs add water every 5m: say drink water');
    await approve('drink water');
    await until('the job is made', async () => (await stateOf('water')) === 'active');
    await command('/jobs pause water');
    expect(await undo()).toStrictEqual([
      'The last change here: Pause the job water',
      expect.stringContaining('The job water is resumed.'),
    ]);
    await command('/jobs remove water');
    const [shown, answered] = await undo();
    expect(shown).toBe('The last change here: Remove the job water');
    expect(answered).toBe('[approval card]');
    expect(await stateOf('water')).toBe(undefined);
    await approve('drink water');
    await until('the job is back', async () => (await stateOf('water')) === 'active');
    expect(await undo()).toStrictEqual([
      expect.stringContaining('drink water'),
      expect.stringContaining('The job water is removed.'),
    ]);
    expect(await stateOf('water')).toBe(undefined);
  });

  it('takes back a project, and a skill that was switched', async () => {
    await command('/project new Garden');
    expect(await undo()).toStrictEqual([expect.stringContaining('Garden'), expect.stringContaining('taken back')]);
    await command('/skill off notes');
    expect(await undo()).toStrictEqual([
      'The last change here: Set skill.notes.is to “off”',
      expect.stringMatching(/^notes .*\bon\b/),
    ]);
  });

  it('brings the former version of a skill back, takes the first away, and brings a removed one back', async () => {
    const active = async () => (await loadActiveSkills(world.table, 'default')).skills.map(({ hash }) => hash);
    const add = async (text: string) => {
      const file = { path: 'SKILL.md', text: `---\nname: tidy\ndescription: Tidies.\n---\n${text}\n` };
      await command(`/skill add ${JSON.stringify({ files: [file], trust: 'owner' })}`);
      await approve(text);
      const hash = versionOf([describeFile(file)]);
      await until('it is in force', async () => (await active()).includes(hash));
      return hash;
    };
    const undoUntil = async (about: string, hashes: readonly string[]) => {
      const [shown] = await undo();
      await approve(about);
      await until('it is as before', async () => (await active()).join() === hashes.join());
      return shown;
    };
    const first = await add('Put it away.');
    await add('Throw it away.');
    expect(await undoUntil('Put it away.', [first])).toMatch(/^The last change here: Put the skill tidy .* in force/);
    expect(await undoUntil('Take the skill tidy away', [])).toMatch(/^The last change here: Put the skill tidy /);
    const again = await add('Put it away.');
    await command('/skill remove tidy');
    await approve('Take the skill tidy away');
    await until('it is gone', async () => (await active()).length === 0);
    expect(await undoUntil('Put it away.', [again])).toBe('The last change here: Take the skill tidy away');
    await undoUntil('Take the skill tidy away', []);
  });

  it('gives a setting the value it had', async () => {
    await command('/config set BUDGET_DAY_USD 4');
    await command('/config set BUDGET_DAY_USD 3');
    expect(await undo()).toStrictEqual([
      'The last change here: Set config.BUDGET_DAY_USD to “3”',
      expect.stringContaining('BUDGET_DAY_USD is 4 now'),
    ]);
    expect(await undo()).toStrictEqual([
      'The last change here: Set config.BUDGET_DAY_USD to “4”',
      expect.stringContaining('What was set is taken back. BUDGET_DAY_USD'),
    ]);
    await command(`/chats name ${MUM} mum`);
    await command('/chats mute mum 22:00-07:00');
    expect((await undo())[1]).toContain('is muted no more');
  });

  it('says what cannot be taken back, and offers what is behind it', async () => {
    await command('/send mum hello');
    const shown = await command('/undo');
    expect(shown.split('\n')).toStrictEqual([
      expect.stringMatching(/^This cannot be taken back: Send this text to the Telegram chat \d+: “hello”$/),
      expect.stringContaining(`The last change here: Set chat.mum to “${MUM}”`),
      expect.stringMatching(UNDO),
    ]);
    expect(await command('/undo 000000')).toContain('That is not the code of the last change here.');
    expect(await command(lineIn(shown))).toBe('No chat is named mum any more.');
  });

  it('offers nothing of what was forgotten', async () => {
    const [id = ''] = /[0-9a-f]{32}/.exec(await command('/remember the cat is grey')) ?? [];
    expect(await command(`/forget ${id}`)).toContain(`Forgotten: ${id}`);
    const shown = await command('/undo');
    expect(shown).toMatch(/^This cannot be taken back: Forget the note /);
    expect(shown).not.toMatch(/remember/);
  });

  it('is of its conversation alone, also on the command line', async () => {
    await write('/remember the guest was here', GUEST);
    const cli = async (...words: readonly string[]) =>
      (await runCli(words, world.dataDir, { env: { APPROVER_TOKEN } })).out;
    expect(await cli('undo')).toContain('I found no change');
    await cli('remember', 'the terminal is green');
    const [, code = ''] = /npx passepartout undo ([0-9a-f]{6})/.exec(await cli('undo')) ?? [];
    expect(await cli('undo', code)).toContain('is taken back');
    expect(await command('/undo')).toContain('I found no change');
    expect((await world.api<{ id: string }>('POST', '/api/undo', {})).status).toBe(202);
  });

  it('takes a machine away, and says what pairs a removed one anew', async () => {
    const cli = async (...words: readonly string[]) =>
      (await runCli(words, world.dataDir, { env: { APPROVER_TOKEN } })).out;
    (await pairClient(world, 'home')).close();
    const shown = await cli('undo');
    expect(shown).toContain('The last change here: Let a machine pair under the name home');
    expect(await cli('undo', /undo ([0-9a-f]{6})/.exec(shown)?.[1] ?? '')).toContain('The runner home is removed');
    (await pairClient(world, 'shed')).close();
    await cli('runners', 'remove', 'shed');
    expect(await cli('undo')).toContain(
      'This cannot be taken back: Remove your machine shed: its key counts no more. In a terminal, "npx passepartout runners pair <name>" pairs it anew.',
    );
  });
});
