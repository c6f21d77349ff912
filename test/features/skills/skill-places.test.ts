/** Names for texts that a skill brings: used as the owner's own, and gone with the skill. */
import { afterAll, describe, expect, it } from 'vitest';
import { readOwnerSettings } from '../../../lib/core/ledger/owner-settings.ts';
import { SkillPlace, takenPlaces } from '../../../lib/features/skills/skill-places.ts';
import { putSkill, removeSkill } from '../../../lib/features/skills/skill-store.ts';
import { skillPlaces } from '../../../lib/features/skills/skill-targets.ts';
import { callTool } from '../../flow/adversity-world.ts';
import { type ApprovalWorld, buildApprovalWorld } from '../../flow/approval-world.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { definitionOf, skillText } from './skill-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const TEAM = { name: 'team', channel: 'telegram', place: '-1001234' } as const;

let changes = 0;
const sourceOf = ({ space }: Pick<ApprovalWorld, 'space'>) => {
  changes += 1;
  return { space, by: 'telegram:7', now: 5, signalId: `tg-9-${changes}` };
};

const open = () =>
  buildApprovalWorld(dynamo.table, {
    answer: ({ messages }) => {
      const [, to = ''] = /tell (\S+)/.exec(messages.at(-1)?.content ?? '') ?? [];
      const isNew = !messages.some(({ content }) => content.includes('state: ') || content.includes('⟦rejected⟧'));
      return to !== '' && isNew ? callTool('send-message', { to, text: 'Lunch!' }) : { content: 'Fine.' };
    },
  });
const add = async (world: ApprovalWorld, places: readonly SkillPlace[] = [TEAM]): Promise<void> => {
  await putSkill(dynamo.table, sourceOf(world), {
    definition: definitionOf('lunch', { places: [...places] }),
    files: [skillText('lunch')],
    trust: 'outside',
  });
};
const sentTo = ({ simulation }: ApprovalWorld) =>
  simulation.sent.filter(({ text }) => text === 'Lunch!').map(({ target, to }) => `${target} ${to}`);
/** Says yes to what the message led to, if it asks. */
const tell = async (world: ApprovalWorld, name: string): Promise<string> => {
  const id = await world.say(`tell ${name}`);
  const { decision, effects } = await world.evidence(id);
  const approval = effects.find(({ approvalId }) => approvalId !== undefined)?.approvalId;
  if (approval === undefined) return decision?.actions.map(({ action }) => action.text ?? '').join() ?? '';
  await world.send(world.tapOf(approval, 'approve'));
  return 'asked';
};

describe('a place of a skill', () => {
  it('is a name for texts, each of which asks, while the skill is in force', async () => {
    const world = open();
    await tell(world, 'team');
    expect(sentTo(world)).toStrictEqual([]);
    await add(world);
    expect(await tell(world, 'team')).toBe('asked');
    expect(sentTo(world)).toStrictEqual(['telegram -1001234']);
    await removeSkill(dynamo.table, sourceOf(world), 'lunch');
    expect(await tell(world, 'team')).not.toBe('asked');
    expect(sentTo(world)).toHaveLength(1);
  });

  it('is gone while the skill is off', async () => {
    const world = open();
    await add(world);
    await world.send(world.command('skill', 'off lunch'));
    expect(await tell(world, 'team')).not.toBe('asked');
  });

  it('gives way to a name of the owner’s', async () => {
    const world = open();
    await add(world);
    await world.send(world.command('chats', 'name 7 team'));
    await tell(world, 'team');
    expect(sentTo(world)).toStrictEqual(['telegram 7']);
  });

  it.each<[string, unknown, boolean]>([
    ['a group of Telegram', TEAM, true],
    ['a session of the console', { name: 'desk', channel: 'console', place: 'desk' }, true],
    ['a channel that is none', { ...TEAM, channel: 'fax' }, false],
    ['a place of no channel', { ...TEAM, place: 'team@example.com' }, false],
    ['a name in capitals', { ...TEAM, name: 'Team' }, false],
    ['a member that is not known', { ...TEAM, approved: true }, false],
  ])('is declared as %s', (_name, place, isGood) => {
    expect(SkillPlace.safeParse(place).success).toBe(isGood);
  });

  it('brings nothing from a record that cannot be read, and with settings that cannot', () => {
    expect(skillPlaces({ skills: '{' }, readOwnerSettings(undefined)).size).toBe(0);
    expect(skillPlaces({ skills: JSON.stringify([]) }, undefined).size).toBe(0);
  });

  it('has no name that another place has', () => {
    const known = new Map([['team', [{ target: 'telegram', to: '9' }]]] as const);
    const problem = 'there is a place team already: the skill must give its own another name';
    expect(takenPlaces([TEAM], known)).toStrictEqual([problem]);
    expect(takenPlaces([TEAM], new Map([['team', [{ target: 'telegram', to: '-1001234' }]]] as const))).toStrictEqual(
      [],
    );
  });
});
