import { describe, expect, it } from 'vitest';
import type { ActiveSkill } from '../../../lib/features/skills/active.ts';
import { missingSkills, OFF_BY_OWNER, registerSkills } from '../../../lib/features/skills/register.ts';
import { activeSkill } from './skill-world.ts';

const requiring = (name: string, ...requires: string[]) => activeSkill(name, { requires });
const LONG = { mandates: ['word '.repeat(100).trim(), 'word '.repeat(100).trim(), 'word '.repeat(100).trim()] };

describe('registerSkills', () => {
  it.each<[string, readonly ActiveSkill[], readonly string[], Readonly<Record<string, string>>]>([
    ['nothing', [], [], {}],
    [
      'the higher priority first, ties by name',
      [activeSkill('b'), activeSkill('a'), activeSkill('c', { priority: 20 })],
      ['c', 'a', 'b'],
      {},
    ],
    [
      'what is required before what requires it',
      [activeSkill('a', { priority: 99, requires: ['z'] }), activeSkill('z'), activeSkill('m')],
      ['m', 'z', 'a'],
      {},
    ],
    ['a built-in requirement', [requiring('a', 'notes')], ['a'], {}],
    [
      'an unknown requirement',
      [requiring('a', 'x'), activeSkill('b')],
      ['b'],
      { a: 'it requires x, which is not there' },
    ],
    [
      'a circle, and who stands on it',
      [requiring('a', 'b'), requiring('b', 'c'), requiring('c', 'b'), activeSkill('d')],
      ['d'],
      {
        a: 'it requires b, which is off',
        b: 'it requires c, which is off',
        c: 'it requires b, which is off',
      },
    ],
    ['a skill that requires itself', [requiring('a', 'a')], [], { a: 'it requires a, which is off' }],
    [
      'what the owner switched off, and what needs it',
      [activeSkill('off'), requiring('a', 'off'), requiring('b', 'webhooks')],
      [],
      { off: OFF_BY_OWNER, a: 'it requires off, which is off', b: 'it requires webhooks, which is off' },
    ],
    ['the name of a built-in skill', [activeSkill('notes')], [], { notes: 'a built-in skill has its name' }],
    [
      'mandates of a few sentences, beside those of the built-in skills',
      [activeSkill('a', { mandates: ['word '.repeat(50).trim(), 'word '.repeat(50).trim()] }, 'owner')],
      ['a'],
      {},
    ],
    [
      'too many mandates, unless they are in no prompt',
      [activeSkill('a', LONG, 'owner'), activeSkill('b', LONG)],
      ['b'],
      { a: 'there is no room for its mandates' },
    ],
  ])('orders %s', (_, skills, on, off) => {
    const registered = registerSkills(skills, (name) => name !== 'off' && name !== 'webhooks');
    expect(registered.on.map(({ name }) => name)).toStrictEqual(on);
    expect(Object.fromEntries(registered.off.map(({ name, why }) => [name, why]))).toStrictEqual(off);
  });
});

describe('missingSkills', () => {
  it('names those that take no part, and why', () => {
    const skills = [activeSkill('house'), requiring('guard', 'x'), activeSkill('off')];
    const wanted = ['notes', 'webhooks', 'house', 'guard', 'off', 'none'];
    const missing = missingSkills(wanted, skills, (name) => name !== 'off' && name !== 'webhooks');
    expect(missing).toStrictEqual([
      { name: 'webhooks', why: OFF_BY_OWNER },
      { name: 'guard', why: 'it requires x, which is not there' },
      { name: 'off', why: OFF_BY_OWNER },
      { name: 'none', why: 'there is no such skill' },
    ]);
  });
});
