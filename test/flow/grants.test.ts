/**
 * Grants through the whole pipeline: what one covers, what it never covers, and that each use is
 * spent once.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { GRANT_USES_DEFAULT } from '../../lib/core/base/limits.ts';
import { setKillSwitch } from '../../lib/core/ledger/kill-switch.ts';
import { startDynamo } from '../support/dynamo.ts';
import { ownerMessage, signalWith } from '../support/simulation.ts';
import { callTool } from './adversity-world.ts';
import { type ApprovalWorld, buildApprovalWorld } from './approval-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

/** A space with one grant, made by tapping "Allow similar" on the card of `deploy main`. */
const granted = async () => {
  const world = buildApprovalWorld(dynamo.table);
  const first = await world.say('deploy main');
  const approvalId = await world.approvalOf(first);
  await world.send(world.tapOf(approvalId, 'allow-similar'));
  const [grant] = await world.grants();
  if (grant === undefined) throw new Error('there is no grant');
  return { ...world, first, approvalId, grant };
};

const add = (world: ApprovalWorld, wish: object, isApprover = true) =>
  world.send(
    world.command('grants', `add ${JSON.stringify(wish)}`, {
      source: 'console',
      sender: { id: 'console-approver', isApprover },
    }),
  );

describe('a grant made from a card', () => {
  it('approves this one and passes the same action again without a card, each use recorded', async () => {
    const world = await granted();
    expect(await world.statesOf(world.first)).toStrictEqual(['done']);
    expect(
      world.texts().some((text) => text.startsWith(`Approved, and allowed ${GRANT_USES_DEFAULT} more times until `)),
    ).toBe(true);
    const again = await world.say('deploy main');
    expect(world.calls()).toHaveLength(2);
    const [effect] = (await world.evidence(again)).effects;
    expect(effect).toMatchObject({ state: 'done', grantId: world.grant.id });
    expect(effect?.trace.filter(({ verdict }) => verdict === 'ask').map(({ reason }) => reason)).toStrictEqual([
      expect.stringMatching(/^a grant covers exactly this action: /),
    ]);
    expect(await world.grants()).toMatchObject([{ uses: 1, usesMax: GRANT_USES_DEFAULT, state: 'live' }]);
  });

  it('is taken back by /undo, once, which then says how to give another', async () => {
    const world = await granted();
    const undo = async (code = '') => {
      await world.send(world.command('undo', code));
      return world.texts().at(-1) ?? '';
    };
    const shown = await undo();
    expect(shown).toContain('The last change here: Allow again without asking: ');
    const [, code = ''] = /^To take it back: \/undo ([0-9a-f]{6})$/m.exec(shown) ?? [];
    expect(await undo(code)).toContain(`The grant ${world.grant.id} is taken back`);
    expect(await world.grants()).toStrictEqual([]);
    expect(await undo()).toContain('I found no change here');
    await world.send(world.command('revoke', world.grant.id));
    expect(await undo()).toContain(
      `This cannot be taken back: Take the grant ${world.grant.id} back. "Allow similar…" on the next card gives another.`,
    );
  });

  it('covers no other argument, conversation or rule', async () => {
    const world = await granted();
    expect(await world.statesOf(await world.say('deploy other'))).toStrictEqual(['suspended']);
    expect(await world.statesOf(await world.say('deploy main', '8'))).toStrictEqual(['suspended']);
    await world.changeGrant(world.grant.id, { policyVersion: 'f'.repeat(64) });
    expect(await world.statesOf(await world.say('deploy main'))).toStrictEqual(['suspended']);
    expect(world.calls()).toHaveLength(1);
    expect(await world.grants()).toMatchObject([{ uses: 0 }]);
  });

  it('asks nobody about what another gate blocks: no yes would let it pass', async () => {
    let addresses = ['93.184.215.14'];
    const world = buildApprovalWorld(dynamo.table, {
      resolveAddresses: async () => addresses,
      answer: ({ messages }) =>
        messages.at(-1)?.content?.includes('read it') === true
          ? callTool('fetch-url', { url: 'https://page.example/x' })
          : { content: 'That is how it went.' },
    });
    const first = await world.say('read it');
    await world.send(world.tapOf(await world.approvalOf(first), 'allow-similar'));
    addresses = [];
    const again = await world.say('read it again');
    const [effect] = (await world.evidence(again)).effects;
    expect(effect).toMatchObject({ state: 'refused', reason: 'the host has no address' });
    expect(await world.grants()).toMatchObject([{ uses: 0 }]);
  });

  it('covers nothing asked by a gate that had not asked before, nor an action of another space', async () => {
    for (const change of [
      { gates: ['provenance'] },
      { space: 'elsewhere' },
      { tool: 'remember' },
      { url: 'https://x.example' },
    ]) {
      const world = await granted();
      await world.changeGrant(world.grant.id, change);
      expect(await world.statesOf(await world.say('deploy main'))).toStrictEqual(['suspended']);
      expect(world.calls()).toHaveLength(1);
    }
  });

  it('covers what was made from outside text only where its card named that source', async () => {
    const tainted = (world: ApprovalWorld, id: number, label: string) =>
      signalWith(world.space, `tg-1-${id}`, {
        sensor: 'chat-message',
        text: [{ text: 'deploy main', origin: 'outside', label }],
      });
    const clean = await granted();
    await clean.send(tainted(clean, 90, 'forward'));
    expect(await clean.statesOf('tg-1-90')).toStrictEqual(['suspended']);

    const world = buildApprovalWorld(dynamo.table);
    await world.send(tainted(world, 80, 'forward'));
    await world.send(world.tapOf(await world.approvalOf('tg-1-80'), 'show-similar'));
    expect(world.texts().at(-1)).toContain('also when outside text asks for it (forward)');
    await world.send(world.tapOf(await world.approvalOf('tg-1-80'), 'allow-similar'));
    await world.send(tainted(world, 81, 'forward'));
    expect(await world.statesOf('tg-1-81')).toStrictEqual(['done']);
    await world.send(tainted(world, 82, 'quote'));
    expect(await world.statesOf('tg-1-82')).toStrictEqual(['suspended']);
    expect(world.calls()).toHaveLength(2);
  });

  it('ends with its time, its count, and when it is taken back', async () => {
    for (const end of ['time', 'count', 'revoke'] as const) {
      const world = await granted();
      if (end === 'time') world.simulation.advance(25 * 3_600_000);
      if (end === 'count') await world.changeGrant(world.grant.id, { uses: GRANT_USES_DEFAULT });
      if (end === 'revoke') await world.send(world.command('revoke', world.grant.id));
      expect(await world.statesOf(await world.say('deploy main'))).toStrictEqual(['suspended']);
      expect(world.calls()).toHaveLength(1);
    }
  });

  it('is made once, however often its tap is delivered', async () => {
    const world = buildApprovalWorld(dynamo.table);
    const tap = world.tapOf(await world.approvalOf(await world.say('deploy main')), 'allow-similar');
    for (let count = 0; count < 3; count += 1) await world.send(tap);
    await world.send({ ...tap, id: 'tg-1-99', root: 'tg-1-99' });
    expect(await world.grants()).toHaveLength(1);
    expect(world.calls()).toHaveLength(1);
  });

  it('cannot be made by a stranger, in another chat, or on a denied approval', async () => {
    const world = buildApprovalWorld(dynamo.table);
    const approvalId = await world.approvalOf(await world.say('deploy main'));
    const stranger = { id: 'telegram:13', isApprover: false };
    await world.send({ ...world.tapOf(approvalId, 'allow-similar'), sender: stranger });
    await world.send(world.tapOf(approvalId, 'allow-similar', '8'));
    await world.send(world.tapOf(approvalId, 'deny'));
    await world.send(world.tapOf(approvalId, 'allow-similar'));
    expect(await world.grants()).toStrictEqual([]);
    expect(world.calls()).toStrictEqual([]);
  });

  it('is worth nothing while the space is stopped', async () => {
    const world = await granted();
    const stop = { isStopped: true, by: 'telegram:7', at: world.simulation.now() };
    await setKillSwitch(world.simulation.table, world.space, stop);
    await world.say('deploy main');
    expect(world.calls()).toHaveLength(1);
    expect(await world.grants()).toMatchObject([{ uses: 0 }]);
  });
});

describe('the last use of a grant', () => {
  it('is spent by one of many that come at once; the others are asked about', async () => {
    const world = await granted();
    await world.changeGrant(world.grant.id, { usesMax: 1 });
    const ids = ['21', '22', '23'];
    for (const id of ids) await world.simulation.accept(ownerMessage(world.space, Number(id), 'deploy main'));
    await world.simulation.drain();
    const states = await Promise.all(ids.map((id) => world.statesOf(`tg-1-${id}`)));
    expect(states.flat().sort()).toStrictEqual(['done', 'suspended', 'suspended']);
    expect(world.calls()).toHaveLength(2);
    expect(await world.grants()).toMatchObject([{ uses: 1 }]);
  });

  it('taken between the gates and the claim leads to a card instead', async () => {
    let isTaken = false;
    const racing = buildApprovalWorld({
      ...dynamo.table,
      transact: async (writes) => {
        const spends = writes.some(({ key }) => key.pk.startsWith('grant#'));
        if (spends && !isTaken) {
          isTaken = true;
          for (const { key } of writes)
            if (key.pk.startsWith('grant#')) await dynamo.table.update(key, { set: { state: 'revoked' } });
        }
        return dynamo.table.transact(writes);
      },
    });
    await racing.send(racing.tapOf(await racing.approvalOf(await racing.say('deploy main')), 'allow-similar'));
    const id = await racing.say('deploy main');
    expect(isTaken).toBe(true);
    expect(await racing.statesOf(id)).toStrictEqual(['suspended']);
    expect((await racing.evidence(id)).effects[0]).not.toHaveProperty('grantId');
    expect(racing.calls()).toHaveLength(1);
    await racing.send(racing.tapOf(await racing.approvalOf(id), 'approve'));
    expect(racing.calls()).toHaveLength(2);
  });
});

describe('a grant made by command', () => {
  it('loosens single arguments, and no more', async () => {
    const world = buildApprovalWorld(dynamo.table);
    const approval = await world.approvalOf(await world.say('deploy release-1'));
    await add(world, {
      from: approval,
      loosen: [{ path: '/body/ref', kind: 'prefix', prefix: 'release-' }],
      count: 3,
      hours: 1,
    });
    expect(await world.grants()).toMatchObject([{ usesMax: 3, loosened: [{ path: '/body/ref' }] }]);
    expect(await world.statesOf(await world.say('deploy release-2'))).toStrictEqual(['done']);
    for (const ref of ['main', 'release-../../x', 'release-%2e', 'Release-3', 'xrelease-3'])
      expect(await world.statesOf(await world.say(`deploy ${ref}`))).toStrictEqual(['suspended']);
    expect(world.calls()).toHaveLength(1);
  });

  it.each([
    ['an approval nobody made', { approval: 'a'.repeat(32) }],
    ['an argument that is not there', { loosen: [{ path: '/body/nothing', kind: 'any' }] }],
    ['all arguments at once', { loosen: [{ path: '', kind: 'any' }] }],
    ['outside text nobody named', { coversTaint: true }],
    ['no uses', { count: 0 }],
    ['too long a time', { hours: 100_000 }],
    ['a field that is none', { approved: true }],
  ])('is refused for %s', async (_what, wish) => {
    const world = buildApprovalWorld(dynamo.table);
    const approval = await world.approvalOf(await world.say('deploy main'));
    await add(world, { from: approval, ...wish });
    expect(await world.grants()).toStrictEqual([]);
  });

  it('is refused for what was asked under other rules', async () => {
    const world = buildApprovalWorld(dynamo.table);
    const approval = await world.approvalOf(await world.say('deploy main'));
    await world.changeApproval(approval, { policyVersion: 'f'.repeat(64) });
    await add(world, { from: approval });
    expect(await world.grants()).toStrictEqual([]);
  });

  it('is refused to who is no approver, and in a chat', async () => {
    const world = buildApprovalWorld(dynamo.table);
    const approval = await world.approvalOf(await world.say('deploy main'));
    await add(world, { from: approval }, false);
    await world.send(world.command('grants', `add ${JSON.stringify({ from: approval })}`));
    expect(await world.grants()).toStrictEqual([]);
  });
});

describe('a sweep', () => {
  it('leaves a grant in force alone, and takes those out that can never be used again', async () => {
    const live = await granted();
    await live.simulation.sweep();
    expect(await live.grants()).toHaveLength(1);
    expect(await live.statesOf(await live.say('deploy main'))).toStrictEqual(['done']);

    for (const end of ['time', 'count', 'rules'] as const) {
      const world = await granted();
      if (end === 'time') world.simulation.advance(25 * 3_600_000);
      if (end === 'count') await world.changeGrant(world.grant.id, { uses: GRANT_USES_DEFAULT });
      if (end === 'rules') await world.changeGrant(world.grant.id, { policyVersion: 'f'.repeat(64) });
      for (let count = 0; count < 2; count += 1) await world.simulation.sweep();
      expect(await world.grants()).toStrictEqual([]);
      if (end !== 'rules') continue;
      await world.changeGrant(world.grant.id, { policyVersion: world.grant.policyVersion });
      expect(await world.statesOf(await world.say('deploy main'))).toStrictEqual(['suspended']);
    }
  });
});

describe('/grants and /revoke', () => {
  it('list and take back, for approvers only', async () => {
    const world = await granted();
    const stranger = { sender: { id: 'telegram:13', isApprover: false } };
    await world.send(world.command('grants', '', stranger));
    await world.send(world.command('revoke', world.grant.id, stranger));
    expect(world.texts().slice(-2)).toStrictEqual(
      ['grants', 'revoke'].map((name) => `Only an approver can give the command /${name}.`),
    );
    await world.send(world.command('grants'));
    expect(world.texts().at(-1)).toMatch(
      new RegExp(
        `^${world.grant.id}: Call the webhook deploys: ref “main”, to “production” · with .*"ref":"main".* · used 0 of 10 · until .* · in telegram:7 · by telegram:7$`,
      ),
    );
    await world.send(world.command('revoke', 'nonsense'));
    await world.send(world.command('revoke', world.grant.id));
    await world.send(world.command('grants'));
    expect(world.texts().slice(-3)).toStrictEqual([
      'Nothing was changed: grant must be the id of a grant; /grants lists them.',
      `The grant ${world.grant.id} is taken back.`,
      'There is no grant. A job that you approved as a whole says so: /jobs show <name>',
    ]);
  });
});
