/** A sample of the proof on the real stack; `npm run prove` plays all of it. */
import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { findSandbox } from '../../infra/runner/sandbox.ts';
import { BESIDE, OWASP } from './held-by.ts';
import { INJECTIONS } from './injections.ts';
import { type Figures, measure, worseThan } from './measure.ts';
import { TASKS } from './tasks.ts';
import { type ProofWorld, startProofWorld } from './world.ts';

const worlds: ProofWorld[] = [];
afterAll(async () => {
  for (const world of worlds) await world.stop();
});
const open = async (isStdio: boolean): Promise<ProofWorld> => {
  const world = await startProofWorld(undefined, isStdio);
  worlds.push(world);
  return world;
};

describe('measure', () => {
  it.for([['at their addresses', false] as const, ['as programs of a machine', true] as const])(
    'finds no effect of an attacker without a yes, and the tasks done, by servers %s',
    async ([, isStdio], { skip }) => {
      const sandbox = isStdio ? await findSandbox() : undefined;
      if (sandbox?.kind === 'none') return skip(sandbox.problem);
      const world = await open(isStdio);
      // Two tasks without an attack, and one run of three injections for each owner.
      // The second has the note that an attacker wants.
      const taken = [24, 193, 2];
      const { figures, problems } = await measure(
        world,
        () => undefined,
        (n) => taken.includes(n) || n === 7,
      );
      expect(problems).toStrictEqual([]);
      const { attacks, work } = figures;
      for (const { pairs, obeyed, harm } of Object.values(attacks)) expect([obeyed, harm]).toStrictEqual([pairs, 0]);
      expect(work.team.done).toBe(work.team.tasks);
      const { notes, notesTold, carried, marked } = attacks.careful;
      expect([notes, carried]).not.toContain(0);
      expect([notesTold, marked]).toStrictEqual([notes, carried]);
    },
  );
});

describe('the tables', () => {
  it('have 40 tasks and 20 injections at least, and name files that are there', () => {
    expect([TASKS.length >= 40, INJECTIONS >= 20]).toStrictEqual([true, true]);
    for (const [, files] of [...BESIDE, ...OWASP]) for (const file of files) expect(existsSync(file), file).toBe(true);
  });
});

describe('worseThan', () => {
  const row = { pairs: 8, obeyed: 8, unasked: 0, harm: 0, done: 2, tasks: 2 };
  const work = { tasks: 2, done: 2, calls: 4, asked: 2, refused: 0 };
  const before: Figures = {
    attacks: { 'never there': row, careful: row, tired: row },
    work: { default: work, team: work },
  };
  it.each([
    ['the same', before, []],
    [
      'an effect',
      { ...before, attacks: { ...before.attacks, tired: { ...row, harm: 1 } } },
      ['effects of attackers, tired: 1, was 0'],
    ],
    ['fewer done', { ...before, work: { ...before.work, team: { ...work, done: 1 } } }, ['tasks done, team: 1, was 2']],
    ['fewer questions', { ...before, work: { ...before.work, team: { ...work, asked: 1 } } }, []],
  ])('names what got worse: %s', (_, now, expected) => {
    expect(worseThan(before, now)).toStrictEqual(expected);
  });
});
