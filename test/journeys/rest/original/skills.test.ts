/**
 * Skills as their owner and the agent use them: found in a folder, ordered, kept in a sandbox,
 * chosen by a message, changed while it runs, edited by the agent itself.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../../infra/bundling.ts';
import { buildSkillsLook } from '../../../../infra/features/skills/skills-dir.ts';
import { pairClient } from '../../../support/runner-client.ts';
import { APPROVER_TOKEN } from '../../../support/stack.ts';
import { callOf, openPerson } from '../../support/person.ts';

const { world, types, writes, decides, waiting, cli, ...person } = await openPerson();
const machine = await pairClient(world, 'home');
afterAll(async () => {
  machine.close();
  await person.close();
});

type Files = Readonly<Record<string, string>>;

const filesOf = (name: string, text: string, extension: string, code: Files): Files => ({
  'SKILL.md': `---\nname: ${name}\ndescription: Does ${name}.\n---\n${text}\n`,
  ...(extension === '' ? {} : { 'passepartout.yaml': extension }),
  ...code,
});
/** Adds a skill by the command of a chat, and says yes. */
const add = async (name: string, text: string, extension = '', code: Files = {}) => {
  const files = Object.entries(filesOf(name, text, extension, code)).map(([path, content]) => ({
    path,
    text: content,
  }));
  await writes(`/skill add ${JSON.stringify({ files, trust: 'owner' })}`);
  return decides('approve');
};
const skills = () => types(['skill', 'list']);
/** The text of the skill that a message was answered by. */
const shownFor = async (text: string): Promise<string | undefined> => {
  await writes(text);
  const prompt =
    world.model.requests
      .at(-1)
      ?.messages.map(({ content }) => content)
      .join('\n') ?? '';
  return /⟦skill [\w-]+⟧\n([^⟦]*)\n⟦\/skill⟧/.exec(prompt)?.[1];
};

describe('Skills', () => {
  it('a skill in the folder is found, and takes part after a yes to all of it', async () => {
    mkdirSync(join(cli.folder, 'skills', 'tea'), { recursive: true });
    for (const [path, text] of Object.entries(filesOf('tea', 'Warm the pot first.', '', {})))
      writeFileSync(join(cli.folder, 'skills', 'tea', path), text);
    const access = { url: world.stack.url, approverToken: APPROVER_TOKEN };
    const offersFile = join(cli.folder, 'offered.json');
    await buildSkillsLook({ folder: join(cli.folder, 'skills'), offersFile, access, say: () => undefined })();
    expect(await skills()).not.toMatch(/^tea /m);
    expect((await waiting())[0]?.rest.join('\n')).toContain('Warm the pot first.');
    await decides('approve');
    expect(await skills()).toMatch(/^tea \(on, tier auto, priority 10, from outside, version /m);
  });

  it('a skill comes after those that it requires, and is off with the reason while one is missing', async () => {
    await add('cake', 'Bake.', 'requires: [oven]\n');
    expect(await skills()).toMatch(/^cake \(off: it requires oven, which is not there/m);
    await add('oven', 'Heat.');
    expect(await skills()).toMatch(/^oven \(on,[\s\S]*^cake \(on,/m);
  });

  it('of those that a message triggers, the one of the highest priority says how it is answered', async () => {
    await add('low', 'Answer slowly.', 'priority: 5\ntrigger: { words: [garden] }\n');
    await add('high', 'Answer in verse.', 'priority: 50\ntrigger: { words: [garden] }\n');
    expect(await shownFor('how is the garden?')).toBe('Answer in verse.');
    await writes('/skill off high');
    expect(await shownFor('and the garden now?')).toBe('Answer slowly.');
    expect(await shownFor('hello')).toBeUndefined();
  });

  it('a changed skill holds from the next message on, without a new start', async () => {
    await add('low', 'Answer fast.', 'trigger: { words: [garden] }\n');
    expect(await shownFor('the garden again?')).toBe('Answer fast.');
  });
});

describe('Sandbox', () => {
  it('code of a skill reaches neither files nor network nor the agent, and a loop of it ends', async () => {
    const names = ['process', 'require', 'fetch', 'setTimeout', 'WebAssembly', 'Deno'];
    const reach = `function tool() { return ${JSON.stringify(names)}.map((name) => typeof globalThis[name]).join(); }`;
    const functions = ['reach', 'ever'].map(
      (name) => `{ name: ${name}, file: ${name}.js, gives: tool, description: Tries., args: { type: object } }`,
    );
    await add('jail', 'Try.', `functions: [${functions.join()}]\n`, {
      'reach.js': reach,
      'ever.js': 'function tool() { for (;;); }',
    });
    const run = async (tool: string) => (await writes(callOf('run-skill', { skill: 'jail', tool, args: {} }))).said;
    expect(await run('reach')).toContain(names.map(() => 'undefined').join());
    expect(await run('ever')).toContain('It gave: state: failed');
    expect((await writes('hello')).said).toBe('You said: hello');
  });
});

describe('Self-edit and self-repair', () => {
  const change = { skill: 'low', file: 'SKILL.md', replace: 'Answer fast.', with: 'Answer at once.' };

  it('the agent changes a skill after a yes to the difference, and the change can be taken back', async () => {
    await writes(callOf('edit-skill', change));
    expect((await waiting())[0]?.rest).toEqual(
      expect.arrayContaining(['-    5 | Answer fast.', '+    5 | Answer at once.']),
    );
    await decides('approve');
    expect(await shownFor('still the garden?')).toBe('Answer at once.');
    const [undo = ''] = /\/undo [0-9a-f]{6}/.exec((await writes('/undo')).said) ?? [];
    await writes(undo);
    for (const _ of await waiting()) await decides('approve');
    expect(await shownFor('the garden once more?')).toBe('Answer fast.');
  });

  it('a change that would not load is refused, and the version before stays', async () => {
    const { said } = await writes(callOf('edit-skill', { ...change, replace: 'name: low', with: 'nom: low' }));
    expect(said).toContain('the new version does not load: SKILL.md line 2: name is missing');
    expect(await shownFor('is the garden there?')).toBe('Answer fast.');
  });
});

describe('Standards', () => {
  it('literate files keep balanced, explained blocks of one definition, and what is tangled is not written', async () => {
    await types(['skill', 'add', join(ROOT, 'lib/features/skills/to-add/standards'), '--mine']);
    const write = async (path: string, content: string) => {
      const args = { path: `/home/owner/site/${path}`, content, runner: 'home' };
      const { id } = await writes(callOf('write-file', args));
      return types(['why', id]);
    };
    const block = '#+begin_src python\ndef a():\n  pass\n';
    const refused: readonly (readonly [path: string, content: string, why: string])[] = [
      ['a.org', `It adds.\n${block}def b():\n  pass\n#+end_src\n`, 'a source block holds more than one definition'],
      ['a.org', `* Sum\n${block}#+end_src\n`, 'no sentence before this source block says why it is there'],
      ['a.org', `It adds.\n${block}`, 'is not closed'],
      ['a.ts', '// [[file:a.org::*Sum][Sum:1]]\n', 'this file is tangled from an Org file: change that one'],
    ];
    for (const [path, content, why] of refused) expect(await write(path, content)).toContain(why);
    expect(await waiting()).toStrictEqual([]);
    await write('a.org', `It adds.\n${block}#+end_src\n`);
    expect(await waiting()).toHaveLength(1);
    expect(await shownFor('refactor it')).toContain('write the test first and see it fail');
  });
});
