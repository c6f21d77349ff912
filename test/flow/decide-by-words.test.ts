/** `/approve` and `/deny` in a chat: a tap in words, with the same rights and the same ends. */

import { afterAll, describe, expect, it } from 'vitest';
import { startDynamo } from '../support/dynamo.ts';
import { ownerMessage } from '../support/simulation.ts';
import { type ApprovalWorld, buildApprovalWorld } from './approval-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const MEMBER = { sender: { id: 'telegram:99', isApprover: false } };
const ELSEWHERE = { session: 'telegram:8', reply: { target: 'telegram', to: '8' } } as const;
const USAGE = /^No single approval has that id.* Write \/(approve|deny) and only the id that its card shows/;

/** A space in which one deployment waits. */
const waiting = async (): Promise<{ world: ApprovalWorld; signal: string; id: string }> => {
  const world = buildApprovalWorld(dynamo.table);
  const signal = await world.say('deploy v1');
  return { world, signal, id: await world.approvalOf(signal) };
};

describe('/approve and /deny', () => {
  it('show their own lines on the card, with the id to write', async () => {
    const { world, id } = await waiting();
    const card = world.texts().at(-1) ?? '';
    expect(card).toContain(`/approve ${id.slice(0, 6)}`);
  });

  it('have a list of what waits, with the id to write', async () => {
    const { world, id } = await waiting();
    const short = id.slice(0, 6);
    const ask = async () => {
      await world.send(world.command('approvals'));
      return world.texts().at(-1);
    };
    expect(await ask()).toMatch(
      new RegExp(
        `^These wait for a yes:\n${short}: [a-z ]+, asked just now in \\S+ – /approve ${short}, /deny ${short}\nThe card of each has its words.$`,
      ),
    );
    await world.send(world.command('deny', short));
    expect(await ask()).toBe('Nothing waits for an approval.');
  });

  it('say beside several lines that may look alike where their words are', async () => {
    const { world, id } = await waiting();
    const other = await world.approvalOf(await world.say('deploy v2'));
    await world.send(world.command('approvals'));
    expect(world.texts().at(-1)?.split('\n').at(-1)).toBe(
      'The card of each has its words; /approve alone lists those of this chat with theirs.',
    );
    await world.send(world.command('approve'));
    expect(world.texts().at(-1)).toMatch(new RegExp(`/approve ${id.slice(0, 6)} – .*v1`));
    expect(world.texts().at(-1)).toMatch(new RegExp(`/approve ${other.slice(0, 6)} – .*v2`));
  });

  it.each([
    ['the chat with its card', {}, 'decide it in the chat that has its card, or in a terminal: '],
    [
      'a console',
      { session: 'console:main', reply: { target: 'console', to: 'main' } } as const,
      'decide it in a terminal: ',
    ],
  ])('are not offered in another chat for what waits in %s', async (_, asked, how) => {
    const world = buildApprovalWorld(dynamo.table);
    const { payload } = ownerMessage(world.space, 0, 'deploy v1');
    const signal = world.command('', '', { ...asked, payload });
    await world.send(signal);
    const approval = (await world.approvalOf(signal.id)).slice(0, 6);
    await world.send(world.command('approvals', '', ELSEWHERE));
    expect(world.simulation.sent.at(-1)?.text).toContain(` – ${how}npx passepartout approve ${approval}\n`);
  });

  it('without an id say what waits in this chat, with the id to write', async () => {
    const { world, id } = await waiting();
    const ask = async (name: string, where: object) => {
      await world.send(world.command(name, '', where));
      return world.simulation.sent.at(-1)?.text;
    };
    for (const name of ['approve', 'deny'])
      expect(await ask(name, {})).toMatch(
        new RegExp(`^Write one of these:\n/${name} ${id.slice(0, 6)} – Call the webhook deploys.*$`),
      );
    expect(await ask('approve', ELSEWHERE)).toBe(
      'Nothing waits for a yes here. /approvals lists what waits elsewhere.',
    );
    expect(world.calls()).toStrictEqual([]);
  });

  it.each([
    ['approve', 'done', 1],
    ['deny', 'refused', 0],
  ])('%s as a tap does, once', async (name, state, calls) => {
    const { world, signal, id } = await waiting();
    await world.send(world.command(name, id.slice(0, 6)));
    expect(await world.statesOf(signal)).toContain(state);
    await world.send(world.command(name, id.slice(0, 6).toUpperCase()));
    expect(world.texts().at(-1)).toMatch(/^Nothing was changed: this is (approved|denied) already/);
    expect(world.calls()).toHaveLength(calls);
  });

  it.each<[string, (id: string) => string, object, RegExp]>([
    ['a person who is no approver', (id) => id, MEMBER, /^Only an approver can give the command/],
    [
      'another chat than that of the card',
      (id) => id.slice(0, 6),
      ELSEWHERE,
      /^This can be decided only where its card was sent/,
    ],
    ['too short an id', (id) => id.slice(0, 5), {}, USAGE],
    ['an id of nothing', () => 'ffffffffffff', {}, USAGE],
  ])('do nothing for %s', async (_, words, changes, said) => {
    const { world, signal, id } = await waiting();
    for (const name of ['approve', 'deny']) {
      await world.send(world.command(name, words(id), changes));
      expect(world.simulation.sent.at(-1)?.text).toMatch(said);
    }
    expect([await world.statesOf(signal), world.calls()]).toStrictEqual([['suspended'], []]);
  });

  it('never decide on a later action whose id begins alike', async () => {
    const { world, id } = await waiting();
    await world.send(world.command('deny', id.slice(0, 6)));
    // This simulator counts its ids up.
    const later = await world.say('deploy v2');
    expect(await world.approvalOf(later)).toMatch(new RegExp(`^${id.slice(0, 6)}`));
    await world.send(world.command('approve', id.slice(0, 6)));
    expect(world.texts().at(-1)).toMatch(USAGE);
    expect(world.calls()).toStrictEqual([]);
  });
});
