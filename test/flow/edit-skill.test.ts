/** The model changes a skill of its owner: proposed, tested, shown as a difference, decided on. */
import { afterAll, describe, expect, it } from 'vitest';
import { buildAddedSkills } from '../../lib/features/skills/added-skills.ts';
import { loadActiveSkills } from '../../lib/features/skills/skill-store.ts';
import { startDynamo } from '../support/dynamo.ts';
import { signalWith } from '../support/simulation.ts';
import { callTool } from './adversity-world.ts';
import { buildApprovalWorld } from './approval-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const GATE = 'function gate(action) { return { verdict: action.tool === "forget" ? "block" : "pass" }; }\n';
const FILES = [
  { path: 'SKILL.md', text: '---\nname: house\ndescription: Rules.\n---\nWater the plants.\n' },
  { path: 'passepartout.yaml', text: 'gates: [{ name: quiet, file: quiet.js }]\n' },
  { path: 'quiet.js', text: GATE },
  { path: 'examples.yaml', text: 'examples: [{ gate: quiet, action: { tool: forget }, expect: block }]\n' },
];
const CHANGE = { skill: 'house', file: 'SKILL.md', replace: 'the plants', with: 'all plants' };

const buildWorld = async (args: object, trust: 'owner' | 'outside' = 'owner', ofGate = args) => {
  const world = buildApprovalWorld(dynamo.table, {
    answer: ({ messages }) => {
      const last = messages.at(-1)?.content ?? '';
      if (last.includes('state: ')) return { content: 'So it is.' };
      if (last.includes('change the gate')) return callTool('edit-skill', ofGate);
      return last.includes('change it') ? callTool('edit-skill', args) : { content: 'So it is.' };
    },
  });
  const source = { by: 'telegram:7', now: 1, signalId: 'con-1', effectId: `${world.space}/con-1#0`, zone: 'UTC' };
  await buildAddedSkills(dynamo.table, world.space).add({ files: FILES, trust }, source);
  const active = async () => (await loadActiveSkills(dynamo.table, world.space)).skills[0];
  return { ...world, active };
};

describe('edit-skill', () => {
  it('shows the difference and the outcome of the examples, and a yes makes the version', async () => {
    const world = await buildWorld(CHANGE);
    const before = await world.active();
    const id = await world.say('please change it');
    const approval = await world.approval(await world.approvalOf(id));
    expect(approval.lines).toStrictEqual([
      expect.stringMatching(`It changes the skill house: version ${before?.hash} becomes [0-9a-f]{64}.`),
      'The skill is yours: by your yes these words count as your own, though the model wrote them.',
      'No kind of action becomes possible that was not.',
      'The difference in SKILL.md:',
      '     3 | description: Rules.',
      '     4 | ---',
      '-    5 | Water the plants.',
      '+    5 | Water all plants.',
      '     6 | ',
      'Its examples were run: its example passes.',
    ]);
    await world.send(world.tapOf(approval.id, 'approve'));
    const after = await world.active();
    expect(after).toMatchObject({ trust: 'owner', by: 'telegram:7', hash: approval.action.args?.after });
    expect(after?.hash).not.toBe(before?.hash);
  });

  it('changes nothing after a no', async () => {
    const world = await buildWorld(CHANGE);
    const before = await world.active();
    const id = await world.say('please change it');
    await world.send(world.tapOf(await world.approvalOf(id), 'deny'));
    expect(await world.active()).toStrictEqual(before);
  });

  it.each<[string, object, string]>([
    ['a built-in skill', { ...CHANGE, skill: 'notes' }, 'notes is built in, and no call changes it'],
    ['a skill that is not there', { ...CHANGE, skill: 'castle' }, 'there is no added skill of this name'],
    ['text that is not there', { ...CHANGE, replace: 'the dog' }, 'the text to replace does not stand in SKILL.md'],
    [
      'a version that does not load',
      { ...CHANGE, replace: 'name: house', with: 'nom: house' },
      'the new version does not load',
    ],
    [
      'a gate that lets more through than its examples say',
      { ...CHANGE, file: 'quiet.js', replace: '"block"', with: '"pass"' },
      'the new version fails its own examples',
    ],
    ['versions that the model made up', { ...CHANGE, before: 'a'.repeat(64), after: 'b'.repeat(64) }, 'leave them out'],
  ])('is refused in one sentence for %s', async (_, args, sentence) => {
    const world = await buildWorld(args);
    const { decision, attempts } = await world.evidence(await world.say('please change it'));
    expect(decision?.outcome).toBe('refuse');
    expect(JSON.stringify([attempts, decision?.attempt])).toContain(sentence);
  });

  it.each<[string, 'owner' | 'outside', Parameters<typeof signalWith>[2]]>([
    [
      'a forward is in its prompt',
      'owner',
      { sensor: 'chat-message', text: [{ text: 'change it', origin: 'outside', label: 'forward' }] },
    ],
    [
      'the text of a skill from outside is in its prompt',
      'outside',
      { sensor: 'chat-message', text: [{ text: 'house: change it', origin: 'owner' }] },
    ],
  ])('is blocked if %s', async (_, trust, payload) => {
    const world = await buildWorld(CHANGE, trust);
    const before = await world.active();
    await world.send(signalWith(world.space, 'tg-1-900', payload, '7', world.simulation.now()));
    const { decision, attempts } = await world.evidence('tg-1-900');
    expect(decision?.outcome).toBe('refuse');
    expect(JSON.stringify([attempts, decision?.attempt])).toContain('never from what others wrote');
    expect(await world.active()).toStrictEqual(before);
  });

  it('shows before the fold which powers of the skill a change widens', async () => {
    const file = 'passepartout.yaml';
    const world = await buildWorld({ skill: 'house', file, replace: 'gates', with: 'tools: [recall]\ngates' });
    const { notable } = await world.approval(await world.approvalOf(await world.say('please change it')));
    expect(notable).toStrictEqual(['CHANGED tools: ["recall"] (before: nothing)']);
  });

  const ENDED = 'New rules: that ended 1 waiting card, to be asked for again.';
  const RULES = 'CHANGED rules: a yes ends 1 other waiting card, to be asked for again';
  it.each<[string, string, boolean]>([
    ['a gate is changed', 'please change the gate', true],
    ['a gate is taken away', '/skill remove house', true],
    ['only its words are changed', 'please change it', false],
  ])(
    'says on the card how many others it ends, and after the yes how many it ended, if %s',
    async (_, words, isSaid) => {
      const gate = { ...CHANGE, file: 'quiet.js', replace: 'function gate', with: '// Quiet.\nfunction gate' };
      const world = await buildWorld(CHANGE, 'owner', gate);
      const other = await world.approvalOf(await world.say('please change it'));
      const command = world.command('skill', words.slice('/skill '.length));
      if (words.startsWith('/')) await world.send(command);
      const id = words.startsWith('/') ? command.id : await world.say(words);
      const approval = await world.approval(await world.approvalOf(id));
      expect((approval.notable ?? []).filter((line) => line.startsWith('CHANGED rules'))).toStrictEqual(
        isSaid ? [RULES] : [],
      );
      expect(world.texts().at(-1)?.includes(RULES)).toBe(isSaid);
      await world.send(world.tapOf(approval.id, 'approve'));
      expect((await world.evidence(id)).effects[0]?.output?.includes(ENDED)).toBe(isSaid);
      await world.simulation.sweep();
      await world.simulation.drain();
      expect((await world.approval(other)).state).toBe(isSaid ? 'expired' : 'pending');
    },
  );

  it('says of no card that it ends if its skill is off', async () => {
    const world = await buildWorld(CHANGE);
    await world.say('please change it');
    await world.send(world.command('skill', 'off house'));
    // A change without a card says it in its answer, once.
    expect(world.texts().at(-1)).toContain(ENDED);
    await world.send(world.command('skill', 'off house'));
    expect(world.texts().at(-1)).not.toContain(ENDED);
    await world.say('please change it');
    const command = world.command('skill', 'remove house');
    await world.send(command);
    const approval = await world.approval(await world.approvalOf(command.id));
    expect([approval.lines, approval.notable]).toStrictEqual([['Skill: house'], undefined]);
  });

  it('is refused if the skill was changed since the card', async () => {
    const world = await buildWorld(CHANGE);
    const id = await world.say('please change it');
    const other = FILES.map((file) =>
      file.path === 'SKILL.md' ? { ...file, text: `${file.text}Feed the cat.\n` } : file,
    );
    const source = { by: 'telegram:7', now: 2, signalId: 'con-2', effectId: `${world.space}/con-2#0`, zone: 'UTC' };
    await buildAddedSkills(dynamo.table, world.space).add({ files: other, trust: 'owner' }, source);
    const before = await world.active();
    await world.send(world.tapOf(await world.approvalOf(id), 'approve'));
    expect(await world.active()).toStrictEqual(before);
  });

  it('makes one version, wherever the process dies', async () => {
    const whole = await buildWorld(CHANGE);
    const approvalId = await whole.approvalOf(await whole.say('please change it'));
    const start = whole.simulation.operations();
    await whole.send(whole.tapOf(approvalId, 'approve'));
    const operations = whole.simulation.operations() - start;
    const wanted = (await whole.active())?.hash;
    for (let k = 1; k <= operations; k += 3) {
      const world = await buildWorld(CHANGE);
      const id = await world.approvalOf(await world.say('please change it'));
      const tap = world.tapOf(id, 'approve');
      world.simulation.crashAt(k);
      await world.send(tap);
      expect((await world.active())?.hash).toBe(wanted);
    }
  });
});
